internal import RejoinCore
internal import SQLite

// What is remembered about people.

extension StoreTransaction {
    private static let columns = "id, text, source, is_accepted, conversation, turn, created_at, updated_at"

    private static func fact(_ row: borrowing Row) throws(SQLiteFailure) -> Fact {
        guard let source = Fact.Source(rawValue: row.text(2)) else { throw .corrupt("an unknown source of a fact") }
        var origin: Fact.Origin?
        if let conversation: ConversationID = try row.optionalID(4), let turn: TurnID = try row.optionalID(5) {
            origin = Fact.Origin(conversation: conversation, turn: turn)
        }
        return Fact(
            id: try row.id(0), text: row.text(1), source: source, isAccepted: row.bool(3), origin: origin,
            createdAt: row.time(6), updatedAt: row.time(7))
    }

    func facts(of account: AccountID) throws -> [Fact] {
        try connection.all(
            "SELECT \(Self.columns) FROM fact WHERE account = ? ORDER BY updated_at DESC, id DESC", .id(account),
            read: Self.fact)
    }

    func fact(_ id: FactID, of account: AccountID) throws -> Fact? {
        try connection.first(
            "SELECT \(Self.columns) FROM fact WHERE id = ? AND account = ?", .id(id), .id(account), read: Self.fact)
    }

    private func fact(key: [UInt8], of account: AccountID) throws -> Fact? {
        try connection.first(
            "SELECT \(Self.columns) FROM fact WHERE account = ? AND key = ?", .id(account), .bytes(key),
            read: Self.fact)
    }

    func remembers(_ conversation: ConversationID, of account: AccountID) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM conversation WHERE id = ?1 AND account = ?2 AND is_temporary = 0 AND uses_memory = 1
            AND 1 = (SELECT value FROM consent WHERE account = ?2 AND topic = 'memory' ORDER BY version DESC LIMIT 1)
            """, .id(conversation), .id(account))
    }

    func recall(for conversation: ConversationID, of account: AccountID) throws -> [Fact] {
        guard try remembers(conversation, of: account) else { return [] }
        let newest = try connection.all(
            """
            SELECT \(Self.columns) FROM fact WHERE account = ? AND is_accepted = 1
            ORDER BY updated_at DESC, id DESC LIMIT ?
            """, .id(account), .integer(Fact.mostGiven), read: Self.fact)
        return Fact.given(newest)
    }

    func addFact(_ fact: Fact, of account: AccountID, isAsked: Bool, now: Timestamp) throws -> FactPut {
        if isAsked, try consent(of: account)[.memory] == 0 { return .off }
        let owner: AccountID? = try connection.first("SELECT account FROM fact WHERE id = ?", .id(fact.id)) {
            row throws(SQLiteFailure) in try row.id(0)
        }
        if let owner {
            guard owner == account, let known = try self.fact(fact.id, of: account) else { return .taken }
            return isAsked && known.key != fact.key ? .taken : .known(known)
        }
        if let known = try self.fact(key: fact.key, of: account) { return .known(known) }
        guard try factCount(of: account) < Fact.mostKept else { return .full }
        // Who writes down what they once took away wants it again.
        try connection.run(
            "DELETE FROM memory_declined WHERE account = ? AND key = ?", .id(account), .bytes(fact.key))
        return .added(try insert(fact, of: account, now: now))
    }

    func proposeFacts(_ facts: [Fact], of account: AccountID, now: Timestamp) throws -> [Fact] {
        var added: [Fact] = []
        for fact in facts {
            guard let origin = fact.origin, try remembers(origin.conversation, of: account),
                try self.fact(key: fact.key, of: account) == nil, try factCount(of: account) < Fact.mostKept,
                try !connection.exists(
                    "SELECT 1 FROM memory_declined WHERE account = ? AND key = ?", .id(account), .bytes(fact.key)),
                try !connection.exists("SELECT 1 FROM fact WHERE id = ?", .id(fact.id))
            else { continue }
            added.append(try insert(fact, of: account, now: now))
        }
        return added
    }

    private func factCount(of account: AccountID) throws -> Int {
        try connection.first("SELECT count(*) FROM fact WHERE account = ?", .id(account)) { $0.integer(0) } ?? 0
    }

    private func insert(_ fact: Fact, of account: AccountID, now: Timestamp) throws -> Fact {
        var fact = fact
        // What it was read out of may be gone, or was never here.
        if let origin = fact.origin {
            let isHere = try connection.exists(
                "SELECT 1 FROM turn WHERE id = ? AND conversation = ? AND account = ?", .id(origin.turn),
                .id(origin.conversation), .id(account))
            if !isHere { fact.origin = nil }
        }
        try connection.run(
            "INSERT INTO fact (\(Self.columns), account, key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", .id(fact.id),
            .text(fact.text), .text(fact.source.rawValue), .bool(fact.isAccepted), .id(fact.origin?.conversation),
            .id(fact.origin?.turn), .time(fact.createdAt), .time(fact.updatedAt), .id(account), .bytes(fact.key))
        try feed(.memory, fact.id, of: account, conversation: nil, at: now)
        return fact
    }

    func changeFact(
        _ id: FactID, of account: AccountID, text: String?, accepts: Bool, now: Timestamp
    ) throws -> FactChange {
        guard let old = try fact(id, of: account) else { return .notFound }
        let new = old.changed(text: text, accepts: accepts, now: now)
        if new == old { return .changed(old) }
        if new.key != old.key, let known = try fact(key: new.key, of: account) { return .known(known) }
        try connection.run(
            "UPDATE fact SET text = ?, key = ?, source = ?, is_accepted = ?, updated_at = ? WHERE id = ?",
            .text(new.text), .bytes(new.key), .text(new.source.rawValue), .bool(new.isAccepted),
            .time(new.updatedAt), .id(id))
        if new.text != old.text { erasesText = true }
        try feed(.memory, id, of: account, conversation: nil, at: now)
        return .changed(new)
    }

    func deleteFact(_ id: FactID, of account: AccountID, now: Timestamp) throws -> Bool {
        guard let fact = try fact(id, of: account) else { return false }
        try connection.run(
            "INSERT OR IGNORE INTO memory_declined (account, key) VALUES (?, ?)", .id(account), .bytes(fact.key))
        try erase(fact.id, of: account, now: now)
        return true
    }

    func deleteFacts(of account: AccountID, now: Timestamp) throws -> Int {
        let facts = try facts(of: account)
        for fact in facts { try erase(fact.id, of: account, now: now) }
        // Forgetting everything forgets what was declined as well: nothing of the person's memory stays.
        try connection.run("DELETE FROM memory_declined WHERE account = ?", .id(account))
        if !facts.isEmpty { try audit(.memoryEmptied, nil, of: account, at: now) }
        return facts.count
    }

    private func erase(_ id: FactID, of account: AccountID, now: Timestamp) throws {
        try connection.run("DELETE FROM fact WHERE id = ?", .id(id))
        erasesText = true
        try feed(.memory, id, of: account, conversation: nil, .delete, at: now)
    }

    /// Takes what a conversation taught along with it: a model's words go, a person's stay and forget where they are from.
    func forget(_ conversation: ConversationID, of account: AccountID, now: Timestamp) throws {
        let learned: [FactID] = try connection.all(
            "SELECT id FROM fact WHERE conversation = ? AND source = 'model' ORDER BY id", .id(conversation)
        ) { row throws(SQLiteFailure) in try row.id(0) }
        for id in learned { try erase(id, of: account, now: now) }
        try connection.run(
            "UPDATE fact SET conversation = NULL, turn = NULL WHERE conversation = ?", .id(conversation))
    }
}
