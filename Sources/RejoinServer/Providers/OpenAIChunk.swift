import RejoinCore

/// What one chunk of a chat completion says, as far as an answer is concerned.
///
/// Chunks come by the thousand, so no tree is built: one pass picks out what is known and skips the rest. A whole
/// reply that was not streamed has the same shape with `message` in place of `delta`, and is read the same way.
struct OpenAIChunk {
    /// The chunk is not the JSON that it should be.
    struct Malformed: Error {}

    /// Text as bytes: UTF-8, but for half a surrogate pair at either end, in three bytes as if it were a character.
    var text: [UInt8] = []
    /// Likewise.
    var reasoning: [UInt8] = []
    /// Why the answer ends, in the server's word; nil or empty while it goes on.
    var finishReason: String?
    var usage: Event.Usage?
    /// The error that took the place of an answer.
    var fault: OpenAIFault?
    var hasChoice = false

    /// Reads a chunk.
    init(_ bytes: [UInt8]) throws(Malformed) {
        var reader = OpenAIChunkReader(bytes)
        try reader.object { (name, reader) throws(Malformed) in
            switch name {
            case "choices": try self.readChoices(&reader)
            case "error":
                let value = try reader.skipValue()
                if let error = try? JSONReader.parse(value), error.isSaying { fault = OpenAIFault(error) }
            case "object":
                // Some servers send the error itself in place of a chunk.
                if try reader.skipValue().elementsEqual("\"error\"".utf8) {
                    fault = OpenAIFault((try? JSONReader.parse(bytes)) ?? .null)
                }
            case "usage": usage = Self.usage(try? JSONReader.parse(try reader.skipValue()))
            default: _ = try reader.skipValue()
            }
        }
        try reader.finish()
    }

    private mutating func readChoices(_ reader: inout OpenAIChunkReader) throws(Malformed) {
        guard reader.nextIs("[") else {
            _ = try reader.skipValue()
            return
        }
        // One answer was asked for, so one choice is all that counts.
        try reader.array { (position, reader) throws(Malformed) in
            guard position == 0, reader.nextIs("{") else {
                _ = try reader.skipValue()
                return
            }
            hasChoice = true
            try reader.object { (name, reader) throws(Malformed) in
                switch name {
                case "delta", "message": try self.readDelta(&reader)
                case "finish_reason":
                    if let reason = try reader.string() { finishReason = String(decoding: reason, as: UTF8.self) }
                default: _ = try reader.skipValue()
                }
            }
        }
    }

    private mutating func readDelta(_ reader: inout OpenAIChunkReader) throws(Malformed) {
        guard reader.nextIs("{") else {
            _ = try reader.skipValue()
            return
        }
        try reader.object { (name, reader) throws(Malformed) in
            switch name {
            case "content", "refusal": try Self.readText(&reader, onto: &text)
            case "reasoning_content", "reasoning": try Self.readText(&reader, onto: &reasoning)
            default: _ = try reader.skipValue()
            }
        }
    }

    /// Text is a string, or a list of parts with a `text` each.
    private static func readText(_ reader: inout OpenAIChunkReader, onto text: inout [UInt8]) throws(Malformed) {
        guard reader.nextIs("[") else {
            if let bytes = try reader.string() { text.append(contentsOf: bytes) }
            return
        }
        try reader.array { (_, reader) throws(Malformed) in
            guard reader.nextIs("{") else {
                _ = try reader.skipValue()
                return
            }
            try reader.object { (name, reader) throws(Malformed) in
                guard name == "text" else {
                    _ = try reader.skipValue()
                    return
                }
                if let bytes = try reader.string() { text.append(contentsOf: bytes) }
            }
        }
    }

    private static func usage(_ json: JSONValue?) -> Event.Usage? {
        guard let object = json?.object, let input = object["prompt_tokens"]?.integer,
            let output = object["completion_tokens"]?.integer, input >= 0, output >= 0
        else { return nil }
        return Event.Usage(inputTokens: input, outputTokens: output, isEstimated: false)
    }
}

extension JSONValue {
    /// Whether an `error` member means that there is one.
    fileprivate var isSaying: Bool {
        switch self {
        case .null, .bool(false), .string(""): false
        case .object(let object): !object.members.isEmpty
        default: true
        }
    }
}
