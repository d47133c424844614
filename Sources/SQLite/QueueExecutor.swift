internal import Dispatch
internal import Synchronization

/// Runs an actor on a thread of its own, so that blocking calls never take one of the cooperative pool.
///
/// A task that prefers this executor goes in and out of the actor without changing threads. The thread stays for as
/// long as the executor does: the next job finds it where the last one left its caches.
package final class QueueExecutor: SerialExecutor, TaskExecutor {
    private let queue: DispatchQueue
    private let line = Line()

    /// What the thread and those who give it work share.
    private final class Line: Sendable {
        private struct State {
            var jobs: [UnownedJob] = []
            var isOver = false
            /// The thread waits for the bell.
            var isWaiting = false
        }

        private let state = Mutex(State())
        private let bell = DispatchSemaphore(value: 0)

        func append(_ job: UnownedJob) {
            ring { $0.jobs.append(job) }
        }

        func end() {
            ring { $0.isOver = true }
        }

        private func ring(for change: (inout State) -> Void) {
            let isWaiting = state.withLock { state in
                change(&state)
                defer { state.isWaiting = false }
                return state.isWaiting
            }
            if isWaiting { bell.signal() }
        }

        /// Waits for jobs and takes all there are; nil once the executor is gone.
        func take() -> [UnownedJob]? {
            while true {
                let (jobs, isOver) = state.withLock { state in
                    defer { state.jobs = [] }
                    state.isWaiting = state.jobs.isEmpty && !state.isOver
                    return (state.jobs, state.isOver)
                }
                if !jobs.isEmpty { return jobs }
                if isOver { return nil }
                bell.wait()
            }
        }
    }

    /// Starts the thread.
    ///
    /// - Parameter label: a name for debuggers.
    package init(label: String) {
        queue = DispatchQueue(label: label)
        let (serial, task) = unsafe (asUnownedSerialExecutor(), asUnownedTaskExecutor())
        queue.async { [line] in
            while let jobs = line.take() {
                // A job holds the actor or the task it belongs to, and that holds this executor.
                for job in jobs { unsafe job.runSynchronously(isolatedTo: serial, taskExecutor: task) }
            }
        }
    }

    deinit { line.end() }

    package func enqueue(_ job: consuming ExecutorJob) { line.append(UnownedJob(job)) }

    package func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
