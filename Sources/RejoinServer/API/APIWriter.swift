import RejoinCore

/// The JSON of replies: how records look on the wire.
extension JSONWriter {
    mutating func conversationMembers(_ conversation: ConversationRecord) {
        name("id")
        id(conversation.id)
        name("title")
        if let title = conversation.title { string(title) } else { null() }
        name("created_at")
        time(conversation.createdAt)
        name("updated_at")
        time(conversation.updatedAt)
        name("pinned")
        bool(conversation.isPinned)
        name("archived")
        bool(conversation.isArchived)
        name("temporary")
        bool(conversation.isTemporary)
        name("memory")
        bool(conversation.usesMemory && !conversation.isTemporary)
        name("selected")
        if let selected = conversation.selected { id(selected) } else { null() }
    }

    mutating func conversation(_ conversation: ConversationRecord) {
        beginObject()
        conversationMembers(conversation)
        endObject()
    }

    mutating func turnMembers(_ turn: TurnRecord) {
        name("id")
        id(turn.id)
        name("conversation")
        id(turn.conversation)
        name("parent")
        if let parent = turn.parent { id(parent) } else { null() }
        name("content")
        content(turn.content)
        member("model", turn.model)
        name("created_at")
        time(turn.createdAt)
    }

    /// The snapshot of an answer: what the store keeps, with the fold of the log in place of it while it runs.
    mutating func answer(_ view: AnswerView) {
        beginObject()
        answerMembers(view)
        endObject()
    }

    mutating func answerMembers(_ view: AnswerView) {
        let record = view.record
        name("id")
        id(record.id)
        name("turn")
        id(record.turn)
        name("conversation")
        id(record.conversation)
        member("state", view.state.name)
        member("reason", view.state.end?.reason)
        if let resetsAt = view.state.end?.resetsAt {
            name("resets_at")
            time(resetsAt)
        }
        name("seq")
        integer(view.seq)
        name("content")
        content(view.content)
        member("withdrawn", view.withdrawal)
        if let model = view.model {
            member("model", model.model)
            member("placement", model.placement.rawValue)
            member("model_reason", model.reason)
        }
        if let usage = view.usage {
            name("usage")
            beginObject()
            name("input_tokens")
            integer(usage.inputTokens)
            name("output_tokens")
            integer(usage.outputTokens)
            name("estimated")
            bool(usage.isEstimated)
            endObject()
        }
        if !record.sent.isEmpty {
            name("sent")
            sendings(record.sent)
        }
        name("started_at")
        time(record.startedAt)
        name("ended_at")
        if let endedAt = record.endedAt { time(endedAt) } else { null() }
    }

    mutating func session(_ session: SessionRecord, current: SessionID) {
        beginObject()
        name("id")
        id(session.id)
        member("device", session.device)
        name("created_at")
        time(session.createdAt)
        name("last_seen_at")
        time(session.seenAt)
        name("current")
        bool(session.id == current)
        endObject()
    }

    mutating func change(_ change: Change) {
        beginObject()
        name("cursor")
        integer(change.cursor)
        member("kind", change.kind.rawValue)
        name("id")
        id(change.subject)
        if let conversation = change.conversation {
            name("conversation")
            id(conversation)
        }
        member("op", change.operation.rawValue)
        endObject()
    }
}

/// An answer as a reply shows it: the record, and the fold of its log where that is newer.
struct AnswerView {
    let record: AnswerRecord
    let state: Answer.State
    let seq: Int
    let content: [ContentPart]
    /// Why the text was taken back, if it was.
    let withdrawal: String?
    let model: Event.Model?
    let usage: Event.Usage?

    /// An answer that has ended, or whose log nobody holds.
    init(_ record: AnswerRecord) {
        self.record = record
        state = record.end.map(Answer.State.ended) ?? .streaming
        seq = record.seq
        content = record.content
        withdrawal = record.withdrawal
        model = record.model
        usage = record.usage
    }

    /// A running answer.
    init(_ record: AnswerRecord, _ fold: Answer) {
        self.record = record
        state = fold.state
        seq = fold.seq
        content = fold.content
        withdrawal = fold.withdrawal
        model = fold.model
        usage = fold.usage
    }
}
