import RejoinCore

/// A turn that this device answered, as the server is told of it.
struct FinishedTurn {
    private let turn: StoredTurn
    private let answer: Answer
    private let end: Event.End
    private let model: Event.Model

    /// Tells of a turn; nil where there is no finished answer of this device to tell of.
    init?(_ turn: StoredTurn, _ answer: Answer) {
        guard let end = answer.state.end, answer.withdrawal == nil else { return nil }
        self.turn = turn
        self.answer = answer
        self.end = end
        // It may have ended before its first word, even before the model's name.
        model = answer.model ?? Event.Model("device", placement: .device)
    }

    var path: String { "/v1/conversations/\(turn.conversation)/turns/\(turn.id)/finished" }

    /// The body of the `PUT`.
    var json: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.name("parent")
        if let parent = turn.parent { json.id(parent) } else { json.null() }
        json.name("answer")
        json.id(answer.id)
        json.name("content")
        json.content(turn.content)
        json.member("model", turn.model)
        json.name("finished")
        json.beginObject()
        json.member("state", end.state.rawValue)
        json.member("reason", end.reason)
        json.name("seq")
        json.integer(answer.seq)
        json.name("content")
        json.beginArray()
        if !answer.text.isEmpty {
            json.beginObject()
            json.member("type", "text")
            json.member("text", answer.text)
            json.endObject()
        }
        json.endArray()
        json.member("model", model.model)
        if let usage = answer.usage {
            json.name("usage")
            json.beginObject()
            json.name("input_tokens")
            json.integer(usage.inputTokens)
            json.name("output_tokens")
            json.integer(usage.outputTokens)
            json.name("estimated")
            json.bool(usage.isEstimated)
            json.endObject()
        }
        json.name("started_at")
        // When it ended is in nobody's memory any more, and is not made up.
        json.time(turn.createdAt)
        json.endObject()
        json.endObject()
        return json.bytes
    }
}
