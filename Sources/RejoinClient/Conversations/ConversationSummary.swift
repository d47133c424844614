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

/// A model that the server offers.
public struct ModelSummary: Equatable, Sendable {
    /// The name to ask for.
    public let id: String
    /// The name to show.
    public let title: String
    public let placement: Event.Placement?
    /// Whether `auto` means this one.
    public let isDefault: Bool

    init?(_ value: JSONValue) {
        guard let object = value.object, let id = object["id"]?.string else { return nil }
        self.id = id
        title = object["title"]?.string ?? object["name"]?.string ?? id
        placement = object["placement"]?.string.flatMap(Event.Placement.init(rawValue:))
        isDefault = object["default"]?.bool ?? false
    }
}

/// One entry of the account's change feed: it says that something changed, not what it is now.
public struct Change: Equatable, Sendable {
    public let cursor: Int
    /// `conversation`, `turn`, `answer`, `title` …; a newer server may name more.
    public let kind: String
    public let id: String
    public let conversation: ConversationID?
    /// Whether it is gone.
    public let isDeletion: Bool

    init?(_ value: JSONValue) {
        guard let object = value.object, let cursor = object["cursor"]?.integer, let kind = object["kind"]?.string,
            let id = object["id"]?.string, let operation = object["op"]?.string
        else { return nil }
        self.cursor = cursor
        self.kind = kind
        self.id = id
        conversation = object["conversation"]?.string.flatMap { ConversationID($0) }
        isDeletion = operation == "delete"
    }
}

/// A stretch of the change feed.
public struct Changes: Equatable, Sendable {
    public let changes: [Change]
    /// Where to go on.
    public let cursor: Int
    /// Whether more is there already.
    public let hasMore: Bool
}
