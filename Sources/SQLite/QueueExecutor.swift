internal import Dispatch

/// Runs an actor on a dispatch queue of its own, so that blocking calls never take a thread of the cooperative pool.
package final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// Makes a serial queue.
    ///
    /// - Parameter label: a name for debuggers.
    package init(label: String) { queue = DispatchQueue(label: label) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    package func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
