import RejoinCore

extension API {
    func putTurn(_ conversation: ConversationID, _ turn: TurnID, _ call: Call, _ caller: SessionRecord) async throws {
        let after = try call.cursor()
        let object = try await call.object(limit: limits.bodyBytes)
        let record = TurnRecord(
            id: turn, conversation: conversation, parent: try object.id("parent"),
            content: try object.prompt(maximumBytes: limits.promptBytes),
            model: try object.string("model") ?? "auto", options: try RunOptions(object.value("options")).encoded,
            createdAt: surroundings.wall())
        let isTemporary = try object.bool("temporary") ?? false
        let isNamed = record.parent == nil && !isTemporary
        let title = isNamed ? Title.firstWords(of: ContentPart.text(of: record.content)) : ""
        let admission = TurnAdmission(
            account: caller.account, turn: record, answer: try object.requiredID("answer"),
            title: title.isEmpty ? nil : title, isTemporary: isTemporary)
        let (answer, isNew) = try await admit(admission)
        try await reply(answer, isNew: isNew, after: after, call)
    }

    func putAnswer(_ turn: TurnID, _ answer: AnswerID, _ call: Call, _ caller: SessionRecord) async throws {
        let after = try call.cursor()
        let object = try await call.object(limit: limits.bodyBytes)
        let model = try object.string("model") ?? "auto"
        let admission = AnswerAdmission(
            account: caller.account, turn: turn, answer: answer, model: model,
            options: try RunOptions(object.value("options")).encoded, at: surroundings.wall())
        let outcome = try await admit(
            model: model, account: caller.account, path: nil,
            isKnown: {
                // A deleted answer is known too: it gets its own refusal, and not that of a full line.
                if case .notFound = try await store.answer(answer, of: caller.account) { return false }
                return true
            },
            admission: { try await store.admit(admission) })
        try await reply(outcome.answer, isNew: outcome.isNew, after: after, call)
    }

    /// Admits a turn and starts its run, or finds the answer that it has.
    func admit(_ admission: TurnAdmission) async throws -> (answer: AnswerRecord, isNew: Bool) {
        let turn = admission.turn
        // The path to a first turn is that turn: nothing has to be looked up to answer it.
        let path =
            turn.parent == nil ? [PathStep(turn: turn.id, prompt: turn.content, answer: nil, reply: [])] : nil
        return try await admit(
            model: turn.model, account: admission.account, path: path,
            isKnown: {
                if case .notFound = try await store.turn(admission.turn.id, of: admission.account) { return false }
                return true
            },
            admission: { try await store.admit(admission) })
    }

    private func admit(
        model: String, account: AccountID, path: [PathStep]?, isKnown: () async throws -> Bool,
        admission: () async throws -> Admission
    ) async throws -> (answer: AnswerRecord, isNew: Bool) {
        let permit: RunSupervisor.Permit
        do throws(Problem) {
            permit = try runs.reserve(account, model: model)
        } catch {
            // A repeat needs no place: what was admitted once is answered whatever the line looks like now.
            guard try await isKnown() else { throw error }
            return (try Self.repeated(try await admission()), false)
        }
        let outcome = try await admission()
        guard case .admitted(let answer) = outcome else { return (try Self.repeated(outcome), false) }
        runs.start(answer, path: path, permit)
        return (answer, true)
    }

    private static func repeated(_ admission: Admission) throws(Problem) -> AnswerRecord {
        switch admission {
        case .admitted(let answer), .repeated(let answer): return answer
        case .conflict: throw Problem(.turnConflict, "The id is taken by something else: ids are used once.")
        case .deleted: throw Problem(.deleted, "The conversation was deleted.")
        case .notFound: throw Problem(.notFound, "There is no such turn, or no such parent in this conversation.")
        }
    }

    private func reply(_ answer: AnswerRecord, isNew: Bool, after: Int, _ call: Call) async throws {
        if call.wantsEvents { return try await follow(answer.id, of: answer.account, after: after, call) }
        try await call.respond(isNew ? 201 : 200) { json in
            json.beginObject()
            json.name("conversation")
            json.id(answer.conversation)
            json.name("turn")
            json.id(answer.turn)
            json.name("answer")
            json.id(answer.id)
            json.endObject()
        }
    }
}
