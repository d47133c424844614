internal import RejoinCore
internal import SQLite

// What an account has decided about its words, and the list of what happened to it.

extension StoreTransaction {
    func consent(of account: AccountID) throws -> ConsentState {
        // Of rows that are grouped, SQLite takes the other columns from the one with the maximum.
        let newest = try connection.all(
            "SELECT topic, value, max(version), at FROM consent WHERE account = ? GROUP BY topic", .id(account),
            read: Self.consent)
        return ConsentState(newest)
    }

    private static func consent(_ row: borrowing Row) throws(SQLiteFailure) -> ConsentRecord {
        guard let topic = ConsentTopic(rawValue: row.text(0)) else { throw .corrupt("an unknown decision") }
        return ConsentRecord(topic: topic, value: row.integer(1), version: row.integer(2), at: row.time(3))
    }

    func consentHistory(_ topic: ConsentTopic, of account: AccountID) throws -> [ConsentRecord] {
        try connection.all(
            "SELECT topic, value, version, at FROM consent WHERE account = ? AND topic = ? ORDER BY version",
            .id(account), .text(topic.rawValue), read: Self.consent)
    }

    /// Whether new conversations of an account are kept.
    func keepsHistory(_ account: AccountID) throws -> Bool {
        let value = try connection.first(
            "SELECT value FROM consent WHERE account = ? AND topic = 'history' ORDER BY version DESC LIMIT 1",
            .id(account)
        ) { $0.integer(0) }
        return (value ?? ConsentTopic.history.standard) != 0
    }

    func setConsent(
        _ values: [ConsentTopic: Int], of account: AccountID, ifVersion version: Int?, now: Timestamp
    ) throws -> ConsentPut {
        let old = try consent(of: account)
        if let version, version != old.version { return .conflict(old) }
        let changes = ConsentTopic.allCases.filter { topic in values[topic].map { $0 != old[topic] } ?? false }
        if changes.isEmpty { return .changed(old) }
        for topic in changes {
            guard let value = values[topic] else { continue }
            try writeConsent(topic, value, version: old.version + 1, of: account, at: now)
            try audit(.consentChanged, "\(topic.rawValue) \(value)", of: account, at: now)
        }
        try feed(.consent, account, of: account, conversation: nil, at: now)
        return .changed(try consent(of: account))
    }

    func writeConsent(_ topic: ConsentTopic, _ value: Int, version: Int, of account: AccountID, at now: Timestamp)
        throws
    {
        try connection.run(
            "INSERT INTO consent (account, topic, version, value, at) VALUES (?, ?, ?, ?, ?)", .id(account),
            .text(topic.rawValue), .integer(version), .integer(value), .time(now))
    }

    // MARK: What happened

    func audit(_ event: AuditEntry.Event, _ detail: String?, of account: AccountID, at now: Timestamp) throws {
        let newest = try connection.first(
            "SELECT number FROM audit WHERE account = ? ORDER BY number DESC LIMIT 1", .id(account)
        ) { $0.integer(0) }
        let number = (newest ?? 0) + 1
        try connection.run(
            "INSERT INTO audit (account, number, at, event, detail) VALUES (?, ?, ?, ?, ?)", .id(account),
            .integer(number), .time(now), .text(event.rawValue), .optional(detail))
        try connection.run(
            "DELETE FROM audit WHERE account = ? AND number <= ?", .id(account), .integer(number - AuditEntry.kept))
    }

    func audit(of account: AccountID, before: Int?, limit: Int) throws -> [AuditEntry] {
        try connection.all(
            """
            SELECT number, at, event, detail FROM audit WHERE account = ? AND number < ?
            ORDER BY number DESC LIMIT ?
            """, .id(account), .integer(before ?? .max), .integer(max(0, limit))
        ) { row throws(SQLiteFailure) in
            guard let event = AuditEntry.Event(rawValue: row.text(2)) else { throw .corrupt("an unknown event") }
            return AuditEntry(number: row.integer(0), at: row.time(1), event: event, detail: row.optionalText(3))
        }
    }

    // MARK: What was sent

    func note(_ sending: Sending, of answer: AnswerID) throws {
        let known = try connection.first("SELECT sent FROM answer WHERE id = ?", .id(answer)) {
            row throws(SQLiteFailure) in try row.sendings(0)
        }
        guard let known else { return }
        try connection.run(
            "UPDATE answer SET sent = ? WHERE id = ?", .sendings(known + [sending]), .id(answer))
    }

    // MARK: Retention

    func deleteOutlived(maximumDays: Int?, now: Timestamp) throws -> Int {
        var count = 0
        for account in try accounts() {
            let own = try consent(of: account.id)[.retention]
            guard let days = [own > 0 ? own : nil, maximumDays].compactMap(\.self).min(), count < 200 else { continue }
            let outlived: [ConversationID] = try connection.all(
                """
                SELECT id FROM conversation WHERE account = ? AND is_temporary = 0 AND updated_at < ? AND NOT EXISTS
                    (SELECT 1 FROM answer WHERE answer.conversation = conversation.id AND state IS NULL)
                ORDER BY updated_at, id LIMIT ?
                """, .id(account.id), .time(now.advanced(byMilliseconds: -Int64(days) * 86_400_000)),
                .integer(200 - count)
            ) { row throws(SQLiteFailure) in try row.id(0) }
            for id in outlived { _ = try erase(id, of: account.id, now: now) }
            count += outlived.count
        }
        return count
    }
}

extension Row {
    /// What was sent; empty for null.
    func sendings(_ column: Int32) throws(SQLiteFailure) -> [Sending] {
        if isNull(column) { return [] }
        guard let sendings = Sending.decode(bytes(column)) else { throw .corrupt("what was sent is not readable") }
        return sendings
    }
}

extension Value {
    /// Binds what was sent, or null for nothing.
    static func sendings(_ sendings: [Sending]) -> Value { Sending.encode(sendings).map { .bytes($0) } ?? .null }
}
