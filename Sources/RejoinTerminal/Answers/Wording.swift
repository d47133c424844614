import RejoinClient
import RejoinCore

/// The words of notices and status lines, in one place.
enum Wording {
    /// Why a model answers that was not asked for; nil for the one that was.
    static func instead(_ model: Event.Model) -> String? {
        guard model.reason == EndReason.limitReached.rawValue else { return nil }
        return HarmlessText.line(model.model) + " answers: the limit of the stronger model is reached"
    }

    static func status(_ status: Event.Status, model: Event.Model?) -> String {
        let words =
            switch status.phase {
            case .queued: status.position.map { "waiting in the queue, place \($0)" } ?? "waiting in the queue"
            case .starting: "starting the model"
            case .thinking: "thinking"
            case .searching: "searching"
            case .reading: "reading"
            case .writing: "writing"
            }
        guard let model else { return words }
        return HarmlessText.line(model.model) + ": " + words
    }

    /// What there is to say about an end; nil where the text says it all.
    static func end(_ end: Event.End) -> String? {
        let reason = end.reason.map { " (" + HarmlessText.line($0) + ")" } ?? ""
        switch end.state {
        case .done: return end.reason == EndReason.length.rawValue ? "cut at the model's output limit" : nil
        case .stopped: return "stopped; the text so far is kept"
        case .interrupted: return "interrupted\(reason); the text so far is kept"
        case .refused: return "refused\(reason)\(later(end))"
        case .failed: return "failed\(reason)\(later(end))"
        }
    }

    static func error(_ error: ClientError, from address: String) -> String {
        var words = HarmlessText.line(error.description)
        if error.code == .unreachable { words += " at \(address); is `rejoin serve` running?" }
        if error.code == ClientError.Code(.unauthenticated) {
            words += " (set REJOIN_TOKEN, give --token-file, or use the data folder of a running server)"
        }
        if let moment = error.problem?.limit?.resetsAt {
            words += "; again from \(moment)"
        } else if let seconds = error.retryAfter {
            words += "; try again in \(seconds) s"
        }
        return words
    }

    /// Why something could not be done, as a sentence in the middle of another.
    static func refusal(_ refusal: ClientRefusal) -> String {
        var words = HarmlessText.line(refusal.description)
        if let first = words.first { words = first.lowercased() + words.dropFirst() }
        if let capability = refusal.capability { words += " (\(HarmlessText.line(capability)))" }
        if let moment = refusal.resetsAt { words += "; again from \(moment)" }
        return words
    }

    private static func later(_ end: Event.End) -> String {
        if let moment = end.resetsAt { return "; again from \(moment)" }
        if let seconds = end.retryAfter { return "; try again in \(seconds) s" }
        return ""
    }
}
