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
        let (answer, isNew) = try await tellingLimits(of: caller.account, call) { try await admit(admission) }
        try await reply(answer, isNew: isNew, after: after, call)
    }

    func putAnswer(_ turn: TurnID, _ answer: AnswerID, _ call: Call, _ caller: SessionRecord) async throws {
        let after = try call.cursor()
        let object = try await call.object(limit: limits.bodyBytes)
        let model = try object.string("model") ?? "auto"
        let admission = AnswerAdmission(
            account: caller.account, turn: turn, answer: answer, model: model,
            options: try RunOptions(object.value("options")).encoded, at: surroundings.wall())
        let outcome = try await tellingLimits(of: caller.account, call) {
            try await admit(
                .answer(answer), model: model, account: caller.account, path: nil, promptBytes: 0,
                options: admission.options,
                isKnown: {
                    // A deleted answer is known too: it gets its own refusal, and not that of a full line.
                    if case .notFound = try await store.answer(answer, of: caller.account) { return false }
                    return true
                },
                admission: { terms in
                    var admission = admission
                    admission.terms = terms
                    return try await store.admit(admission)
                })
        }
        try await reply(outcome.answer, isNew: outcome.isNew, after: after, call)
    }

    /// Admits a turn and starts its run, or finds the answer that it has.
    func admit(_ admission: TurnAdmission) async throws -> (answer: AnswerRecord, isNew: Bool) {
        let turn = admission.turn
        // The path to a first turn is that turn: nothing has to be looked up to answer it.
        let path =
            turn.parent == nil ? [PathStep(turn: turn.id, prompt: turn.content, answer: nil, reply: [])] : nil
        return try await admit(
            .turn(turn.id), model: turn.model, account: admission.account, path: path,
            promptBytes: ContentPart.text(of: turn.content).utf8.count, options: turn.options,
            isKnown: {
                if case .notFound = try await store.turn(admission.turn.id, of: admission.account) { return false }
                return true
            },
            admission: { terms in
                var admission = admission
                admission.terms = terms
                return try await store.admit(admission)
            })
    }

    /// Admits an answer by the model that was asked for, or by the weaker one that the account's plan lets answer.
    private func admit(
        _ copies: AdmissionGate.Key, model requested: String, account: AccountID, path: [PathStep]?, promptBytes: Int,
        options: [UInt8], isKnown: () async throws -> Bool, admission: (AdmissionTerms) async throws -> Admission
    ) async throws -> (answer: AnswerRecord, isNew: Bool) {
        try await gate.run(plans.isUnlimited ? copies : .account(account)) {
            try await admitNow(
                model: requested, account: account, path: path, promptBytes: promptBytes, options: options,
                isKnown: isKnown, admission: admission)
        }
    }

    private func admitNow(
        model requested: String, account: AccountID, path: [PathStep]?, promptBytes: Int, options: [UInt8],
        isKnown: () async throws -> Bool, admission: (AdmissionTerms) async throws -> Admission
    ) async throws -> (answer: AnswerRecord, isNew: Bool) {
        var (model, reason) = (requested, EndReason?.none)
        while true {
            let permit: RunSupervisor.Permit
            do throws(Problem) {
                permit = try runs.reserve(account, model: model)
            } catch {
                // A repeat needs no place: what was admitted once is answered whatever the line looks like now.
                guard try await isKnown() else { throw error }
                return (try repeated(try await admission(.free)), false)
            }
            let outcome = try await admission(terms(model: permit.model, promptBytes: promptBytes, options: options))
            switch outcome {
            case .admitted(let answer):
                runs.start(answer, path: path, reason: reason, permit)
                return (answer, true)
            case .weaker(let weaker):
                // Nothing was stored. The weaker model is never under the same limit, so this is asked once more at most.
                (model, reason) = (weaker, .limitReached)
            default: return (try repeated(outcome), false)
            }
        }
    }

    /// What an answer is going to be counted by, as far as that is known before it begins.
    private func terms(model: String, promptBytes: Int, options: [UInt8]) -> AdmissionTerms {
        if plans.isUnlimited { return .free }
        let output = RunOptions(stored: options).maximumOutputTokens ?? Self.usualOutputTokens
        return AdmissionTerms(
            plans: plans,
            charge: Plan.Charge(
                model: model, inputTokens: ModelContext.estimatedTokens(promptBytes), outputTokens: output))
    }

    /// What is reserved for an answer whose length nobody bounded.
    private static let usualOutputTokens = 1024

    private func repeated(_ admission: Admission) throws(Problem) -> AnswerRecord {
        switch admission {
        case .admitted(let answer), .repeated(let answer): return answer
        case .conflict: throw Problem(.turnConflict, "The id is taken by something else: ids are used once.")
        case .deleted: throw Problem(.deleted, "The conversation was deleted.")
        case .notFound: throw Problem(.notFound, "There is no such turn, or no such parent in this conversation.")
        case .limited(let limit):
            throw Problem(
                .limitReached, "The limit of \(limit.limit) \(limit.capability) is reached.",
                retryAfter: limit.secondsLeft(at: surroundings.wall()), limit: limit)
        case .weaker: throw Problem(.limitReached, "The limit of this model is reached.")
        }
    }

    func reply(_ answer: AnswerRecord, isNew: Bool, after: Int, _ call: Call) async throws {
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
