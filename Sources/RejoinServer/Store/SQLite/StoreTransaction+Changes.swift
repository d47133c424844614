internal import RejoinCore
internal import SQLite

extension StoreTransaction {
    func changes(of account: AccountID, after cursor: Int, limit: Int) throws -> ChangePage {
        let bounds = try connection.first(
            "SELECT newest_change, expired_change FROM account WHERE id = ?", .id(account)
        ) { (newest: $0.integer(0), expired: $0.integer(1)) }
        let (newest, expired) = bounds ?? (0, 0)
        // A cursor from the future was given out by a file that is no longer this one: a backup was restored.
        guard cursor >= expired, cursor <= newest else { return .expired }
        let limit = max(0, limit)
        let changes = try connection.all(
            """
            SELECT cursor, kind, subject, conversation, is_deletion FROM change
            WHERE account = ? AND cursor > ? ORDER BY cursor LIMIT ?
            """, .id(account), .integer(cursor), .integer(limit)
        ) { row throws(SQLiteFailure) in
            guard let kind = Change.Kind(rawValue: row.text(1)) else { throw .corrupt("an unknown kind of change") }
            return Change(
                cursor: row.integer(0), kind: kind, subject: try row.id(2), conversation: try row.optionalID(3),
                operation: row.bool(4) ? .delete : .put)
        }
        let last = changes.last?.cursor ?? cursor
        return .changes(changes, cursor: last, more: last < newest)
    }

    func changeCursor(of account: AccountID) throws -> Int {
        try connection.first("SELECT newest_change FROM account WHERE id = ?", .id(account)) { $0.integer(0) } ?? 0
    }

    func expireChanges(before: Timestamp) throws {
        // A feed is forgotten from its beginning on, so that what is left has no holes even if a clock jumped.
        let expired: [(account: AccountID, cursor: Int)] = try connection.all(
            "SELECT account, max(cursor) FROM change WHERE at < ? GROUP BY account", .time(before)
        ) { row throws(SQLiteFailure) in (try row.id(0), row.integer(1)) }
        for (account, cursor) in expired {
            try connection.run(
                "UPDATE account SET expired_change = ? WHERE id = ?", .integer(cursor), .id(account))
            try connection.run("DELETE FROM change WHERE account = ? AND cursor <= ?", .id(account), .integer(cursor))
        }
        try connection.run("DELETE FROM tombstone WHERE deleted_at < ?", .time(before))
    }
}
