#if arch(wasm32)
import RejoinCore

extension Answer {
    /// Reads an answer as the server sends it in a conversation; nil for anything else.
    init?(stored json: [UInt8]) {
        guard let object = (try? JSONReader.parse(json))?.object,
            let id = object["id"]?.string.flatMap({ AnswerID($0) }),
            let turn = object["turn"]?.string.flatMap({ TurnID($0) })
        else { return nil }
        let content = object["content"]?.array.flatMap { ContentPart.parts($0) } ?? []
        let state = Self.state(object)
        var seq = object["seq"]?.integer ?? 0
        // A running answer without content gives no ground to stand on: its log is read from the start.
        if state.end == nil, content.isEmpty { seq = 0 }
        self.init(
            id: id, turn: turn, state: state, seq: seq, content: content, model: Self.model(object),
            usage: Self.usage(object["usage"]?.object), droppedTurns: object["dropped_turns"]?.integer ?? 0,
            withdrawal: object["withdrawn"]?.string)
    }

    private static func state(_ object: JSONObject) -> State {
        let name = object["state"]?.string ?? ""
        guard let end = EndState(rawValue: name) else { return name == "streaming" ? .streaming : .queued }
        let resetsAt = object["resets_at"]?.string.flatMap { Timestamp($0) }
        return .ended(
            Event.End(
                end, reason: object["reason"]?.string, resetsAt: resetsAt,
                retryAfter: object["retry_after"]?.integer))
    }

    private static func model(_ object: JSONObject) -> Event.Model? {
        guard let name = object["model"]?.string,
            let placement = object["placement"]?.string.flatMap({ Event.Placement(rawValue: $0) })
        else { return nil }
        return Event.Model(name, placement: placement, reason: object["model_reason"]?.string)
    }

    private static func usage(_ object: JSONObject?) -> Event.Usage? {
        guard let object, let input = object["input_tokens"]?.integer, let output = object["output_tokens"]?.integer
        else { return nil }
        return Event.Usage(
            inputTokens: input, outputTokens: output, isEstimated: object["estimated"]?.bool ?? false)
    }
}

extension JSONWriter {
    /// Writes all of an answer but its text: what the page decides by.
    mutating func head(of answer: Answer) {
        beginObject()
        member("state", answer.state.name)
        name("seq")
        integer(answer.seq)
        name("has_text")
        bool(answer.content.contains { if case .text(let text) = $0 { !text.isEmpty } else { false } })
        name("dropped_turns")
        integer(answer.droppedTurns)
        member("withdrawal", answer.withdrawal)
        if let status = answer.status {
            member("phase", status.phase.rawValue)
            if let position = status.position {
                name("position")
                integer(position)
            }
        }
        if let model = answer.model {
            member("model", model.model)
            member("placement", model.placement.rawValue)
            member("model_reason", model.reason)
        }
        if let end = answer.state.end { self.end(end) }
        name("sources")
        beginArray()
        for source in answer.sources {
            beginObject()
            member("title", source.title)
            member("url", source.url)
            endObject()
        }
        endArray()
        endObject()
    }

    private mutating func end(_ end: Event.End) {
        member("reason", end.reason)
        if let resetsAt = end.resetsAt {
            name("resets_at")
            time(resetsAt)
        }
        if let retryAfter = end.retryAfter {
            name("retry_after")
            integer(retryAfter)
        }
    }
}
#endif
