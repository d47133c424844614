import Synchronization

/// What became of a request that brings an answer about: said once by the task that sends it, awaited by the outbox.
final class Admission: Sendable {
    /// What became of it.
    enum Result: Sendable {
        /// The server has taken it, and its words are on their way.
        case taken
        case failed(ClientError)
        /// Nobody wants it any more, or the app goes to sleep.
        case abandoned
    }

    private struct State {
        var result: Result?
        var waiter: CheckedContinuation<Result, Never>?
    }

    private let state = Mutex(State())

    /// Says what became of it; the first word counts.
    func settle(_ result: Result) {
        let waiter = state.withLock { state -> CheckedContinuation<Result, Never>? in
            guard state.result == nil else { return nil }
            state.result = result
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: result)
    }

    /// Waits for it; one task may. One that is cancelled waits no longer, and hears that it was abandoned.
    var result: Result {
        get async {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let known = state.withLock { state -> Result? in
                        if let result = state.result { return result }
                        if Task.isCancelled { return .abandoned }
                        state.waiter = continuation
                        return nil
                    }
                    if let known { continuation.resume(returning: known) }
                }
            } onCancel: {
                let waiter = state.withLock { state in
                    defer { state.waiter = nil }
                    return state.waiter
                }
                waiter?.resume(returning: .abandoned)
            }
        }
    }
}
