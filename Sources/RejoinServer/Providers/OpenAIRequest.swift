import RejoinCore

/// What a chat completions server is asked, and how large that is.
enum OpenAIRequest {
    /// The body of the request.
    static func body(_ request: ModelRequest, model: String, url: String) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("model", model)
        json.name("messages")
        json.beginArray()
        for message in request.messages {
            json.beginObject()
            json.member("role", message.role.rawValue)
            json.member("content", message.text)
            json.endObject()
        }
        json.endArray()
        json.name("stream")
        json.bool(true)
        json.name("stream_options")
        json.beginObject()
        json.name("include_usage")
        json.bool(true)
        json.endObject()
        if let maximum = request.maximumOutputTokens {
            // OpenAI itself has given the old name up; the servers that imitate it know that one best.
            json.name(url.hasPrefix("https://api.openai.com/") ? "max_completion_tokens" : "max_tokens")
            json.integer(maximum)
        }
        if let temperature = request.temperature { number("temperature", temperature, &json) }
        if let topP = request.topP { number("top_p", topP, &json) }
        if let seed = request.seed {
            json.name("seed")
            json.integer(seed)
        }
        if !request.stop.isEmpty {
            json.name("stop")
            json.beginArray()
            for text in request.stop { json.string(text) }
            json.endArray()
        }
        if let schema = request.schema { responseFormat(schema, &json) }
        json.endObject()
        return json.bytes
    }

    private static func number(_ name: String, _ value: Double, _ json: inout JSONWriter) {
        guard value.isFinite else { return }
        json.name(name)
        json.value(.number(value))
    }

    private static func responseFormat(_ schema: [UInt8], _ json: inout JSONWriter) {
        json.name("response_format")
        json.beginObject()
        json.member("type", "json_schema")
        json.name("json_schema")
        json.beginObject()
        json.member("name", "answer")
        json.name("strict")
        json.bool(true)
        json.name("schema")
        json.json(schema)
        json.endObject()
        json.endObject()
    }

    /// What an answer cost, from its size, where the server did not count.
    static func estimate(_ request: ModelRequest, producedBytes: Int) -> Event.Usage {
        let input = request.messages.reduce(0) { $0 + $1.text.utf8.count }
        return Event.Usage(inputTokens: (input + 3) / 4, outputTokens: (producedBytes + 3) / 4, isEstimated: true)
    }

    /// What fits a context of so many tokens with room for an answer, by a careful estimate.
    static func fit(_ request: ModelRequest, contextTokens: Int?) -> ContextFit {
        guard let contextTokens else { return .fits }
        let room = request.maximumOutputTokens ?? min(1024, contextTokens / 4)
        let budget = contextTokens - room
        // A few tokens a message mark its role and its end.
        var size = request.messages.reduce(0) { $0 + tokens($1) }
        if size <= budget { return .fits }
        var rest = request.messages.filter { $0.role != .system }[...]
        var dropped = 0
        while let next = rest.dropFirst().firstIndex(where: { $0.role == .user }) {
            size -= rest[..<next].reduce(0) { $0 + tokens($1) }
            rest = rest[next...]
            dropped += 1
            if size <= budget { return .cut(droppedTurns: dropped) }
        }
        return .tooLarge
    }

    private static func tokens(_ message: ModelMessage) -> Int { (message.text.utf8.count * 2 + 6) / 7 + 4 }
}
