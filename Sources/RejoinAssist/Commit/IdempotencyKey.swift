public import RejoinCore

/// The name of one attempt: the same through every resending, also after a restart, and another one for another attempt.
public struct IdempotencyKey: Sendable, Hashable {
    /// The key as it is written down and sent.
    public let text: String

    /// The key of whatever an id names.
    public init<Kind>(_ id: ID<Kind>) {
        text = id.description
    }

    /// Reads a key that was written down: an id in its 36-character form, and nothing else.
    public init?(_ text: some StringProtocol) {
        guard let id = ProposalID(text) else { return nil }
        self.init(id)
    }
}
