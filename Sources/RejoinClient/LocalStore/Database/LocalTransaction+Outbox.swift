internal import RejoinCore
internal import SQLite

extension LocalTransaction {
    /// The numbers of the kinds in the table.
    private enum Code: Int {
        case turn = 0, regenerate, stop, select, rename, pin, archive, delete, deleteAll, askForPath
    }

    static let stopCode = Value.integer(Code.stop.rawValue)
    static let askForPathCode = Value.integer(Code.askForPath.rawValue)

    /// Notes what the server is to be told.
    ///
    /// What a later entry makes pointless is taken out: an earlier one of the same kind about the same thing, and
    /// everything before a deletion.
    func enqueue(_ kind: OutboxKind, conversation: ConversationID?, at time: Timestamp) throws {
        let place = Value.id(conversation)
        var values: (code: Code, turn: Value, answer: Value, text: Value, flag: Value)
        values = (.delete, .null, .null, .null, .null)
        switch kind {
        case .turn(let turn, let answer): values = (.turn, .id(turn), .id(answer), .null, .null)
        case .regenerate(let turn, let answer): values = (.regenerate, .id(turn), .id(answer), .null, .null)
        case .stop(let answer):
            let isTold = try connection.exists(
                "SELECT 1 FROM outbox WHERE kind = ? AND answer = ?", .integer(Code.stop.rawValue), .id(answer))
            if isTold { return }
            values = (.stop, .null, .id(answer), .null, .null)
        case .select(let answer): values = (.select, .null, .id(answer), .null, .null)
        case .rename(let title): values = (.rename, .null, .null, .text(title), .null)
        case .pin(let isPinned): values = (.pin, .null, .null, .null, .bool(isPinned))
        case .archive(let isArchived): values = (.archive, .null, .null, .null, .bool(isArchived))
        case .delete: try connection.run("DELETE FROM outbox WHERE conversation = ?", place)
        case .deleteAll:
            values.code = .deleteAll
            try connection.run("DELETE FROM outbox")
        case .askForPath: values.code = .askForPath
        }
        switch values.code {
        case .select, .rename, .pin, .archive, .askForPath:
            try connection.run(
                "DELETE FROM outbox WHERE kind = ? AND conversation = ?", .integer(values.code.rawValue), place)
        case .turn, .regenerate, .stop, .delete, .deleteAll: break
        }
        try connection.run(
            """
            INSERT INTO outbox (kind, conversation, turn, answer, text, flag, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, .integer(values.code.rawValue), place, values.turn, values.answer, values.text, values.flag,
            .time(time))
        change.outbox = true
    }

    /// The first entries, in the order in which they are to be told.
    func outbox(limit: Int) throws -> [OutboxEntry] {
        try connection.all(
            """
            SELECT number, kind, conversation, turn, answer, text, flag, created_at, attempts
            FROM outbox ORDER BY number LIMIT ?
            """, .integer(limit)
        ) { row throws(SQLiteFailure) in
            let kind: OutboxKind
            switch Code(rawValue: row.integer(1)) {
            case .turn: kind = .turn(try row.id(3), answer: try row.id(4))
            case .regenerate: kind = .regenerate(try row.id(3), try row.id(4))
            case .stop: kind = .stop(try row.id(4))
            case .select: kind = .select(try row.id(4))
            case .rename: kind = .rename(row.text(5))
            case .pin: kind = .pin(row.bool(6))
            case .archive: kind = .archive(row.bool(6))
            case .delete: kind = .delete
            case .deleteAll: kind = .deleteAll
            case .askForPath: kind = .askForPath
            case nil: throw .corrupt("an unknown kind of entry in the outbox")
            }
            return OutboxEntry(
                number: row.integer(0), kind: kind, conversation: try row.optionalID(2), createdAt: row.time(7),
                attempts: row.integer(8))
        }
    }

    /// Takes out an entry that was told.
    func finish(_ number: Int) throws {
        let conversation = try connection.first(
            "DELETE FROM outbox WHERE number = ? RETURNING conversation", .integer(number)
        ) { row throws(SQLiteFailure) -> ConversationID? in try row.optionalID(0) }
        if let found = conversation, let conversation = found { touch(conversation) }
    }

    /// Counts a vain attempt.
    func fail(_ number: Int) throws {
        try connection.run("UPDATE outbox SET attempts = attempts + 1 WHERE number = ?", .integer(number))
    }

    /// Takes out what tells of a turn.
    func removeEntries(ofTurn turn: TurnID) throws {
        try connection.run("DELETE FROM outbox WHERE turn = ?", .id(turn))
    }

    /// Takes out what asks for an answer, but not what stops it.
    func removeEntries(ofAnswer answer: AnswerID) throws {
        try connection.run(
            "DELETE FROM outbox WHERE answer = ? AND kind = ?", .id(answer), .integer(Code.regenerate.rawValue))
    }

    /// Which of a conversation's own facts wait to be told, so that the server's older word must not undo them.
    struct PendingFacts {
        var selects = false
        var renames = false
        var pins = false
        var archives = false
    }

    /// What the server has yet to be told about a conversation.
    func pendingFacts(of conversation: ConversationID) throws -> PendingFacts {
        var facts = PendingFacts()
        try connection.walk("SELECT kind FROM outbox WHERE conversation = ?", .id(conversation)) { row in
            switch Code(rawValue: row.integer(0)) {
            case .turn, .regenerate, .select: facts.selects = true
            case .rename: facts.renames = true
            case .pin: facts.pins = true
            case .archive: facts.archives = true
            case .stop, .delete, .deleteAll, .askForPath, nil: break
            }
            return true
        }
        return facts
    }

    /// What a person is writing somewhere.
    func draft(of conversation: ConversationID?) throws -> Draft? {
        try connection.first(
            "SELECT text, editing, updated_at FROM draft WHERE conversation = ?", Self.place(conversation)
        ) { row throws(SQLiteFailure) in
            Draft(
                conversation: conversation, text: row.text(0), editing: try row.optionalID(1), updatedAt: row.time(2))
        }
    }

    /// Keeps what a person is writing; nothing is kept of nothing.
    func saveDraft(_ draft: Draft) throws {
        if draft.text.isEmpty, draft.editing == nil { return try removeDraft(of: draft.conversation) }
        if let conversation = draft.conversation, try isDeleted(conversation) { return }
        try connection.run(
            """
            INSERT INTO draft (conversation, text, editing, updated_at) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT DO UPDATE SET text = ?2, editing = ?3, updated_at = ?4
            """, Self.place(draft.conversation), .text(draft.text), .id(draft.editing), .time(draft.updatedAt))
    }

    /// Forgets what a person was writing.
    func removeDraft(of conversation: ConversationID?) throws {
        try connection.run("DELETE FROM draft WHERE conversation = ?", Self.place(conversation))
    }

    /// A draft's place: no bytes for a conversation that is yet to begin.
    private static func place(_ conversation: ConversationID?) -> Value { .bytes(conversation?.bytes ?? []) }
}
