import RejoinClient
import RejoinCore

/// What is said about messages, beside what they say themselves.
enum MessageWords {
    /// What has become of a prompt; nil where it just went out.
    static func note(onPrompt phase: AnswerPhase) -> String? {
        switch phase {
        case .waiting: "[waits for the server; x takes it back]"
        case .refused(let refusal): "[not sent: \(Wording.refusal(refusal)); r tries again]"
        case .expired: "[was not sent in time; r tries again]"
        case .sending, .queued, .working, .answering, .interrupted, .stopping, .ended, .withdrawn: nil
        }
    }

    /// What there is to say about an answer, and whether it tells of trouble.
    static func notes(on view: ExchangeView, isEmpty: Bool) -> [(words: String, isTrouble: Bool)] {
        var notes: [(String, Bool)] = []
        let answer = view.answer
        for source in answer.sources {
            notes.append(("↗ " + HarmlessText.line([source.title, source.url ?? ""].joined(separator: "  ")), false))
        }
        if answer.droppedTurns > 0 {
            notes.append(("[the conversation did not fit; \(answer.droppedTurns) older turns were left out]", true))
        }
        if !view.isRunning, let words = answer.placementWords(view.delivery) {
            notes.append(("[\(HarmlessText.line(words.prefix(1).lowercased() + words.dropFirst()))]", false))
        }
        if let model = answer.model, let words = Wording.instead(model) { notes.append(("[\(words)]", false)) }
        switch view.phase {
        case .withdrawn(let reason):
            notes.append(("[the text was withdrawn (\(HarmlessText.line(reason)))]", true))
        case .ended(let end):
            if let words = Wording.end(end) { notes.append(("[\(words)]", end.state != .stopped)) }
        case .stopping:
            if let words = Wording.end(Event.End(.stopped, .stoppedByPerson)) { notes.append(("[\(words)]", false)) }
        case .interrupted: notes.append(("[the connection broke; the text so far is kept]", true))
        case .sending, .queued, .working, .answering:
            if isEmpty, let words = progress(of: view) { notes.append((words + " …", false)) }
        case .waiting, .refused, .expired: break
        }
        return notes
    }

    /// What an answer that is under way is doing; nil where nothing is under way.
    static func progress(of view: ExchangeView) -> String? {
        switch view.phase {
        case .sending: return "sending"
        case .queued(let position): return Wording.status(Event.Status(.queued, position: position), model: nil)
        case .working(let status): return Wording.status(status, model: nil)
        case .answering: return Wording.status(view.answer.status ?? Event.Status(.writing), model: nil)
        case .waiting, .interrupted, .stopping, .ended, .withdrawn, .refused, .expired: return nil
        }
    }

    /// A length of time, as short as it can be said.
    static func age(_ milliseconds: Int64) -> String {
        let seconds = max(milliseconds / 1000, 0)
        if seconds < 60 { return "\(seconds) s" }
        if seconds < 3600 { return "\(seconds / 60) min" }
        if seconds < 86_400 { return "\(seconds / 3600) h" }
        return "\(seconds / 86_400) d"
    }
}
