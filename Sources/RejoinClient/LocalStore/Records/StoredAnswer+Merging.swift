internal import RejoinCore

extension StoredAnswer {
    /// What is held after the server's copy came in: shown text only ever grows, except where it was withdrawn.
    ///
    /// - Returns: itself if the copy says nothing new; nil if its text does not go on from the text that is shown.
    func merging(_ new: Answer) -> StoredAnswer? {
        if new.withdrawal != nil, answer.withdrawal == nil, new.seq >= answer.seq {
            let local: LocalState = .withdrawn(reason: new.withdrawal ?? "")
            return StoredAnswer(answer: new, local: local)
        }
        // An older copy, or one of before the end.
        if new.seq < answer.seq || new.state.end == nil && answer.state.end != nil { return self }
        if new.seq == answer.seq, new.state.end == nil || answer.state.end != nil { return self }
        // After a stop only the end of the story is taken in.
        if local == .stopRequested, new.state.end == nil { return self }
        if let end = new.state.end, end.reason == EndReason.contentFilter.rawValue, new.content.isEmpty,
            !answer.content.isEmpty
        {
            // The copy of an answer whose text was taken back while this device did not listen.
            let gone = answer.withdrawn(reason: EndReason.contentFilter.rawValue)
            return StoredAnswer(answer: gone.ended(end, seq: new.seq), local: .withdrawn(reason: end.reason ?? ""))
        }
        let goesOn = new.content.goesOn(from: answer.content)
        if !goesOn, new.state.end == nil { return nil }
        var merged = self
        merged.answer = Answer(
            id: answer.id, turn: answer.turn, state: new.state, seq: new.seq,
            content: goesOn ? new.content : answer.content, model: new.model ?? answer.model,
            usage: new.usage ?? answer.usage,
            reasoning: new.reasoning.isEmpty ? answer.reasoning : new.reasoning,
            sources: new.sources.isEmpty ? answer.sources : new.sources,
            droppedTurns: max(new.droppedTurns, answer.droppedTurns), withdrawal: answer.withdrawal ?? new.withdrawal,
            skipped: max(new.skipped, answer.skipped))
        if case .withdrawn = local { return merged }
        if new.state.end != nil { merged.local = .none }
        return merged
    }
}

extension Answer {
    /// The same answer, ended, with the text that is held.
    ///
    /// - Parameter seq: the number of the last event that it stands for, if that is another one.
    func ended(_ end: Event.End, seq: Int? = nil) -> Answer {
        Answer(
            id: id, turn: turn, state: .ended(end), seq: seq ?? self.seq, content: content, model: model, usage: usage,
            reasoning: reasoning, sources: sources, droppedTurns: droppedTurns, withdrawal: withdrawal,
            skipped: skipped)
    }

    /// The same answer without its text.
    func withdrawn(reason: String) -> Answer {
        Answer(
            id: id, turn: turn, state: state, seq: seq, content: [], model: model, usage: usage, sources: sources,
            droppedTurns: droppedTurns, withdrawal: reason, skipped: skipped)
    }
}

extension [ContentPart] {
    /// Whether these parts begin with those, the last text of which may have grown.
    func goesOn(from old: [ContentPart]) -> Bool {
        guard count >= old.count else { return false }
        for (index, (before, after)) in zip(old, self).enumerated() where before != after {
            guard index == old.count - 1, case .text(let before) = before, case .text(let after) = after else {
                return false
            }
            return after.utf8.starts(with: before.utf8)
        }
        return true
    }
}
