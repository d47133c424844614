import RejoinCore

/// What an OpenAI-compatible server complains of, in our words; its own are read here and go no further.
struct OpenAIFault: Equatable, Sendable {
    /// The complaints that are told apart.
    enum Kind: Equatable, Sendable {
        /// Too much asked of it for now.
        case limited
        /// The account has nothing left: asking again soon is no use.
        case exhausted
        case contextTooLarge, contentFilter, unauthorized, rejected, timedOut, failed, malformed
    }

    var kind: Kind
    /// How long to wait, if it said so.
    var wait: Duration?

    /// Names a complaint.
    init(_ kind: Kind, wait: Duration? = nil) {
        self.kind = kind
        self.wait = wait
    }

    /// Reads the `error` member of a document, whatever its shape.
    init(_ error: JSONValue) {
        let object = error.object
        let status = (object?["code"]?.integer ?? object?["status"]?.integer) ?? object?["http_status"]?.integer
        let marks = [object?["code"]?.string, object?["type"]?.string, object?["status"]?.string]
            .compactMap { $0?.lowercased() }
        let message = (object?["message"]?.string ?? error.string ?? "").prefix(2000).lowercased()
        kind = Self.kind(status: status, marks: marks, message: message)
        if kind == .limited || kind == .exhausted || kind == .failed {
            wait = object.flatMap(OpenAIRetryAfter.wait(inError:)) ?? OpenAIRetryAfter.wait(inMessage: message)
        }
    }

    /// Reads a refusal by status, with the body that came along.
    init(status: Int, body: [UInt8], fields: OpenAIRetryAfter) {
        let document = try? JSONReader.parse(body)
        let told = document?.object?["error"].map(OpenAIFault.init(_:)) ?? document.map(OpenAIFault.init(_:))
        switch status {
        case 401: kind = .unauthorized
        case 402: kind = .exhausted
        case 408: kind = .timedOut
        case 413: kind = .contextTooLarge
        case 429: kind = told?.kind == .exhausted ? .exhausted : .limited
        case 500...: kind = told?.kind == .contextTooLarge ? .contextTooLarge : .failed
        default:
            switch told?.kind {
            case .contextTooLarge: kind = .contextTooLarge
            case .contentFilter: kind = .contentFilter
            default: kind = .rejected
            }
        }
        wait = fields.wait ?? (kind == .limited || kind == .exhausted ? told?.wait : nil)
    }

    /// The end that it means for an answer.
    func end(now: Timestamp) -> ModelEnd {
        let seconds = wait.map { max(1, Int(min(($0 / Duration.seconds(1)).rounded(.up), 1e9))) }
        switch kind {
        case .limited, .exhausted:
            return .refused(
                .upstreamLimit, resetsAt: seconds.map { now.advanced(byMilliseconds: Int64($0) * 1000) },
                retryAfter: seconds)
        case .contextTooLarge: return .refused(.contextTooLarge)
        case .contentFilter: return .refused(.contentFilter)
        case .unauthorized: return .failed(.upstreamUnauthorized)
        case .rejected: return .failed(.upstreamRejected)
        case .timedOut: return .interrupted(.upstreamTimeout)
        case .failed: return .failed(.upstreamFailed, retryAfter: seconds)
        case .malformed: return .failed(.upstreamMalformed)
        }
    }

    private static func kind(status: Int?, marks: [String], message: String) -> Kind {
        func marked(_ words: String...) -> Bool { marks.contains { mark in words.contains { mark.contains($0) } } }
        func says(_ words: String...) -> Bool { words.contains { message.contains($0) } }
        if marked("context_length", "context_size", "context_window", "string_above_max_length")
            || says("context length", "context size", "context window", "maximum context", "prompt is too long")
        {
            return .contextTooLarge
        }
        if marked("content_filter", "content_policy", "moderation") { return .contentFilter }
        if status == 402 || marked("quota", "billing", "insufficient_credits") { return .exhausted }
        if status == 429 || marked("rate_limit", "too_many_requests", "resource_exhausted", "429")
            || marks.contains("tokens") || marks.contains("requests") || says("rate limit")
        {
            return .limited
        }
        if status == 401 || marked("authentication", "invalid_api_key", "unauthorized") { return .unauthorized }
        if let status, (400..<500).contains(status) { return .rejected }
        return marked("invalid_request") ? .rejected : .failed
    }
}
