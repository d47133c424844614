internal import Synchronization

/// Tells every subscriber what changed; to one that is busy, all of it at once.
///
/// What waits for a subscriber is one set, never a backlog.
final class ChangeBroadcast: Sendable {
    private struct Subscriber { weak let mailbox: Mailbox? }
    private struct State {
        var subscribers: [Subscriber] = []
        var isFinished = false
    }

    private let state = Mutex(State())

    /// A stream of what changes from now on; it ends when the store is closed.
    func subscribe() -> AsyncStream<StoreChange> {
        let mailbox = Mailbox()
        let isFinished = state.withLock { state in
            // One that is gone must not be kept for ever.
            state.subscribers.removeAll { $0.mailbox == nil }
            if !state.isFinished { state.subscribers.append(Subscriber(mailbox: mailbox)) }
            return state.isFinished
        }
        if isFinished { mailbox.finish() }
        return AsyncStream {
            await mailbox.next()
        } onCancel: {
            mailbox.finish()
        }
    }

    /// Reports a change.
    func send(_ change: StoreChange) {
        if change.isEmpty { return }
        for mailbox in state.withLock({ $0.subscribers.compactMap(\.mailbox) }) { mailbox.put(change) }
    }

    /// Ends all streams, after what they have yet to give.
    func finish() {
        let mailboxes = state.withLock { state in
            state.isFinished = true
            return state.subscribers.compactMap(\.mailbox)
        }
        for mailbox in mailboxes { mailbox.finish() }
    }
}

/// What one subscriber has yet to be told.
private final class Mailbox: Sendable {
    private struct State {
        var pending = StoreChange()
        var waiting: CheckedContinuation<StoreChange?, Never>?
        var isFinished = false
    }

    private let state = Mutex(State())

    func put(_ change: StoreChange) {
        let waiting = state.withLock { state -> CheckedContinuation<StoreChange?, Never>? in
            if state.isFinished { return nil }
            guard let waiting = state.waiting else {
                state.pending.formUnion(change)
                return nil
            }
            state.waiting = nil
            return waiting
        }
        waiting?.resume(returning: change)
    }

    func finish() {
        let waiting = state.withLock { state in
            state.isFinished = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: nil)
    }

    func next() async -> StoreChange? {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state -> StoreChange?? in
                if !state.pending.isEmpty {
                    defer { state.pending = StoreChange() }
                    return .some(state.pending)
                }
                if state.isFinished || state.waiting != nil { return .some(nil) }
                state.waiting = continuation
                return nil
            }
            if let ready { continuation.resume(returning: ready) }
        }
    }
}
