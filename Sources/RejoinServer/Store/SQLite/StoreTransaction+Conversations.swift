internal import RejoinCore
internal import SQLite

extension StoreTransaction {
    private static let columns = """
        id, account, title, title_source, created_at, updated_at, is_pinned, is_archived, is_temporary, uses_memory,
        selected
        """

    private static func conversation(_ row: borrowing Row) throws(SQLiteFailure) -> ConversationRecord {
        guard let source = ConversationRecord.TitleSource(rawValue: row.integer(3)) else {
            throw .corrupt("an unknown source of a title")
        }
        return ConversationRecord(
            id: try row.id(0), title: row.optionalText(2), titleSource: source, createdAt: row.time(4),
            updatedAt: row.time(5), isPinned: row.bool(6), isArchived: row.bool(7), isTemporary: row.bool(8),
            usesMemory: row.bool(9), selected: try row.optionalID(10))
    }

    func conversations(of account: AccountID, limit: Int, before: ConversationPosition?) throws
        -> [ConversationRecord]
    {
        let limit = Value.integer(max(0, limit))
        guard let before else {
            return try connection.all(
                """
                SELECT \(Self.columns) FROM conversation WHERE account = ? AND is_temporary = 0
                ORDER BY updated_at DESC, id DESC LIMIT ?
                """, .id(account), limit, read: Self.conversation)
        }
        return try connection.all(
            """
            SELECT \(Self.columns) FROM conversation
            WHERE account = ? AND is_temporary = 0 AND (updated_at, id) < (?, ?)
            ORDER BY updated_at DESC, id DESC LIMIT ?
            """, .id(account), .time(before.updatedAt), .id(before.id), limit, read: Self.conversation)
    }

    func conversation(_ id: ConversationID, of account: AccountID) throws -> Lookup<ConversationRecord> {
        let found = try connection.first(
            "SELECT \(Self.columns) FROM conversation WHERE id = ? AND account = ?", .id(id), .id(account),
            read: Self.conversation)
        return if let found { .found(found) } else { try missing(.conversation, id, of: account) }
    }

    /// Whose a conversation is, if it is there.
    func ownerOfConversation(_ id: ConversationID) throws -> AccountID? {
        try connection.first("SELECT account FROM conversation WHERE id = ?", .id(id)) {
            row throws(SQLiteFailure) in try row.id(0)
        }
    }

    func putConversation(_ new: ConversationRecord, of account: AccountID) throws -> ConversationPut {
        switch try conversation(new.id, of: account) {
        case .found(let existing): return .existing(existing)
        case .deleted: return .deleted
        case .notFound: break
        }
        let isTaken = try ownerOfConversation(new.id) != nil || ownerOfDeleted(.conversation, new.id) != nil
        if isTaken { return .notFound }
        var new = new
        new.selected = nil
        if try !keepsHistory(account) { new.isTemporary = true }
        try insertConversation(new, of: account)
        return .created(new)
    }

    func insertConversation(_ new: ConversationRecord, of account: AccountID) throws {
        try connection.run(
            "INSERT INTO conversation (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)",
            .id(new.id), .id(account), .optional(new.title), .integer(new.titleSource.rawValue), .time(new.createdAt),
            .time(new.updatedAt), .bool(new.isPinned), .bool(new.isArchived), .bool(new.isTemporary),
            .bool(new.usesMemory))
        if new.title != nil { try queueForSearch(.title, 0, in: new.id) }
        try feed(.conversation, new.id, of: account, conversation: new.id, at: new.createdAt)
    }

    /// Moves a conversation up the list; a clock that went back does not move it down.
    func touchConversation(_ id: ConversationID, at: Timestamp) throws {
        try connection.run(
            "UPDATE conversation SET updated_at = max(updated_at, ?) WHERE id = ?", .time(at), .id(id))
    }

    func patchConversation(
        _ id: ConversationID, of account: AccountID, _ patch: ConversationPatch, now: Timestamp
    ) throws -> Lookup<ConversationRecord> {
        let lookup = try conversation(id, of: account)
        guard case .found(let old) = lookup else { return lookup }
        var new = old
        if let title = patch.title {
            new.title = title
            new.titleSource = .person
        }
        if let isPinned = patch.isPinned { new.isPinned = isPinned }
        if let isArchived = patch.isArchived { new.isArchived = isArchived }
        if let usesMemory = patch.usesMemory { new.usesMemory = usesMemory }
        if let selected = patch.selected {
            let belongs = try connection.exists(
                "SELECT 1 FROM answer WHERE id = ? AND conversation = ?", .id(selected), .id(id))
            guard belongs else { return .notFound }
            new.selected = selected
        }
        if new == old { return lookup }
        if new.title != old.title { try renameForSearch(old) }
        try connection.run(
            """
            UPDATE conversation SET title = ?, title_source = ?, is_pinned = ?, is_archived = ?, selected = ?,
                uses_memory = ?
            WHERE id = ?
            """, .optional(new.title), .integer(new.titleSource.rawValue), .bool(new.isPinned),
            .bool(new.isArchived), .id(new.selected), .bool(new.usesMemory), .id(id))
        try feed(.conversation, id, of: account, conversation: id, at: now)
        return .found(new)
    }

    func setTitle(
        _ title: String, source: ConversationRecord.TitleSource, of id: ConversationID, account: AccountID,
        now: Timestamp
    ) throws -> Bool {
        guard case .found(let old) = try conversation(id, of: account), old.titleSource.yields(to: source) else {
            return false
        }
        if title != old.title { try renameForSearch(old) }
        try connection.run(
            "UPDATE conversation SET title = ?, title_source = ? WHERE id = ?", .text(title),
            .integer(source.rawValue), .id(id))
        try feed(.title, id, of: account, conversation: id, at: now)
        return true
    }

    func deleteConversation(_ id: ConversationID, of account: AccountID, now: Timestamp) throws
        -> Lookup<[AnswerID]>
    {
        switch try conversation(id, of: account) {
        case .found(let conversation):
            if !conversation.isTemporary { try audit(.conversationDeleted, nil, of: account, at: now) }
            return .found(try erase(id, of: account, now: now))
        case .deleted: return .deleted
        case .notFound: return .notFound
        }
    }

    func deleteConversations(of account: AccountID, now: Timestamp) throws -> [AnswerID] {
        let ids: [ConversationID] = try connection.all(
            "SELECT id FROM conversation WHERE account = ? ORDER BY id", .id(account)
        ) { row throws(SQLiteFailure) in try row.id(0) }
        if !ids.isEmpty { try audit(.allDeleted, nil, of: account, at: now) }
        return try ids.flatMap { try erase($0, of: account, now: now) }
    }

    func conversationIDs(of account: AccountID) throws -> [ConversationID] {
        try connection.all(
            "SELECT id FROM conversation WHERE account = ? AND is_temporary = 0 ORDER BY id", .id(account)
        ) { row throws(SQLiteFailure) in try row.id(0) }
    }

    func deleteTemporaryConversations(idleSince: Timestamp, now: Timestamp) throws -> Int {
        let idle: [(ConversationID, AccountID)] = try connection.all(
            """
            SELECT id, account FROM conversation
            WHERE is_temporary = 1 AND updated_at < ? AND NOT EXISTS
                (SELECT 1 FROM answer WHERE answer.conversation = conversation.id AND state IS NULL)
            ORDER BY updated_at LIMIT 200
            """, .time(idleSince)
        ) { row throws(SQLiteFailure) in (try row.id(0), try row.id(1)) }
        for (id, account) in idle { _ = try erase(id, of: account, now: now) }
        return idle.count
    }

    func erase(_ id: ConversationID, of account: AccountID, now: Timestamp) throws -> [AnswerID] {
        let unfinished: [AnswerID] = try connection.all(
            "SELECT id FROM answer WHERE conversation = ? AND state IS NULL ORDER BY key", .id(id)
        ) { row throws(SQLiteFailure) in try row.id(0) }
        for answer in unfinished {
            running[answer] = nil
            try settle(answer, as: nil, at: now)
        }
        // Its text may be in the journal still, between that of others.
        try settleJournal()
        try removePassages(of: id)
        try forget(id, of: account, now: now)
        try connection.run(
            "DELETE FROM log WHERE answer IN (SELECT key FROM answer WHERE conversation = ?)", .id(id))
        try connection.run(
            """
            INSERT INTO tombstone (kind, id, account, deleted_at)
            SELECT 'answer', id, account, ?1 FROM answer WHERE conversation = ?2
            UNION ALL SELECT 'turn', id, account, ?1 FROM turn WHERE conversation = ?2
            UNION ALL SELECT 'conversation', id, account, ?1 FROM conversation WHERE id = ?2
            """, .time(now), .id(id))
        try connection.run("DELETE FROM answer WHERE conversation = ?", .id(id))
        try connection.run("DELETE FROM turn WHERE conversation = ?", .id(id))
        try connection.run("DELETE FROM conversation WHERE id = ?", .id(id))
        try feed(.conversation, id, of: account, conversation: id, .delete, at: now)
        erasesText = true
        return unfinished
    }

    func contents(of id: ConversationID, account: AccountID) throws -> Lookup<ConversationContents> {
        switch try conversation(id, of: account) {
        case .found(let conversation):
            return .found(
                ConversationContents(
                    conversation: conversation, turns: try turns(of: id), answers: try answers(of: id)))
        case .deleted: return .deleted
        case .notFound: return .notFound
        }
    }
}
