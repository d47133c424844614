import Synchronization

/// Lets tasks wait until something happens, or a time has passed, and counts those that do.
///
/// A call that comes before the wait is not lost: a task waits from the count that it saw last.
final class WakeUp: Sendable {
    private struct State {
        var count = 0
        var last = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// How often it was called: what a task notes before it looks at whatever it waits for.
    var count: Int { state.withLock { $0.count } }
    /// How many tasks wait.
    var waiting: Int { state.withLock { $0.waiters.count } }

    /// Wakes everybody.
    func call() {
        let waiters = state.withLock { state in
            state.count += 1
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until it was called more often than `seen`, the task is cancelled, or the time has passed.
    ///
    /// - Parameter limit: nil waits for the call alone.
    /// - Throws: `CancellationError`.
    func wait(beyond seen: Int, atMost limit: Duration? = nil, clock: any Clock<Duration>) async throws {
        if let limit {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.wait(beyond: seen) }
                group.addTask { try? await clock.sleep(for: limit) }
                await group.next()
                group.cancelAll()
            }
        } else {
            await wait(beyond: seen)
        }
        try Task.checkCancellation()
    }

    private func wait(beyond seen: Int) async {
        let ticket = state.withLock { state in
            state.last += 1
            return state.last
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    guard state.count <= seen, !Task.isCancelled else { return true }
                    state.waiters[ticket] = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: ticket) }?.resume()
        }
    }
}
