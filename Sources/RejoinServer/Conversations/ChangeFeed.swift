package import RejoinCore
import Synchronization

/// Wakes the devices that listen to an account's change feed.
///
/// It carries cursors only: what changed is in the store.
package final class ChangeFeed: Sendable {
    private let state = Mutex(State())

    private struct State {
        var newest: [AccountID: Int] = [:]
        var waiters: [AccountID: [Int: CheckedContinuation<Void, Never>]] = [:]
        var nextTicket = 0
        var isClosed = false
        var observer: (@Sendable () -> Void)?
    }

    package init() {}

    /// Has a function called each time that something changed, for any account; it must not block.
    package func observe(_ observer: @escaping @Sendable () -> Void) { state.withLock { $0.observer = observer } }

    /// Notes that an account's feed reaches to a cursor now.
    package func advanced(_ account: AccountID, to cursor: Int) {
        let (waiters, observer) = state.withLock { state in
            state.newest[account] = max(cursor, state.newest[account] ?? 0)
            return (Array((state.waiters.removeValue(forKey: account) ?? [:]).values), state.observer)
        }
        observer?()
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the feed reaches beyond a cursor, or the task is cancelled.
    package func wait(for account: AccountID, beyond cursor: Int) async {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    guard !Task.isCancelled, !state.isClosed, (state.newest[account] ?? 0) <= cursor else {
                        return true
                    }
                    state.waiters[account, default: [:]][ticket] = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters[account]?.removeValue(forKey: ticket) }?.resume()
        }
    }

    /// Whether the server is stopping and the feed's streams are to end.
    package var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Lets all listeners go, for good.
    package func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            defer { state.waiters = [:] }
            return state.waiters.values.flatMap(\.values)
        }
        for waiter in waiters { waiter.resume() }
    }
}
