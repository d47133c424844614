public import RejoinCore

/// A prompt as this device holds it.
public struct StoredTurn: Equatable, Sendable {
    public var id: TurnID
    public var conversation: ConversationID
    /// The answer that the person was looking at; nil for a first turn.
    public var parent: AnswerID?
    public var content: [ContentPart]
    /// The model's name, or `auto`.
    public var model: String
    public var createdAt: Timestamp
    public var delivery: Delivery

    /// Puts a turn together.
    public init(
        id: TurnID, conversation: ConversationID, parent: AnswerID?, content: [ContentPart], model: String = "auto",
        createdAt: Timestamp, delivery: Delivery
    ) {
        self.id = id
        self.conversation = conversation
        self.parent = parent
        self.content = content
        self.model = model
        self.createdAt = createdAt
        self.delivery = delivery
    }
}

/// How far a turn is on its way to the server.
public enum Delivery: Equatable, Sendable {
    /// Held back until there is a connection.
    case waiting(since: Timestamp, expires: Timestamp?)
    case sending
    /// The server has it.
    case delivered
    /// The server or this device declined; the words are in the draft again.
    case refused(ClientRefusal)
    /// It waited too long: the person decides again.
    case expired
    /// This device answers it, or has; the server has not got it, and never will where it stays here.
    case onDevice(staysHere: Bool)

    /// Whether it is still to reach whoever answers it.
    public var isUnsent: Bool {
        switch self {
        case .waiting, .sending: true
        case .delivered, .refused, .expired, .onDevice: false
        }
    }

    /// Whether it came to nothing: nobody answers it unless the person asks again.
    public var isDead: Bool {
        switch self {
        case .refused, .expired: true
        case .waiting, .sending, .delivered, .onDevice: false
        }
    }
}
