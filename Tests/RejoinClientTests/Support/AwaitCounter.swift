import Dispatch
import Synchronization

/// Runs tasks and counts how often one of them goes on: at its start, and after each `await` that let go of the thread.
final class AwaitCounter: TaskExecutor {
    private struct State {
        var count = 0
        var onGoingOn: (@Sendable (Int) async -> Void)?
    }

    private let queue = DispatchQueue(label: "awaits")
    private let state = Mutex(State())

    /// How often a task went on so far.
    var count: Int { state.withLock { $0.count } }

    /// Does something before a task goes on, which is told how often that has happened.
    func set(_ onGoingOn: @escaping @Sendable (Int) async -> Void) { state.withLock { $0.onGoingOn = onGoingOn } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (number, hook) = state.withLock { state in
            state.count += 1
            return (state.count, state.onGoingOn)
        }
        guard let hook else { return run(job) }
        // Owned by nobody: it ends with the hook, and the task that waits for it goes on then.
        Task.detached {
            await hook(number)
            self.run(job)
        }
    }

    private func run(_ job: UnownedJob) {
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
