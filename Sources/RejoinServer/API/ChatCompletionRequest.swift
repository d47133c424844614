import RejoinCore

/// A chat completions request, checked.
///
/// What would be silently dropped is refused instead.
struct ChatCompletionRequest {
    let model: String
    let isStreamed: Bool
    let includesUsage: Bool
    let prompt: String
    let options: RunOptions

    /// Reads a request's object.
    ///
    /// - Throws: a ``Problem`` naming the parameter that is wrong or not offered.
    init(_ object: RequestObject, maximumBytes: Int) throws(Problem) {
        model = try object.string("model") ?? "auto"
        isStreamed = try object.bool("stream") ?? false
        includesUsage = object.value("stream_options")?.object?["include_usage"]?.bool ?? false
        for name in ["tools", "functions", "audio", "logprobs", "logit_bias"] {
            guard let value = object.value(name), value != .array([]), value != .bool(false) else { continue }
            throw Problem(.invalidRequest, "\(name) is not offered.", field: name)
        }
        for name in ["frequency_penalty", "presence_penalty"] {
            guard let value = object.value(name), value.number != 0 else { continue }
            throw Problem(.invalidRequest, "\(name) is not offered.", field: name)
        }
        if let count = object.value("n"), count.whole != 1 {
            throw Problem(.invalidRequest, "n is 1: one answer a request.", field: "n")
        }
        var members: [JSONObject.Member] = []
        for (theirs, ours) in [("temperature", "temperature"), ("top_p", "top_p"), ("seed", "seed")] {
            if let value = object.value(theirs) { members.append(.init(name: ours, value: value)) }
        }
        if let limit = object.value("max_completion_tokens") ?? object.value("max_tokens") {
            members.append(.init(name: "max_output_tokens", value: limit))
        }
        var options: RunOptions
        do throws(Problem) {
            options = try RunOptions(.object(JSONObject(members)))
        } catch {
            let field = error.field.map { String($0.dropFirst("options.".count)) }
            throw Problem(error.kind, error.detail, field: field)
        }
        options.stop = try Self.stops(object)
        options.schema = try Self.schema(object)
        var messages = try Self.messages(object)
        guard let last = messages.popLast(), last.role == .user, !last.text.trimmingSpace.isEmpty else {
            throw Problem(.invalidRequest, "The last message is the user's, and has text.", field: "messages")
        }
        guard messages.reduce(last.text.utf8.count, { $0 + $1.text.utf8.count }) <= maximumBytes else {
            throw Problem(
                .payloadTooLarge, "The messages have at most \(maximumBytes) bytes of text.", field: "messages")
        }
        options.context = messages
        prompt = last.text
        self.options = options
    }

    private static func stops(_ object: RequestObject) throws(Problem) -> [String] {
        guard let value = object.value("stop") else { return [] }
        let stops = value.string.map { [$0] } ?? value.array?.compactMap(\.string)
        guard let stops, stops.count <= 4, value.array.map({ $0.count == stops.count }) ?? true,
            stops.allSatisfy({ !$0.isEmpty && $0.utf8.count <= 256 })
        else { throw Problem(.invalidRequest, "stop is a text, or up to 4 of them.", field: "stop") }
        return stops
    }

    private static func schema(_ object: RequestObject) throws(Problem) -> JSONValue? {
        guard let format = object.value("response_format") else { return nil }
        switch format.object?["type"]?.string {
        case "text": return nil
        case "json_schema":
            guard let schema = format.object?["json_schema"]?.object?["schema"], schema.object != nil else { break }
            return schema
        default: break
        }
        throw Problem(
            .invalidRequest, "response_format is \"text\", or \"json_schema\" with a schema.", field: "response_format")
    }

    private static func messages(_ object: RequestObject) throws(Problem) -> [ModelMessage] {
        guard let values = object.value("messages")?.array, !values.isEmpty, values.count <= 10_000 else {
            throw Problem(.invalidRequest, "messages is an array with at least one message.", field: "messages")
        }
        var messages: [ModelMessage] = []
        for (index, value) in values.enumerated() {
            let field = "messages[\(index)]"
            let role: ModelRole
            switch value.object?["role"]?.string {
            case "system", "developer": role = .system
            case "user": role = .user
            case "assistant": role = .assistant
            default:
                throw Problem(.invalidRequest, "\(field).role is system, developer, user or assistant.", field: field)
            }
            messages.append(ModelMessage(role, try text(value.object?["content"], field)))
        }
        return messages
    }

    private static func text(_ content: JSONValue?, _ field: String) throws(Problem) -> String {
        if let text = content?.string { return text }
        guard let parts = content?.array else {
            throw Problem(.invalidRequest, "\(field).content is a text or an array of parts.", field: field)
        }
        var text = ""
        for part in parts {
            guard part.object?["type"]?.string == "text", let piece = part.object?["text"]?.string else {
                throw Problem(
                    .unsupportedMedia, "\(field) has a part that is not text; others are not offered.", field: field)
            }
            text += piece
        }
        return text
    }
}
