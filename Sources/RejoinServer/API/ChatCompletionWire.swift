import RejoinCore

/// The shapes of the OpenAI chat completions API, as its clients read them.
///
/// Source: the types of the `openai` Python package 3.57.0, and what the public API sends.
enum ChatCompletionWire {
    /// A refusal in the envelope that these clients expect.
    static func error(_ problem: Problem) -> [UInt8] {
        error(type: type(of: problem.kind), code: problem.kind.rawValue, message: problem.detail, field: problem.field)
    }

    private static func type(of kind: Problem.Kind) -> String {
        switch kind {
        case .unauthenticated: "authentication_error"
        case .forbidden: "permission_error"
        case .limitReached, .queueFull: "rate_limit_error"
        case .internalError, .temporarilyUnavailable, .modelUnavailable: "server_error"
        default: "invalid_request_error"
        }
    }

    static func error(type: String, code: String, message: String, field: String? = nil) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.name("error")
        json.beginObject()
        json.member("message", message)
        json.member("type", type)
        json.name("param")
        if let field { json.string(field) } else { json.null() }
        json.member("code", code)
        json.endObject()
        json.endObject()
        return json.bytes
    }

    /// How an end that is not an answer reads as an HTTP refusal; nil for the ends that are.
    static func problem(of end: Event.End) -> Problem? {
        switch end.state {
        case .done, .stopped: nil
        case .refused where end.reason == EndReason.contentFilter.rawValue: nil
        case .refused where end.reason == EndReason.contextTooLarge.rawValue:
            Problem(.contextTooLarge, "The messages do not fit the model's context.", field: "messages")
        case .refused: Problem(.limitReached, "The model's limit is reached.", retryAfter: end.retryAfter)
        case .interrupted: Problem(.temporarilyUnavailable, "The answer was interrupted: \(end.reason ?? "").")
        case .failed: Problem(.modelUnavailable, "The model failed: \(end.reason ?? "").")
        }
    }

    static func finishReason(_ end: Event.End) -> String {
        switch end.reason {
        case EndReason.length.rawValue: "length"
        case EndReason.contentFilter.rawValue: "content_filter"
        default: "stop"
        }
    }

    /// Writes the chunks of one streamed answer.
    struct Chunks {
        private let head: [UInt8]
        private let includesUsage: Bool

        init(id: String, created: Int, model: String, includesUsage: Bool) {
            var json = JSONWriter(after: Array("data: ".utf8))
            json.beginObject()
            json.member("id", id)
            json.member("object", "chat.completion.chunk")
            json.name("created")
            json.integer(created)
            json.member("model", model)
            head = json.bytes
            self.includesUsage = includesUsage
        }

        /// A piece of text; `literal` is its JSON string, quotes included, so that nothing is decoded on the way.
        func text(literal: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
            delta(#"{"content":"#, literal, "}", finish: "null", to: &bytes)
        }

        func reasoning(literal: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
            delta(#"{"reasoning_content":"#, literal, "}", finish: "null", to: &bytes)
        }

        func begin(to bytes: inout [UInt8]) {
            delta(#"{"role":"assistant","content":"""#, [], "}", finish: "null", to: &bytes)
        }

        func end(_ reason: String, to bytes: inout [UInt8]) {
            delta("{", [], "}", finish: "\"\(reason)\"", to: &bytes)
        }

        func usage(_ usage: Event.Usage, to bytes: inout [UInt8]) {
            bytes.append(contentsOf: head)
            bytes.append(contentsOf: #","choices":[],"usage":"#.utf8)
            ChatCompletionWire.append(usage, to: &bytes)
            bytes.append(contentsOf: "}\n\n".utf8)
        }

        private func delta(
            _ open: String, _ literal: ArraySlice<UInt8>, _ close: String, finish: String, to bytes: inout [UInt8]
        ) {
            bytes.append(contentsOf: head)
            bytes.append(contentsOf: #","choices":[{"index":0,"delta":"#.utf8)
            bytes.append(contentsOf: open.utf8)
            bytes.append(contentsOf: literal)
            bytes.append(contentsOf: close.utf8)
            bytes.append(contentsOf: #","logprobs":null,"finish_reason":"#.utf8)
            bytes.append(contentsOf: finish.utf8)
            bytes.append(contentsOf: (includesUsage ? "}],\"usage\":null}\n\n" : "}]}\n\n").utf8)
        }
    }

    static func append(_ usage: Event.Usage, to bytes: inout [UInt8]) {
        var json = JSONWriter(after: bytes)
        json.beginObject()
        for (name, value) in [
            ("prompt_tokens", usage.inputTokens), ("completion_tokens", usage.outputTokens),
            ("total_tokens", usage.inputTokens + usage.outputTokens),
        ] {
            json.name(name)
            json.integer(value)
        }
        json.endObject()
        bytes = json.bytes
    }

    /// A whole answer.
    static func completion(id: String, created: Int, model: String, answer: Answer, end: Event.End) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("id", id)
        json.member("object", "chat.completion")
        json.name("created")
        json.integer(created)
        json.member("model", model)
        json.name("choices")
        json.beginArray()
        json.beginObject()
        json.name("index")
        json.integer(0)
        json.name("message")
        json.beginObject()
        json.member("role", "assistant")
        json.member("content", answer.text)
        if !answer.reasoning.isEmpty { json.member("reasoning_content", answer.reasoning) }
        json.name("refusal")
        json.null()
        json.endObject()
        json.name("logprobs")
        json.null()
        json.member("finish_reason", finishReason(end))
        json.endObject()
        json.endArray()
        if let usage = answer.usage {
            var bytes: [UInt8] = []
            append(usage, to: &bytes)
            json.name("usage")
            json.json(bytes)
        }
        json.endObject()
        return json.bytes
    }
}
