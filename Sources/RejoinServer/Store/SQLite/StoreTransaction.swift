internal import RejoinCore
internal import SQLite

/// One transaction of the SQLite store: what its verbs read and write with.
///
/// Lives no longer than the transaction and never leaves its connection's queue.
final class StoreTransaction {
    let connection: Connection
    /// What is known about answers whose log grows, so that appending reads nothing.
    let running: RunningAnswers
    /// The newest cursor of each feed that this transaction added to.
    private(set) var fed: [AccountID: Int] = [:]
    /// True once text was deleted, which must not stay behind in the write-ahead log either.
    var erasesText = false

    init(connection: Connection, running: RunningAnswers) {
        self.connection = connection
        self.running = running
    }

    /// Adds an entry to an account's feed.
    func feed<Kind>(
        _ kind: Change.Kind, _ subject: ID<Kind>, of account: AccountID, conversation: ConversationID?,
        _ operation: Change.Operation = .put, at: Timestamp
    ) throws {
        let cursor = try connection.first(
            "UPDATE account SET newest_change = newest_change + 1 WHERE id = ? RETURNING newest_change", .id(account)
        ) { $0.integer(0) }
        guard let cursor else { throw StoreFailure(.other, detail: "there is no account \(account)") }
        try connection.run(
            """
            INSERT INTO change (account, cursor, kind, subject, conversation, is_deletion, at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, .id(account), .integer(cursor), .text(kind.rawValue), .id(subject), .id(conversation),
            .bool(operation == .delete), .time(at))
        fed[account] = cursor
    }

    /// What kinds of things leave a tombstone.
    enum Tombstone: String { case conversation, turn, answer }

    /// Whose a deleted thing was; nil if nothing of that id was deleted.
    func ownerOfDeleted<Kind>(_ kind: Tombstone, _ id: ID<Kind>) throws -> AccountID? {
        try connection.first(
            "SELECT account FROM tombstone WHERE kind = ? AND id = ?", .text(kind.rawValue), .id(id)
        ) { row throws(SQLiteFailure) in try row.id(0) }
    }

    /// What to answer when an account asks for something that is not in its table.
    func missing<Kind, Found>(_ kind: Tombstone, _ id: ID<Kind>, of account: AccountID) throws -> Lookup<Found> {
        try ownerOfDeleted(kind, id) == account ? .deleted : .notFound
    }
}
