import RejoinCore

/// What is said about messages, beside what they say themselves.
enum MessageWords {
    /// What has become of a prompt; nil where it just went out.
    static func note(on delivery: ExchangeView.Delivery) -> String? {
        switch delivery {
        case .sending, .delivered: nil
        case .waiting: "[waits for the server; x takes it back]"
        case .refused(let reason): "[not sent: \(HarmlessText.line(reason)); r tries again]"
        case .expired: "[was not sent in time; r tries again]"
        }
    }

    /// What there is to say about an answer, and whether it tells of trouble.
    static func notes(
        on view: AnswerView, delivery: ExchangeView.Delivery, isEmpty: Bool
    ) -> [(words: String, isTrouble: Bool)] {
        var notes: [(String, Bool)] = []
        let answer = view.answer
        for source in answer.sources {
            notes.append(("↗ " + HarmlessText.line([source.title, source.url ?? ""].joined(separator: "  ")), false))
        }
        if answer.droppedTurns > 0 {
            notes.append(("[the conversation did not fit; \(answer.droppedTurns) older turns were left out]", true))
        }
        if case .withdrawn(let reason) = view.local {
            notes.append(("[the text was withdrawn (\(HarmlessText.line(reason)))]", true))
        } else if let reason = answer.withdrawal {
            notes.append(("[the text was withdrawn (\(HarmlessText.line(reason)))]", true))
        }
        if let model = answer.model, let words = Wording.instead(model) { notes.append(("[\(words)]", false)) }
        if let end = answer.state.end {
            if let words = Wording.end(end) { notes.append(("[\(words)]", end.state != .stopped)) }
        } else if view.local == .stopRequested, let words = Wording.end(Event.End(.stopped, .stoppedByPerson)) {
            notes.append(("[\(words)]", false))
        } else if view.local == .interrupted {
            notes.append(("[the connection broke; the text so far is kept]", true))
        } else if isEmpty, let words = progress(of: view, delivery: delivery) {
            notes.append((words + " …", false))
        }
        return notes
    }

    /// What an answer that is under way is doing; nil where nothing is under way.
    static func progress(of view: AnswerView, delivery: ExchangeView.Delivery) -> String? {
        switch delivery {
        case .waiting, .refused, .expired: return nil
        case .sending: return "sending"
        case .delivered: break
        }
        if view.answer.state.end != nil { return nil }
        switch view.local {
        case .sending: return "sending"
        case .waiting: return "waiting for the server"
        case .interrupted, .stopRequested, .withdrawn: return nil
        case .none, .streaming: break
        }
        if let status = view.answer.status { return Wording.status(status, model: nil) }
        return view.answer.state == .queued
            ? "waiting for the model" : view.answer.content.isEmpty ? "thinking" : "writing"
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
