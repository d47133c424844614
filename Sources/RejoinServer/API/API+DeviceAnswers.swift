import RejoinCore

extension API {
    /// Takes in a turn that a device answered by itself: both are kept as they are.
    ///
    /// No model runs, so nothing is counted; the size is bounded like that of any prompt. The ids are the device's, so
    /// that the same request again changes nothing. It has a path of its own: a server that knows nothing of it says so,
    /// and does not take it for a prompt.
    func putFinishedTurn(
        _ conversation: ConversationID, _ id: TurnID, _ call: Call, _ caller: SessionRecord
    ) async throws {
        let account = caller.account
        let now = surroundings.wall()
        let object = try await call.object(limit: limits.bodyBytes)
        guard let value = object.value("finished") else {
            throw Problem(.invalidRequest, "finished is missing.", field: "finished")
        }
        let finished = try FinishedAnswer(value, maximumBytes: limits.promptBytes, now: now)
        let turn = TurnRecord(
            id: id, conversation: conversation, parent: try object.id("parent"),
            content: try object.prompt(maximumBytes: limits.promptBytes),
            model: try object.string("model") ?? "auto", options: try RunOptions(object.value("options")).encoded,
            createdAt: finished.startedAt)
        let answer = AnswerRecord(
            id: try object.requiredID("answer"), turn: id, conversation: conversation, account: account,
            requestedModel: turn.model, options: turn.options, end: finished.end, seq: finished.seq,
            content: finished.content, model: finished.model, usage: finished.usage, startedAt: finished.startedAt,
            endedAt: finished.endedAt)
        if let known = try await known(turn, answer) { return try await reply(known, isNew: false, call) }
        if let parent = turn.parent {
            let record = try Self.found(try await store.answer(parent, of: account), "parent in this conversation")
            guard record.conversation == turn.conversation else {
                throw Problem(.notFound, "There is no such parent in this conversation.")
            }
        }
        var line = try await line(for: turn, of: account)
        line.updatedAt = now
        let outcome = try await store.importConversation(
            ConversationContents(conversation: line, turns: [turn], answers: [answer]), of: account, now: now)
        switch outcome {
        case .deleted: throw Problem(.deleted, "The conversation was deleted.")
        case .taken:
            // Another account's ids are nothing that this one may know of.
            guard case .found = try await store.answer(answer.id, of: account) else {
                throw Problem(.notFound, "There is no such turn.")
            }
            throw Problem(.turnConflict, "The id is taken by something else: ids are used once.")
        case .imported(_, turns: 0, answers: _):
            // Somebody sent the same in this moment.
            guard let known = try await known(turn, answer) else {
                throw Problem(.turnConflict, "The id is taken by something else: ids are used once.")
            }
            try await reply(known, isNew: false, call)
        case .imported:
            if line.selected != nil {
                // Who asked looks at the answer, as after any other prompt.
                _ = try await store.patchConversation(
                    turn.conversation, of: account, ConversationPatch(selected: answer.id), now: now)
            }
            try await reply(answer, isNew: true, call)
        }
    }

    /// The answer that is here for the same request; nil where the turn is new.
    private func known(_ turn: TurnRecord, _ answer: AnswerRecord) async throws -> AnswerRecord? {
        switch try await store.turn(turn.id, of: answer.account) {
        case .notFound: return nil
        case .deleted: throw Problem(.deleted, "The conversation was deleted.")
        case .found(let old):
            guard old.isSame(as: turn), case .found(let held) = try await store.answer(answer.id, of: answer.account),
                held.turn == turn.id, held.end == answer.end, held.content == answer.content
            else { throw Problem(.turnConflict, "The id is taken by something else: ids are used once.") }
            return held
        }
    }

    /// The conversation that the turn goes into, or the one that begins with it.
    private func line(for turn: TurnRecord, of account: AccountID) async throws -> ConversationRecord {
        switch try await store.conversation(turn.conversation, of: account) {
        case .found(let record): return record
        case .deleted: throw Problem(.deleted, "The conversation was deleted.")
        case .notFound: break
        }
        let isTemporary = try await store.consent(of: account)[.history] == 0
        let words = isTemporary ? "" : Title.firstWords(of: ContentPart.text(of: turn.content))
        return ConversationRecord(
            id: turn.conversation, title: words.isEmpty ? nil : words, titleSource: words.isEmpty ? .none : .firstWords,
            createdAt: turn.createdAt, updatedAt: turn.createdAt, isTemporary: isTemporary)
    }

    private func reply(_ answer: AnswerRecord, isNew: Bool, _ call: Call) async throws {
        try await reply(answer, isNew: isNew, after: 0, call)
    }
}
