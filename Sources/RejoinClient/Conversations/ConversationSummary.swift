public import RejoinCore

/// One line of the list of conversations.
public struct ConversationSummary: Equatable, Sendable {
    public let id: ConversationID
    /// Empty until the server has made one.
    public let title: String
    public let updatedAt: Timestamp?
    public let isPinned: Bool
    public let isArchived: Bool
    /// The answer at the end of the path that a person chose; nil where nobody chose.
    public let selected: AnswerID?

    /// Puts a line together.
    public init(
        id: ConversationID, title: String, updatedAt: Timestamp?, isPinned: Bool = false, isArchived: Bool = false,
        selected: AnswerID? = nil
    ) {
        self.id = id
        self.title = title
        self.updatedAt = updatedAt
        self.isPinned = isPinned
        self.isArchived = isArchived
        self.selected = selected
    }

    init?(_ value: JSONValue) {
        guard let object = value.object, let id = object["id"]?.string.flatMap({ ConversationID($0) }) else {
            return nil
        }
        self.init(
            id: id, title: object["title"]?.string ?? "",
            updatedAt: object["updated_at"]?.string.flatMap { Timestamp($0) },
            isPinned: object["pinned"]?.bool ?? false, isArchived: object["archived"]?.bool ?? false,
            selected: object["selected"]?.string.flatMap { AnswerID($0) })
    }
}

/// Part of a list, and where the rest of it begins.
public struct Page<Item: Sendable>: Sendable {
    public let items: [Item]
    /// What to ask for next; nil at the end.
    public let next: String?
    /// Where the account's change feed stood before the page was read; nil where the server does not say.
    public let cursor: Int?

    /// Puts a page together.
    public init(items: [Item], next: String?, cursor: Int? = nil) {
        self.items = items
        self.next = next
        self.cursor = cursor
    }
}
