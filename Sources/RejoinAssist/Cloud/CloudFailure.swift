internal import RejoinCore

/// What the server's refusals mean in the closed vocabulary, by their code alone.
///
/// Neither the detail nor any other text of a reply is read, so none can reach a person.
enum CloudFailure {
    /// The one error behind everything that the server says and this version does not know.
    struct UnknownReply: Error {}

    /// What a refusal means, and whether the same request may be sent again.
    struct Verdict: Equatable {
        let failure: AssistantFailure
        let mayRepeat: Bool
    }

    /// Judges a reply that is not a success.
    static func verdict(status: Int, problem: Problem.Kind?, until: Timestamp?) -> Verdict {
        // A request is sent again after 408, 429 and a server's trouble; never after any other refusal.
        switch problem {
        case .unauthenticated: Verdict(failure: .signedOut, mayRepeat: false)
        case .forbidden: Verdict(failure: .notEntitled, mayRepeat: false)
        case .limitReached: Verdict(failure: .quotaReached(resets: until), mayRepeat: true)
        case .queueFull: Verdict(failure: .busy(until: until), mayRepeat: true)
        case .contextTooLarge, .payloadTooLarge: Verdict(failure: .contextTooLarge, mayRepeat: false)
        // The run under this key is over and failed: only a new attempt can do better.
        case .modelUnavailable: Verdict(failure: .serviceDown, mayRepeat: false)
        case .temporarilyUnavailable, .internalError: Verdict(failure: .serviceDown, mayRepeat: true)
        case .unsupportedMedia: Verdict(failure: .capabilityMissing, mayRepeat: false)
        case .invalidRequest, .notFound, .methodNotAllowed, .conflict, .turnConflict, .deleted, .cursorExpired:
            Verdict(failure: .invalidRequest, mayRepeat: false)
        case nil: verdict(status: status, until: until)
        }
    }

    /// Judges a reply that has no code, such as one of a proxy in between.
    private static func verdict(status: Int, until: Timestamp?) -> Verdict {
        let generic = AssistantFailure.unknown(type: ErrorTypeName(of: UnknownReply()))
        return switch status {
        case 401: Verdict(failure: .signedOut, mayRepeat: false)
        case 408: Verdict(failure: .timeout, mayRepeat: true)
        case 429: Verdict(failure: .busy(until: until), mayRepeat: true)
        case 502, 503, 504: Verdict(failure: .serviceDown, mayRepeat: true)
        default: Verdict(failure: generic, mayRepeat: false)
        }
    }

    /// Judges an exchange that came to nothing.
    static func verdict(_ failure: CloudTransportFailure) -> Verdict {
        switch failure {
        case .offline: Verdict(failure: .offline, mayRepeat: false)
        case .unreachable, .dropped: Verdict(failure: .serviceDown, mayRepeat: true)
        case .timedOut: Verdict(failure: .timeout, mayRepeat: true)
        case .untrusted: Verdict(failure: .serviceDown, mayRepeat: false)
        case .cancelled: Verdict(failure: .cancelled, mayRepeat: false)
        }
    }

    /// What the end of a run means that the server reports as a success of the exchange.
    static func failure(refusal: String) -> AssistantFailure { refusal == "content-filter" ? .guardrail : .refused }
}
