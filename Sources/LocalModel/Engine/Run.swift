internal import Synchronization

/// One answer on its way from the engine's thread to the task that asked for it.
///
/// The text waits here. While the task is behind, the engine leaves the answer alone and works on others.
final class Run: Sendable {
    /// What the engine needs to know.
    struct Order: Sendable {
        var prompt: [Token]
        var sampling: Sampling
        var grammar: String?
        var stop: [String]
        var maximumOutputTokens: Int?
    }

    /// What the task gets.
    enum Delivery: Sendable {
        case text(String)
        case end(Result<GenerationResult, LocalModelError>)
    }

    let order: Order
    let asked: ContinuousClock.Instant
    private let inbox: Inbox
    private let cancelled = Atomic<Bool>(false)
    /// Whether the engine works on it now, so that a cancellation is worth interrupting an evaluation.
    private let active = Atomic<Bool>(false)
    private let mail = Mutex(Mail())

    private struct Mail: Sendable {
        var text = ""
        var pieces = 0
        var end: Result<GenerationResult, LocalModelError>?
        var reader: CheckedContinuation<Delivery, Never>?

        mutating func take() -> Delivery? {
            if !text.isEmpty {
                defer { (text, pieces) = ("", 0) }
                return .text(text)
            }
            return end.map { .end($0) }
        }
    }

    /// How many pieces may wait before the engine does.
    private static let mostPieces = 16

    init(_ order: Order, asked: ContinuousClock.Instant, inbox: Inbox) {
        self.order = order
        self.asked = asked
        self.inbox = inbox
    }

    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    /// Asks the engine to let go; ``next()`` then comes to its end.
    func cancel() {
        cancelled.store(true, ordering: .sequentiallyConsistent)
        if active.load(ordering: .sequentiallyConsistent) { inbox.interruption.request() }
        inbox.wake()
    }

    // Asked by the task.

    /// Waits for more text, or for the end.
    ///
    /// One task reads, one call at a time.
    func next() async -> Delivery {
        await withCheckedContinuation { reader in
            let (delivery, wasFull) = mail.withLock { mail -> (Delivery?, Bool) in
                let wasFull = mail.pieces >= Self.mostPieces
                if let delivery = mail.take() { return (delivery, wasFull) }
                mail.reader = reader
                return (nil, false)
            }
            if let delivery { reader.resume(returning: delivery) }
            if wasFull { inbox.wake() }
        }
    }

    // Asked by the engine.

    /// Notes that the engine works on it from now on.
    func begin() {
        active.store(true, ordering: .sequentiallyConsistent)
        // Either this sees a cancellation that came before, or the cancellation sees that it is active.
        if cancelled.load(ordering: .sequentiallyConsistent) { inbox.interruption.request() }
    }

    /// Whether enough waits to be read already.
    var isBehind: Bool { mail.withLock { $0.pieces >= Self.mostPieces } }

    func deliver(_ text: String) {
        guard !text.isEmpty else { return }
        hand { mail in
            mail.text += text
            mail.pieces += 1
        }
    }

    func finish(_ end: Result<GenerationResult, LocalModelError>) {
        active.store(false, ordering: .sequentiallyConsistent)
        hand { $0.end = end }
    }

    private func hand(_ change: (inout Mail) -> Void) {
        let waiting = mail.withLock { mail -> (CheckedContinuation<Delivery, Never>, Delivery)? in
            change(&mail)
            guard let reader = mail.reader, let delivery = mail.take() else { return nil }
            mail.reader = nil
            return (reader, delivery)
        }
        if let (reader, delivery) = waiting { reader.resume(returning: delivery) }
    }
}
