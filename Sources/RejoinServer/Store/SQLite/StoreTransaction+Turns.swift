internal import RejoinCore
internal import SQLite

extension StoreTransaction {
    private static let turnColumns = "id, conversation, parent, content, model, options, created_at"

    private static func turn(_ row: borrowing Row) throws(SQLiteFailure) -> TurnRecord {
        TurnRecord(
            id: try row.id(0), conversation: try row.id(1), parent: try row.optionalID(2), content: try row.content(3),
            model: row.text(4), options: row.bytes(5), createdAt: row.time(6))
    }

    /// An ended answer has its own number; a running one's is what the log and the journal hold.
    private static let answerColumns = """
        id, turn, conversation, account, requested_model, options, state, reason, resets_at, retry_after,
        CASE WHEN state IS NULL THEN (SELECT max(last_seq) FROM log WHERE log.answer = answer.key) ELSE seq END,
        content, model, placement, model_reason, input_tokens, output_tokens, is_estimated, started_at, ended_at,
        key, withdrawn, sent
        """

    private static func answer(_ row: borrowing Row) throws(SQLiteFailure) -> AnswerRecord {
        var end: Event.End?
        if let name = row.optionalText(6) {
            guard let state = EndState(rawValue: name) else { throw .corrupt("an unknown end state") }
            end = Event.End(
                state, reason: row.optionalText(7), resetsAt: row.optionalTime(8), retryAfter: row.optionalInteger(9))
        }
        var model: Event.Model?
        if let name = row.optionalText(12) {
            guard let placement = Event.Placement(rawValue: row.text(13)) else {
                throw .corrupt("an unknown placement of a model")
            }
            model = Event.Model(name, placement: placement, reason: row.optionalText(14))
        }
        var usage: Event.Usage?
        if !row.isNull(15) {
            usage = Event.Usage(
                inputTokens: row.integer(15), outputTokens: row.integer(16), isEstimated: row.bool(17))
        }
        return AnswerRecord(
            id: try row.id(0), turn: try row.id(1), conversation: try row.id(2), account: try row.id(3),
            requestedModel: row.text(4), options: row.bytes(5), end: end, seq: row.integer(10),
            content: try row.content(11), model: model, usage: usage, startedAt: row.time(18),
            endedAt: row.optionalTime(19), withdrawal: row.optionalText(21), sent: try row.sendings(22))
    }

    /// Reads answers; `condition` names what follows `FROM answer`.
    private func answers(_ condition: String, _ value: Value...) throws -> [AnswerRecord] {
        let rows = try connection.all("SELECT \(Self.answerColumns) FROM answer \(condition)", value) {
            row throws(SQLiteFailure) in (record: try Self.answer(row), key: row.integer64(20))
        }
        guard rows.contains(where: { $0.record.end == nil }) else { return rows.map(\.record) }
        let numbers = try journalNumbers()
        return rows.map { row in
            var record = row.record
            if record.end == nil, let number = numbers[row.key] { record.seq = number }
            return record
        }
    }

    func turns(of conversation: ConversationID) throws -> [TurnRecord] {
        try connection.all(
            "SELECT \(Self.turnColumns) FROM turn WHERE conversation = ? ORDER BY key", .id(conversation),
            read: Self.turn)
    }

    func answers(of conversation: ConversationID) throws -> [AnswerRecord] {
        try answers("WHERE conversation = ? ORDER BY key", .id(conversation))
    }

    func unfinishedAnswers() throws -> [AnswerRecord] {
        try answers("WHERE state IS NULL ORDER BY key")
    }

    func turn(_ id: TurnID, of account: AccountID) throws -> Lookup<TurnRecord> {
        let found = try connection.first(
            "SELECT \(Self.turnColumns) FROM turn WHERE id = ? AND account = ?", .id(id), .id(account),
            read: Self.turn)
        return if let found { .found(found) } else { try missing(.turn, id, of: account) }
    }

    /// The answer, whoever's it is.
    func answer(_ id: AnswerID) throws -> AnswerRecord? {
        try answers("WHERE id = ?", .id(id)).first
    }

    func answer(_ id: AnswerID, of account: AccountID) throws -> Lookup<AnswerRecord> {
        if let found = try answer(id), found.account == account { return .found(found) }
        return try missing(.answer, id, of: account)
    }

    // MARK: Admission

    func admit(_ admission: TurnAdmission) throws -> Admission {
        let (account, new) = (admission.account, admission.turn)
        switch try turn(new.id, of: account) {
        case .found(let old):
            guard old.isSame(as: new) else { return .conflict }
            guard let first = try answers("WHERE turn = ? ORDER BY key LIMIT 1", .id(new.id)).first else {
                throw SQLiteFailure.corrupt("a turn without an answer")
            }
            return .repeated(first)
        case .deleted: return .deleted
        case .notFound:
            // Not this account's: whether it is another's, or was, is not for this account to know.
            let isTaken =
                try connection.exists("SELECT 1 FROM turn WHERE id = ?", .id(new.id))
                || ownerOfDeleted(.turn, new.id) != nil
            if isTaken { return .notFound }
        }

        let isNewConversation: Bool
        switch try conversation(new.conversation, of: account) {
        case .found: isNewConversation = false
        case .deleted: return .deleted
        case .notFound:
            isNewConversation = true
            let isTaken =
                try ownerOfConversation(new.conversation) != nil
                || ownerOfDeleted(.conversation, new.conversation) != nil
            if isTaken { return .notFound }
        }
        if let parent = new.parent {
            let belongs = try connection.exists(
                "SELECT 1 FROM answer WHERE id = ? AND conversation = ?", .id(parent), .id(new.conversation))
            guard belongs else { return .notFound }
        }
        if let refusal = try refusal(ofNewAnswer: admission.answer, account: account) { return refusal }
        // Last, so that nothing is counted for what is refused for another reason.
        if let refusal = try reserve(admission.terms, for: admission.answer, of: account, at: new.createdAt) {
            return refusal
        }

        if isNewConversation {
            let isTemporary = try admission.isTemporary || !keepsHistory(account)
            // What leaves nothing behind is not named either, least of all by a model.
            let title = isTemporary ? nil : admission.title
            let conversation = ConversationRecord(
                id: new.conversation, title: title, titleSource: title == nil ? .none : .firstWords,
                createdAt: new.createdAt, updatedAt: new.createdAt, isTemporary: isTemporary)
            try insertConversation(conversation, of: account)
        } else {
            try touchConversation(new.conversation, at: new.createdAt)
            if let title = admission.title {
                _ = try setTitle(
                    title, source: .firstWords, of: new.conversation, account: account, now: new.createdAt)
            }
        }
        try insertTurn(new, of: account)
        try feed(.turn, new.id, of: account, conversation: new.conversation, at: new.createdAt)
        return .admitted(
            try insertAnswer(
                AnswerRecord(
                    id: admission.answer, turn: new.id, conversation: new.conversation, account: account,
                    requestedModel: new.model, options: new.options, startedAt: new.createdAt)))
    }

    /// Adds a turn's row and notes its prompt for the index.
    func insertTurn(_ new: TurnRecord, of account: AccountID) throws {
        try connection.run(
            "INSERT INTO turn (\(Self.turnColumns), account) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            .id(new.id), .id(new.conversation), .id(new.parent), .content(new.content), .text(new.model),
            .bytes(new.options), .time(new.createdAt), .id(account))
        try queueForSearch(.prompt, connection.lastInsertedKey, in: new.conversation)
    }

    func admit(_ admission: AnswerAdmission) throws -> Admission {
        let account = admission.account
        let turn: TurnRecord
        switch try self.turn(admission.turn, of: account) {
        case .found(let found): turn = found
        case .deleted: return .deleted
        case .notFound: return .notFound
        }
        if let old = try answer(admission.answer), old.account == account {
            return old.isSame(as: admission) ? .repeated(old) : .conflict
        }
        if let refusal = try refusal(ofNewAnswer: admission.answer, account: account) { return refusal }
        if let refusal = try reserve(admission.terms, for: admission.answer, of: account, at: admission.at) {
            return refusal
        }
        try touchConversation(turn.conversation, at: admission.at)
        return .admitted(
            try insertAnswer(
                AnswerRecord(
                    id: admission.answer, turn: turn.id, conversation: turn.conversation, account: account,
                    requestedModel: admission.model, options: admission.options, startedAt: admission.at)))
    }

    /// Why an id cannot name a new answer, or nil if it can.
    private func refusal(ofNewAnswer id: AnswerID, account: AccountID) throws -> Admission? {
        let living: AccountID? = try connection.first("SELECT account FROM answer WHERE id = ?", .id(id)) {
            row throws(SQLiteFailure) in try row.id(0)
        }
        guard let owner = try living ?? ownerOfDeleted(.answer, id) else { return nil }
        return owner == account ? .conflict : .notFound
    }

    private func insertAnswer(_ new: AnswerRecord) throws -> AnswerRecord {
        try connection.run(
            """
            INSERT INTO answer (id, turn, conversation, account, requested_model, options, started_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, .id(new.id), .id(new.turn), .id(new.conversation), .id(new.account), .text(new.requestedModel),
            .bytes(new.options), .time(new.startedAt))
        running[new.id] = RunningAnswers.Entry(
            key: connection.lastInsertedKey, account: new.account, conversation: new.conversation, seq: 0)
        // Who asks looks at the answer: a path that was chosen before leads there now, on every device.
        try connection.run(
            "UPDATE conversation SET selected = ? WHERE id = ? AND selected IS NOT NULL", .id(new.id),
            .id(new.conversation))
        try feed(.answer, new.id, of: new.account, conversation: new.conversation, at: new.startedAt)
        return new
    }

    // MARK: The path

    func path(to turn: TurnID, of account: AccountID) throws -> [PathStep] {
        let last = try connection.first(
            "SELECT content, parent FROM turn WHERE id = ? AND account = ?", .id(turn), .id(account)
        ) { row throws(SQLiteFailure) -> (PathStep, AnswerID?) in
            (PathStep(turn: turn, prompt: try row.content(0), answer: nil, reply: []), try row.optionalID(1))
        }
        guard let (step, parent) = last else { return [] }
        var steps = [step]
        var next = parent
        // A parent was admitted before its children, so this ends.
        while let answer = next {
            let found = try connection.first(
                """
                SELECT turn.id, turn.content, turn.parent, answer.state IS NULL, answer.key, answer.content
                FROM answer JOIN turn ON turn.id = answer.turn WHERE answer.id = ?
                """, .id(answer)
            ) { row throws(SQLiteFailure) -> (step: PathStep, parent: AnswerID?, runningKey: Int64?) in
                let step = PathStep(
                    turn: try row.id(0), prompt: try row.content(1), answer: answer, reply: try row.content(5))
                return (step, try row.optionalID(2), row.bool(3) ? row.integer64(4) : nil)
            }
            guard var found else { throw SQLiteFailure.corrupt("a parent is missing") }
            if let key = found.runningKey {
                found.step.reply = try foldedContent(ofKey: key, answer: answer, turn: found.step.turn)
            }
            steps.append(found.step)
            next = found.parent
        }
        steps.reverse()
        return steps
    }
}
