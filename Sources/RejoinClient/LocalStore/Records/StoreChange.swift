public import RejoinCore

/// What changed in the store since the last report: what to read again.
public struct StoreChange: Equatable, Sendable {
    /// Conversations whose turns, answers or state changed.
    public var conversations: Set<ConversationID> = []
    /// Answers that only grew.
    public var answers: Set<AnswerID> = []
    /// Whether a line of the list changed, came or went.
    public var list = false
    public var limits = false
    /// Whether there is something new to tell the server.
    public var outbox = false

    /// Reports nothing yet.
    public init() {}

    /// Whether nothing changed.
    public var isEmpty: Bool { self == StoreChange() }

    /// Adds what another report says.
    public mutating func formUnion(_ other: StoreChange) {
        conversations.formUnion(other.conversations)
        answers.formUnion(other.answers)
        list = list || other.list
        limits = limits || other.limits
        outbox = outbox || other.outbox
    }
}
