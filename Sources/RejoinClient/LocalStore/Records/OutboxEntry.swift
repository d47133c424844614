public import RejoinCore

/// Something that a person did and the server has yet to be told.
public struct OutboxEntry: Equatable, Sendable {
    /// Its place: smaller numbers are told first.
    public var number: Int
    public var kind: OutboxKind
    /// Which conversation it is about; nil for all.
    public var conversation: ConversationID?
    public var createdAt: Timestamp
    /// How often it was tried in vain.
    public var attempts: Int

    /// Puts an entry together.
    public init(
        number: Int, kind: OutboxKind, conversation: ConversationID?, createdAt: Timestamp, attempts: Int = 0
    ) {
        self.number = number
        self.kind = kind
        self.conversation = conversation
        self.createdAt = createdAt
        self.attempts = attempts
    }
}

/// What the server is to be told.
public enum OutboxKind: Equatable, Sendable {
    case turn(TurnID, answer: AnswerID)
    case regenerate(TurnID, AnswerID)
    case stop(AnswerID)
    case select(AnswerID)
    case rename(String)
    case pin(Bool)
    case archive(Bool)
    case delete
    case deleteAll
    /// Nothing is told: the server is asked which path it shows, since what it last said came while a choice of this
    /// device was under way.
    case askForPath
}
