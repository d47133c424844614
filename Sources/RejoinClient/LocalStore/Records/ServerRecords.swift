public import RejoinCore

/// A conversation as the server's list tells it.
public struct ServerConversation: Equatable, Sendable {
    public var id: ConversationID
    /// Empty while there is none.
    public var title: String
    /// Nil where the server does not say: then the time stays as it is.
    public var updatedAt: Timestamp?
    public var isPinned: Bool
    public var isArchived: Bool
    public var isTemporary: Bool

    /// Puts a line together.
    public init(
        id: ConversationID, title: String = "", updatedAt: Timestamp?, isPinned: Bool = false,
        isArchived: Bool = false, isTemporary: Bool = false
    ) {
        self.id = id
        self.title = title
        self.updatedAt = updatedAt
        self.isPinned = isPinned
        self.isArchived = isArchived
        self.isTemporary = isTemporary
    }
}

/// A turn as the server tells it, with its answers in order.
public struct ServerTurn: Equatable, Sendable {
    public var id: TurnID
    public var parent: AnswerID?
    public var content: [ContentPart]
    public var model: String
    /// Nil where the server does not say: then the id's own time counts.
    public var createdAt: Timestamp?
    public var answers: [Answer]

    /// Puts a turn together.
    public init(
        id: TurnID, parent: AnswerID?, content: [ContentPart], model: String = "auto", createdAt: Timestamp? = nil,
        answers: [Answer]
    ) {
        self.id = id
        self.parent = parent
        self.content = content
        self.model = model
        self.createdAt = createdAt
        self.answers = answers
    }
}

/// A conversation as the server holds it.
public struct ServerTree: Equatable, Sendable {
    public var conversation: ServerConversation
    /// In the server's order: parents come first.
    public var turns: [ServerTurn]
    public var selected: AnswerID?
    /// Whether these are all turns there are, not a page or a path.
    public var isWhole: Bool

    /// Puts a conversation together.
    public init(conversation: ServerConversation, turns: [ServerTurn], selected: AnswerID?, isWhole: Bool = true) {
        self.conversation = conversation
        self.turns = turns
        self.selected = selected
        self.isWhole = isWhole
    }
}
