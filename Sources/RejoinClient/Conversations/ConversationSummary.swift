public import RejoinCore

/// One line of the list of conversations.
public struct ConversationSummary: Equatable, Sendable {
    public let id: ConversationID
    /// Empty until the server has made one.
    public let title: String
    public let updatedAt: Timestamp?

    /// Puts a line together.
    public init(id: ConversationID, title: String, updatedAt: Timestamp?) {
        self.id = id
        self.title = title
        self.updatedAt = updatedAt
    }

    init?(_ value: JSONValue) {
        guard let object = value.object, let id = object["id"]?.string.flatMap({ ConversationID($0) }) else {
            return nil
        }
        self.init(
            id: id, title: object["title"]?.string ?? "",
            updatedAt: object["updated_at"]?.string.flatMap { Timestamp($0) })
    }
}

/// Part of a list, and where the rest of it begins.
public struct Page<Item: Sendable>: Sendable {
    public let items: [Item]
    /// What to ask for next; nil at the end.
    public let next: String?

    /// Puts a page together.
    public init(items: [Item], next: String?) {
        self.items = items
        self.next = next
    }
}
