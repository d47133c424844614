internal import RejoinCore
internal import SQLite

/// One transaction of the local store: what its verbs read and write with.
///
/// Lives no longer than the transaction and never leaves its connection's queue.
final class LocalTransaction {
    let connection: Connection
    /// What to report once it is committed.
    var change = StoreChange()
    /// True once text was deleted, which must not stay behind in the write-ahead log either.
    var erasesText = false
    /// Whether the end of the transaction must note that the index holds deleted words.
    var owesNote = false

    init(_ connection: Connection) { self.connection = connection }

    /// The integer key of a conversation, if it is here.
    func key(of conversation: ConversationID) throws -> Int64? {
        try connection.first("SELECT key FROM conversation WHERE id = ?", .id(conversation)) { $0.integer64(0) }
    }

    /// Whether a conversation was deleted.
    func isDeleted(_ conversation: ConversationID) throws -> Bool {
        try connection.exists("SELECT 1 FROM tombstone WHERE conversation = ?", .id(conversation))
    }

    /// Reports that a conversation must be read again, and its line of the list too.
    func touch(_ conversation: ConversationID) {
        change.conversations.insert(conversation)
        change.list = true
    }

    /// A fact of the account that is kept under a name.
    func fact(_ name: String) throws -> [UInt8]? {
        try connection.first("SELECT value FROM fact WHERE name = ?", .text(name)) { $0.bytes(0) }
    }

    /// Keeps a fact, or forgets it for nil.
    func setFact(_ name: String, _ value: [UInt8]?) throws {
        if let value {
            try connection.run(
                "INSERT INTO fact (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
                .text(name), .bytes(value))
        } else {
            try connection.run("DELETE FROM fact WHERE name = ?", .text(name))
        }
    }
}
