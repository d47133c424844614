import RejoinClient
import RejoinCore

/// The documents of the protocol.
extension JSONWriter {
    mutating func list(_ state: ScriptedServer.State) {
        beginObject()
        name("items")
        beginArray()
        let newest = Timestamp(milliseconds: 0)
        for line in state.lines.values.sorted(by: { ($0.updatedAt ?? newest) > ($1.updatedAt ?? newest) }) {
            self.line(line)
        }
        endArray()
        name("cursor")
        integer(state.changes.count)
        endObject()
    }

    mutating func line(_ line: ConversationSummary) {
        beginObject()
        lineMembers(line)
        endObject()
    }

    private mutating func lineMembers(_ line: ConversationSummary) {
        name("id")
        id(line.id)
        member("title", line.title)
        if let updatedAt = line.updatedAt {
            name("updated_at")
            time(updatedAt)
        }
        name("pinned")
        bool(line.isPinned)
        name("archived")
        bool(line.isArchived)
        if let selected = line.selected {
            name("selected")
            id(selected)
        }
    }

    mutating func conversation(_ line: ConversationSummary, _ state: ScriptedServer.State) {
        beginObject()
        lineMembers(line)
        name("turns")
        beginArray()
        for turn in state.turns where turn.conversation == line.id {
            beginObject()
            name("id")
            id(turn.id)
            if let parent = turn.parent {
                name("parent")
                id(parent)
            }
            name("content")
            content(turn.content)
            member("model", turn.model)
            name("created_at")
            time(turn.createdAt)
            name("answers")
            beginArray()
            for answer in turn.answers { if let held = state.answers[answer] { self.answer(held.fold) } }
            endArray()
            endObject()
        }
        endArray()
        endObject()
    }

    mutating func answer(_ fold: Answer) {
        beginObject()
        name("id")
        id(fold.id)
        name("turn")
        id(fold.turn)
        member("state", fold.state.name)
        member("reason", fold.state.end?.reason)
        name("seq")
        integer(fold.seq)
        name("content")
        content(fold.content)
        if let model = fold.model {
            member("model", model.model)
            member("placement", model.placement.rawValue)
        }
        endObject()
    }

    mutating func changes(_ changes: [ScriptedServer.HeldChange], after: Int) {
        beginObject()
        name("changes")
        beginArray()
        for (index, change) in changes.enumerated().dropFirst(max(0, after)) { self.change(change, cursor: index + 1) }
        endArray()
        name("cursor")
        integer(max(after, changes.count))
        name("more")
        bool(false)
        endObject()
    }

    mutating func change(_ change: ScriptedServer.HeldChange, cursor: Int) {
        beginObject()
        name("cursor")
        integer(cursor)
        member("kind", change.kind)
        member("id", change.id)
        if let conversation = change.conversation {
            name("conversation")
            id(conversation)
        }
        member("op", change.isDeletion ? "delete" : "put")
        endObject()
    }

    mutating func limits(_ limits: [Limit]) {
        beginArray()
        for limit in limits {
            beginObject()
            member("capability", limit.capability)
            member("plan", limit.plan)
            for (name, value) in [("limit", limit.limit), ("remaining", limit.remaining)] {
                guard let value else { continue }
                self.name(name)
                integer(value)
            }
            for (name, moment) in [("resets_at", limit.resetsAt), ("as_of", limit.asOf)] {
                guard let moment else { continue }
                self.name(name)
                time(moment)
            }
            endObject()
        }
        endArray()
    }
}
