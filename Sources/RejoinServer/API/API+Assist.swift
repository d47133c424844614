import HTTPServer
import RejoinAssist
import RejoinCore

/// Operations of apps: projections of the same runs and logs, not a second implementation.
///
/// The attempt's key is the id of a turn, of its temporary conversation and of its answer. So the same request under the
/// same key rejoins, also after a restart, and runs once; the answer is kept until a day after nothing happened with it.
extension API {
    func assist(_ operation: Substring, _ key: TurnID, _ call: Call, _ caller: SessionRecord) async throws {
        let after = try call.cursor()
        let request = try await call.object(limit: limits.bodyBytes).whole
        let task = try assists.task(of: operation, request, maximumBytes: limits.promptBytes)
        var options = RunOptions()
        // Before the prompt, and not as the person's own instructions: such a turn gets no title.
        options.context = [ModelMessage(.system, task.instructions)]
        options.schema = task.schema?.jsonSchema
        options.maximumOutputTokens = task.maximumTokens
        if task.schema != nil { options.temperature = 0 }
        let turn = TurnRecord(
            id: key, conversation: ConversationID(high: key.high, low: key.low), parent: nil,
            content: [.text(task.prompt)], model: "auto", options: options.encoded, createdAt: surroundings.wall())
        let (answer, _) = try await tellingLimits(of: caller.account, call) {
            try await admit(
                TurnAdmission(
                    account: caller.account, turn: turn, answer: AnswerID(high: key.high, low: key.low),
                    isTemporary: true))
        }
        if call.wantsEvents { return try await follow(answer.id, of: caller.account, after: after, call) }
        // Whoever leaves meanwhile stops nothing: the run belongs to the server, and the key finds it again.
        try await reply(try await whole(answer), call)
    }

    /// The answer, once it has ended.
    private func whole(_ record: AnswerRecord) async throws -> Answer {
        var follower = LogFollower(answer: record.id, cursor: 0, eventLog: eventLog, store: store)
        var answer = Answer(id: record.id, turn: record.turn)
        var parser = EventStreamParser()
        while let bytes = try await follower.next() {
            parser.feed(bytes) { event in
                if let numbered = NumberedEvent(event) { answer.apply(numbered) }
            }
        }
        return answer
    }

    private func reply(_ answer: Answer, _ call: Call) async throws {
        guard let end = answer.state.end else { throw Problem(.temporarilyUnavailable, "The answer is on its way.") }
        let isFiltered = end.reason == EndReason.contentFilter.rawValue
        if end.state != .done, !isFiltered { throw Self.problem(of: end) }
        try await call.respond(200) { json in
            json.beginObject()
            if isFiltered {
                json.member("refused", EndReason.contentFilter.rawValue)
            } else {
                json.member("output", answer.text)
                if end.reason == EndReason.length.rawValue {
                    json.name("truncated")
                    json.bool(true)
                }
            }
            if let model = answer.model { json.member("model", model.model) }
            if let usage = answer.usage {
                json.name("usage")
                json.beginObject()
                json.name("input_tokens")
                json.integer(usage.inputTokens)
                json.name("output_tokens")
                json.integer(usage.outputTokens)
                json.endObject()
            }
            json.endObject()
        }
    }

    /// Why a run came to nothing.
    ///
    /// The key is used up then, so none of these says that the same request may be tried again.
    private static func problem(of end: Event.End) -> Problem {
        switch end.state {
        case .stopped: Problem(.conflict, "The run under this key was stopped; a new key begins a new one.")
        case .refused where end.reason == EndReason.contextTooLarge.rawValue:
            Problem(.contextTooLarge, "The request does not fit the model's context.")
        case .refused, .interrupted, .failed, .done:
            Problem(
                .modelUnavailable, "The run under this key failed: \(end.reason ?? ""). A new key begins a new one.",
                retryAfter: end.retryAfter)
        }
    }
}
