internal import RejoinCore
internal import SQLite

extension LocalTransaction {
    private static let columns = """
        id, title, title_rank, updated_at, is_pinned, is_archived, is_temporary, selected, is_complete,
        (SELECT count(*) FROM turn WHERE turn.conversation = conversation.key AND turn.delivery < 2)
        """

    private static func conversation(_ row: borrowing Row) throws(SQLiteFailure) -> StoredConversation {
        guard let title = Title(row.text(1), rank: row.integer(2)) else { throw .corrupt("an unknown kind of title") }
        return StoredConversation(
            id: try row.id(0), title: title, updatedAt: row.time(3), isPinned: row.bool(4), isArchived: row.bool(5),
            isTemporary: row.bool(6), selected: try row.optionalID(7), isComplete: row.bool(8), unsent: row.integer(9))
    }

    /// A page of the list.
    func list(limit: Int, before: ListPosition?, includesArchived: Bool) throws -> [StoredConversation] {
        let shown = includesArchived ? "is_temporary = 0" : "is_temporary = 0 AND is_archived = 0"
        let order = "ORDER BY is_pinned DESC, updated_at DESC, id DESC LIMIT ?"
        let limit = Value.integer(max(0, limit))
        guard let before else {
            return try connection.all(
                "SELECT \(Self.columns) FROM conversation WHERE \(shown) \(order)", limit, read: Self.conversation)
        }
        return try connection.all(
            """
            SELECT \(Self.columns) FROM conversation
            WHERE \(shown) AND (is_pinned, updated_at, id) < (?, ?, ?) \(order)
            """, .bool(before.isPinned), .time(before.updatedAt), .id(before.id), limit, read: Self.conversation)
    }

    /// A line of the list.
    func conversation(_ id: ConversationID) throws -> StoredConversation? {
        try connection.first(
            "SELECT \(Self.columns) FROM conversation WHERE id = ?", .id(id), read: Self.conversation)
    }

    /// All that is held of a conversation.
    func tree(of id: ConversationID) throws -> StoredTree? {
        guard let conversation = try conversation(id), let key = try key(of: id) else { return nil }
        let turns = try turns("t.conversation = ?", .integer(key))
        let answers = try answers("a.conversation = ?", .integer(key))
        var order: [TurnID: [AnswerID]] = [:]
        for stored in answers { order[stored.answer.turn, default: []].append(stored.answer.id) }
        return StoredTree(
            conversation: conversation, turns: turns,
            answers: Dictionary(answers.map { ($0.answer.id, $0) }, uniquingKeysWith: { $1 }), order: order)
    }

    /// The path that is shown, without what is beside it.
    ///
    /// - Parameter limit: how many steps at most, counted from its end.
    func path(of id: ConversationID, limit: Int) throws -> [PathStep] {
        guard let conversation = try conversation(id), let key = try key(of: id) else { return [] }
        var next = try conversation.selected ?? newestLeaf(of: key)
        // Below what was chosen, the path goes on with the newest.
        while let current = next, let below = try newestLeaf(of: key, below: current) { next = below }
        var steps: [PathStep] = []
        while let current = next, steps.count < limit, let answer = try answer(current),
            let turn = try turns("t.id = ?", .id(answer.answer.turn)).first
        {
            steps.append(PathStep(turn: turn, answer: answer))
            next = turn.parent
        }
        return steps.reversed()
    }

    /// A turn with its text.
    func turn(_ id: TurnID) throws -> StoredTurn? { try turns("t.id = ?", .id(id)).first }

    private func turns(_ condition: String, _ value: Value) throws -> [StoredTurn] {
        try connection.all(
            """
            SELECT t.id, c.id, t.parent, p.body, t.parts, t.model, t.created_at, t.delivery, t.waiting_since,
                t.expires_at, t.refusal
            FROM turn t JOIN conversation c ON c.key = t.conversation JOIN passage p ON p.key = t.passage
            WHERE \(condition) ORDER BY t.position IS NULL, t.position, t.key
            """, value
        ) { row throws(SQLiteFailure) in
            let delivery: Delivery
            switch Delivery.Code(rawValue: row.integer(7)) {
            case .waiting: delivery = .waiting(since: row.time(8), expires: row.optionalTime(9))
            case .sending: delivery = .sending
            case .delivered: delivery = .delivered
            case .expired: delivery = .expired
            case .onDevice: delivery = .onDevice(staysHere: false)
            case .staysHere: delivery = .onDevice(staysHere: true)
            case .refused:
                guard let refusal = ClientRefusal(json: row.bytes(10)) else { throw .corrupt("an unreadable refusal") }
                delivery = .refused(refusal)
            case nil: throw .corrupt("an unknown delivery")
            }
            return StoredTurn(
                id: try row.id(0), conversation: try row.id(1), parent: try row.optionalID(2),
                content: try row.content(body: 3, parts: 4), model: row.text(5), createdAt: row.time(6),
                delivery: delivery)
        }
    }

    /// The last answer of the last turn: what is shown until a person chooses.
    ///
    /// - Parameter parent: the answer that the turn follows; nil for any.
    func newestLeaf(of conversation: Int64, below parent: AnswerID? = nil) throws -> AnswerID? {
        try connection.first(
            """
            SELECT a.id FROM turn t JOIN answer a ON a.turn = t.key
            WHERE t.conversation = ?1 AND (?2 IS NULL OR t.parent = ?2)
            ORDER BY t.position IS NULL DESC, t.position DESC, t.key DESC,
                a.position IS NULL DESC, a.position DESC, a.key DESC LIMIT 1
            """, .integer(conversation), .id(parent)
        ) { row throws(SQLiteFailure) in try row.id(0) }
    }

    /// Adds a line.
    func insertConversation(_ new: StoredConversation) throws -> Int64 {
        try connection.run(
            """
            INSERT INTO conversation (id, title, title_rank, updated_at, is_pinned, is_archived, is_temporary,
                is_complete, selected)
            VALUES (?, '', 0, ?, ?, ?, ?, ?, ?)
            """, .id(new.id), .time(new.updatedAt), .bool(new.isPinned), .bool(new.isArchived),
            .bool(new.isTemporary), .bool(new.isComplete), .id(new.selected))
        return connection.lastInsertedKey
    }

    /// Gives a conversation a title, unless the one it has is stronger.
    ///
    /// - Returns: whether it has another title now.
    @discardableResult
    func retitle(_ key: Int64, _ title: Title, at time: Timestamp) throws -> Bool {
        let found = try connection.first(
            "SELECT title, title_rank, title_passage FROM conversation WHERE key = ?", .integer(key)
        ) { (title: Title($0.text(0), rank: $0.integer(1)) ?? .none, passage: $0.optionalKey(2)) }
        guard let found, found.title != title, found.title.rank <= title.rank else { return false }
        // The first words are those of the first prompt, whatever is asked later.
        if case .firstWords = found.title, case .firstWords = title { return false }
        if let passage = found.passage { try removePassage(passage, erases: false) }
        let passage = title.text.isEmpty ? nil : try addPassage(title.text, conversation: key, at: time)
        try connection.run(
            "UPDATE conversation SET title = ?, title_rank = ?, title_passage = ? WHERE key = ?", .text(title.text),
            .integer(title.rank), .optional(passage), .integer(key))
        return true
    }

    /// Makes an answer the end of the path that is shown.
    func select(_ answer: AnswerID, in conversation: Int64) throws {
        try connection.run(
            "UPDATE conversation SET selected = ? WHERE key = ?", .id(answer), .integer(conversation))
    }

    /// Whether a conversation must leave nothing behind.
    func isTemporary(_ conversation: Int64) throws -> Bool {
        try connection.exists(
            "SELECT 1 FROM conversation WHERE key = ? AND is_temporary = 1", .integer(conversation))
    }

    /// Removes a conversation and everything in it from this device.
    func removeContent(of id: ConversationID) throws {
        guard let key = try key(of: id) else { return }
        try removePassages(of: key)
        for table in ["answer_base", "piece"] {
            try connection.run(
                "DELETE FROM \(table) WHERE answer IN (SELECT key FROM answer WHERE conversation = ?)", .integer(key))
        }
        try connection.run("DELETE FROM answer WHERE conversation = ?", .integer(key))
        try connection.run("DELETE FROM turn WHERE conversation = ?", .integer(key))
        try connection.run("DELETE FROM outbox WHERE conversation = ?", .id(id))
        try removeDraft(of: id)
        try connection.run("DELETE FROM conversation WHERE key = ?", .integer(key))
        erasesText = true
        touch(id)
    }
}
