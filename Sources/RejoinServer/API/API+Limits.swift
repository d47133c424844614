import HTTPServer
import RejoinCore

extension API {
    /// Shows what is left of each quota; an empty list where nothing is limited.
    func showLimits(_ call: Call, _ caller: SessionRecord) async throws {
        let figures = try await store.limits(of: caller.account, plans: plans, now: surroundings.wall())
        try await call.respond(200) { json in
            json.beginArray()
            for figure in figures { json.limit(figure) }
            json.endArray()
        }
    }

    /// Admits something, and adds the `RateLimit` fields to the reply if that counted or a limit refused.
    func tellingLimits(
        of account: AccountID, _ call: Call, _ admit: () async throws -> (answer: AnswerRecord, isNew: Bool)
    ) async throws -> (answer: AnswerRecord, isNew: Bool) {
        do {
            let outcome = try await admit()
            if outcome.isNew { try await tellLimits(of: account, call) }
            return outcome
        } catch let problem as Problem where problem.limit != nil {
            try await tellLimits(of: account, call)
            throw problem
        }
    }

    private func tellLimits(of account: AccountID, _ call: Call) async throws {
        if plans.isUnlimited { return }
        let now = surroundings.wall()
        call.add(RateLimitFields.fields(try await store.limits(of: account, plans: plans, now: now), at: now))
    }
}

extension JSONWriter {
    mutating func limit(_ figure: LimitFigure) {
        beginObject()
        member("capability", figure.capability.rawValue)
        member("plan", figure.plan)
        name("limit")
        integer(figure.limit)
        name("remaining")
        integer(figure.remaining)
        name("resets_at")
        time(figure.resetsAt)
        name("as_of")
        time(figure.asOf)
        endObject()
    }
}
