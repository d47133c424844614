public import RejoinCore

/// One entry of the account's change feed: it says that something changed, not what it is now.
public struct Change: Equatable, Sendable {
    public let cursor: Int
    /// `conversation`, `turn`, `answer`, `title` …; a newer server may name more.
    public let kind: String
    public let id: String
    public let conversation: ConversationID?
    /// Whether it is gone.
    public let isDeletion: Bool

    /// Notes an entry.
    public init(cursor: Int, kind: String, id: String, conversation: ConversationID?, isDeletion: Bool) {
        self.cursor = cursor
        self.kind = kind
        self.id = id
        self.conversation = conversation
        self.isDeletion = isDeletion
    }

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
