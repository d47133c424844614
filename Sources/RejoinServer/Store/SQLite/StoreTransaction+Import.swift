internal import RejoinCore
internal import SQLite

extension StoreTransaction {
    func importConversation(
        _ contents: ConversationContents, of account: AccountID, now: Timestamp
    ) throws -> ImportOutcome {
        let new = contents.conversation
        var isNew = false
        switch try conversation(new.id, of: account) {
        case .found: break
        case .deleted: return .deleted
        case .notFound:
            let isTaken =
                try ownerOfConversation(new.id) != nil || ownerOfDeleted(.conversation, new.id) != nil
            if isTaken { return .taken }
            isNew = true
        }
        let (turns, answers) = try missingParts(of: contents)
        guard let turns, let answers else { return .taken }
        if turns.isEmpty, answers.isEmpty, !isNew { return .imported(isNew: false, turns: 0, answers: 0) }
        if isNew { try insertConversation(new, of: account) }
        for turn in turns { try insertTurn(turn, of: account) }
        for answer in answers { try insertImported(answer, of: account) }
        try connection.run(
            "UPDATE conversation SET selected = coalesce(selected, ?), updated_at = max(updated_at, ?) WHERE id = ?",
            .id(new.selected), .time(new.updatedAt), .id(new.id))
        if !isNew {
            // Who holds the conversation already is told what is new in it; who does not fetches it whole.
            for turn in turns { try feed(.turn, turn.id, of: account, conversation: new.id, at: now) }
            for answer in answers { try feed(.answer, answer.id, of: account, conversation: new.id, at: now) }
        }
        try feed(.conversation, new.id, of: account, conversation: new.id, at: now)
        return .imported(isNew: isNew, turns: turns.count, answers: answers.count)
    }

    /// The turns and answers that are not here yet; nil where an id stands for something of another conversation.
    private func missingParts(
        of contents: ConversationContents
    ) throws -> (turns: [TurnRecord]?, answers: [AnswerRecord]?) {
        var turns: [TurnRecord] = []
        for turn in contents.turns {
            switch try place(of: turn.id, .turn, within: "conversation", turn.conversation) {
            case .here: continue
            case .elsewhere: return (nil, nil)
            case .nowhere: turns.append(turn)
            }
        }
        var answers: [AnswerRecord] = []
        for answer in contents.answers {
            switch try place(of: answer.id, .answer, within: "turn", answer.turn) {
            case .here: continue
            case .elsewhere: return (nil, nil)
            case .nowhere: answers.append(answer)
            }
        }
        // A turn always has an answer.
        let answered = Set(answers.map(\.turn))
        return turns.allSatisfy { answered.contains($0.id) } ? (turns, answers) : (nil, nil)
    }

    /// Where an id is that is to be imported.
    private enum Place { case nowhere, here, elsewhere }

    private func place<Kind, Whole>(
        of id: ID<Kind>, _ kind: Tombstone, within column: String, _ whole: ID<Whole>
    ) throws -> Place {
        let found: ID<Whole>? = try connection.first(
            "SELECT \(column) FROM \(kind.rawValue) WHERE id = ?", .id(id)
        ) { row throws(SQLiteFailure) in try row.id(0) }
        if let found { return found == whole ? .here : .elsewhere }
        return try ownerOfDeleted(kind, id) == nil ? .nowhere : .elsewhere
    }

    private func insertImported(_ answer: AnswerRecord, of account: AccountID) throws {
        guard let end = answer.end else {
            throw StoreFailure(.other, detail: "an imported answer has no end")
        }
        try connection.run(
            """
            INSERT INTO answer (id, turn, conversation, account, requested_model, options, started_at, ended_at, state,
                reason, resets_at, retry_after, seq, content, model, placement, model_reason, input_tokens,
                output_tokens, is_estimated, has_log)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
            """, .id(answer.id), .id(answer.turn), .id(answer.conversation), .id(account),
            .text(answer.requestedModel), .bytes(answer.options), .time(answer.startedAt),
            .time(answer.endedAt ?? answer.startedAt), .text(end.state.rawValue), .optional(end.reason),
            end.resetsAt.map { .time($0) } ?? .null, .optional(end.retryAfter), .integer(max(1, answer.seq)),
            .content(answer.content), .optional(answer.model?.model), .optional(answer.model?.placement.rawValue),
            .optional(answer.model?.reason), .optional(answer.usage?.inputTokens),
            .optional(answer.usage?.outputTokens), answer.usage.map { .bool($0.isEstimated) } ?? .null)
        try queueForSearch(.answer, connection.lastInsertedKey, in: answer.conversation)
    }
}
