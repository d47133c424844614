import Synchronization

/// Tells several fronts what to read again.
///
/// Each front has a set of what it has not looked at yet, never a backlog: a slow one is told once.
final class UpdateHub: Sendable {
    private struct State {
        var mailboxes: [Int: Mailbox] = [:]
        var last = 0
    }

    private let state = Mutex(State())

    /// Tells every front.
    func post(_ updates: some Sequence<ClientUpdate>) {
        let mailboxes = state.withLock { Array($0.mailboxes.values) }
        for mailbox in mailboxes { mailbox.add(updates) }
    }

    /// Tells every front of one thing.
    func post(_ update: ClientUpdate) { post(CollectionOfOne(update)) }

    /// How many fronts listen.
    var count: Int { state.withLock { $0.mailboxes.count } }

    /// The updates for one front, from now on.
    func updates() -> AsyncStream<ClientUpdate> {
        let mailbox = Mailbox()
        let number = state.withLock { state in
            state.last += 1
            state.mailboxes[state.last] = mailbox
            return state.last
        }
        let subscription = Subscription(mailbox: mailbox) { [weak self] in
            _ = self?.state.withLock { $0.mailboxes.removeValue(forKey: number) }
        }
        return AsyncStream {
            await subscription.mailbox.next()
        } onCancel: {
            subscription.end()
        }
    }

    /// Ends when its front lets go of the stream.
    private final class Subscription: Sendable {
        let mailbox: Mailbox
        private let onEnd: @Sendable () -> Void

        init(mailbox: Mailbox, onEnd: @escaping @Sendable () -> Void) {
            self.mailbox = mailbox
            self.onEnd = onEnd
        }

        deinit { end() }

        func end() {
            onEnd()
            mailbox.close()
        }
    }

    private final class Mailbox: Sendable {
        private struct State {
            /// In the order of their first mention.
            var waiting: [ClientUpdate] = []
            var known: Set<ClientUpdate> = []
            var reader: CheckedContinuation<ClientUpdate?, Never>?
            var isClosed = false

            mutating func take() -> ClientUpdate? {
                guard !waiting.isEmpty else { return nil }
                let first = waiting.removeFirst()
                known.remove(first)
                return first
            }
        }

        private let state = Mutex(State())

        func add(_ updates: some Sequence<ClientUpdate>) {
            let ready = state.withLock { state -> (CheckedContinuation<ClientUpdate?, Never>, ClientUpdate)? in
                guard !state.isClosed else { return nil }
                for update in updates where state.known.insert(update).inserted { state.waiting.append(update) }
                guard let reader = state.reader, let first = state.take() else { return nil }
                state.reader = nil
                return (reader, first)
            }
            if let (reader, first) = ready { reader.resume(returning: first) }
        }

        func next() async -> ClientUpdate? {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state -> ClientUpdate?? in
                    if let first = state.take() { return first }
                    if state.isClosed { return .some(nil) }
                    state.reader = continuation
                    return nil
                }
                if let ready { continuation.resume(returning: ready) }
            }
        }

        func close() {
            let reader = state.withLock { state in
                state.isClosed = true
                defer { state.reader = nil }
                return state.reader
            }
            reader?.resume(returning: nil)
        }
    }
}
