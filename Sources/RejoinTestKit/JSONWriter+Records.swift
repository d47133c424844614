package import RejoinClient
package import RejoinCore

/// The documents of the protocol as a server in memory gives them: this project's own tests write them here too.
extension JSONWriter {
    /// A turn as a conversation shows it.
    package struct Turn {
        let id: TurnID
        let parent: AnswerID?
        let content: [ContentPart]
        let model: String
        let createdAt: Timestamp
        let answers: [Answer]

        /// Notes a turn.
        package init(
            id: TurnID, parent: AnswerID?, content: [ContentPart], model: String, createdAt: Timestamp,
            answers: [Answer]
        ) {
            self.id = id
            self.parent = parent
            self.content = content
            self.model = model
            self.createdAt = createdAt
            self.answers = answers
        }
    }

    /// An entry of the change feed.
    package struct Change {
        let cursor: Int
        let kind: String
        let id: String
        let conversation: ConversationID?
        let isDeletion: Bool

        /// Notes a change.
        package init(cursor: Int, kind: String, id: String, conversation: ConversationID?, isDeletion: Bool) {
            self.cursor = cursor
            self.kind = kind
            self.id = id
            self.conversation = conversation
            self.isDeletion = isDeletion
        }

        /// The change as it travels down the feed.
        package var event: [UInt8] {
            var json = JSONWriter(after: Array("id:\(cursor)\ndata:".utf8))
            json.change(self)
            return json.bytes + Array("\n\n".utf8)
        }
    }

    /// Writes a page of the list.
    ///
    /// - Parameter next: where the next page begins; nil on the last.
    package mutating func list(_ lines: [ConversationSummary], next: String? = nil, cursor: Int) {
        beginObject()
        name("items")
        beginArray()
        for line in lines { self.line(line) }
        endArray()
        member("next", next)
        name("cursor")
        integer(cursor)
        endObject()
    }

    /// Writes a line of the list.
    package mutating func line(_ line: ConversationSummary) {
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

    /// Writes a conversation with all its turns.
    package mutating func conversation(_ line: ConversationSummary, _ turns: [Turn]) {
        beginObject()
        lineMembers(line)
        name("turns")
        beginArray()
        for turn in turns { self.turn(turn) }
        endArray()
        endObject()
    }

    private mutating func turn(_ turn: Turn) {
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
        for answer in turn.answers { self.answer(answer) }
        endArray()
        endObject()
    }

    /// Writes an answer as far as it is.
    package mutating func answer(_ fold: Answer) {
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
        member("withdrawn", fold.withdrawal)
        if let model = fold.model {
            member("model", model.model)
            member("placement", model.placement.rawValue)
        }
        endObject()
    }

    /// Writes a page of the change feed.
    package mutating func changes(_ changes: [Change], cursor: Int, hasMore: Bool = false) {
        beginObject()
        name("changes")
        beginArray()
        for change in changes { self.change(change) }
        endArray()
        name("cursor")
        integer(cursor)
        name("more")
        bool(hasMore)
        endObject()
    }

    private mutating func change(_ change: Change) {
        beginObject()
        name("cursor")
        integer(change.cursor)
        member("kind", change.kind)
        member("id", change.id)
        if let conversation = change.conversation {
            name("conversation")
            id(conversation)
        }
        member("op", change.isDeletion ? "delete" : "put")
        endObject()
    }

    /// Writes the limits of an account.
    package mutating func limits(_ limits: [Limit]) {
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
