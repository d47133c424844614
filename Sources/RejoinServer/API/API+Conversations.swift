import HTTPServer
import RejoinCore

extension API {
    func listConversations(_ call: Call, _ caller: SessionRecord) async throws {
        let limit = try call.integer("limit", in: 1...200) ?? 50
        let before = try call.exchange.request.query("before").map(Self.position)
        // The cursor is read first: a change in between is then seen twice, never missed.
        let cursor = try await store.changeCursor(of: caller.account)
        // One more than asked for tells whether there is a next page.
        var items = try await store.conversations(of: caller.account, limit: limit + 1, before: before)
        let hasMore = items.count > limit
        if hasMore { items.removeLast() }
        try await call.respond(200) { json in
            json.beginObject()
            json.name("items")
            json.beginArray()
            for item in items { json.conversation(item) }
            json.endArray()
            json.name("next")
            if hasMore, let last = items.last {
                json.string("\(last.updatedAt.milliseconds).\(last.id)")
            } else {
                json.null()
            }
            json.name("cursor")
            json.integer(cursor)
            json.endObject()
        }
    }

    private static func position(_ text: String) throws(Problem) -> ConversationPosition {
        let parts = text.split(separator: ".")
        guard parts.count == 2, let milliseconds = Int64(parts[0]), let id = ConversationID(parts[1]) else {
            throw Problem(.invalidRequest, "before is the next of the page before.", field: "before")
        }
        return ConversationPosition(updatedAt: Timestamp(milliseconds: milliseconds), id: id)
    }

    func putConversation(_ id: ConversationID, _ call: Call, _ caller: SessionRecord) async throws {
        let object = try await call.object(limit: limits.bodyBytes)
        let title = try object.string("title").map(Self.title)
        let now = surroundings.wall()
        let new = ConversationRecord(
            id: id, title: title, titleSource: title == nil ? .none : .person, createdAt: now, updatedAt: now,
            isTemporary: try object.bool("temporary") ?? false, usesMemory: try object.bool("memory") ?? true)
        switch try await store.putConversation(new, of: caller.account) {
        case .created(let conversation): try await call.respond(201) { $0.conversation(conversation) }
        case .existing(let conversation): try await call.respond(200) { $0.conversation(conversation) }
        case .deleted: throw Self.deletedConversation
        case .notFound: throw Self.noConversation
        }
    }

    func patchConversation(_ id: ConversationID, _ call: Call, _ caller: SessionRecord) async throws {
        let object = try await call.object(limit: limits.bodyBytes)
        let patch = ConversationPatch(
            title: try object.string("title").map(Self.title), isPinned: try object.bool("pinned"),
            isArchived: try object.bool("archived"), selected: try object.id("selected"),
            usesMemory: try object.bool("memory"))
        let patched = try await store.patchConversation(id, of: caller.account, patch, now: surroundings.wall())
        let conversation = try Self.found(patched, "conversation")
        try await call.respond(200) { $0.conversation(conversation) }
    }

    private static func title(_ text: String) throws(Problem) -> String {
        let title = text.trimmingSpace
        guard !title.isEmpty, title.count <= 200, !title.unicodeScalars.contains(where: \.isControl) else {
            throw Problem(.invalidRequest, "A title is one line of 1 to 200 characters.", field: "title")
        }
        return title
    }

    func deleteConversation(_ id: ConversationID, _ call: Call, _ caller: SessionRecord) async throws {
        let unfinished = try await store.deleteConversation(id, of: caller.account, now: surroundings.wall())
        switch unfinished {
        case .found(let answers):
            runs.abandon(answers)
            try await tasks.outdate(caller.account)
        // Deleting twice is harmless.
        case .deleted: break
        case .notFound: throw Self.noConversation
        }
        try await call.respond(204, fields: [:], body: [])
    }

    func deleteConversations(_ call: Call, _ caller: SessionRecord) async throws {
        try await eraseConversations(of: caller.account)
        try await tasks.outdate(caller.account)
        try await call.respond(204, fields: [:], body: [])
    }

    /// Deletes all conversations one by one, so that nobody else's answer waits for a long deletion.
    func eraseConversations(of account: AccountID) async throws {
        for id in try await store.conversationIDs(of: account) {
            let deleted = try await store.deleteConversation(id, of: account, now: surroundings.wall())
            if case .found(let answers) = deleted { runs.abandon(answers) }
        }
        // Temporary ones, and what came meanwhile.
        runs.abandon(try await store.deleteConversations(of: account, now: surroundings.wall()))
    }

    func showConversation(_ id: ConversationID, _ call: Call, _ caller: SessionRecord) async throws {
        let wanted = call.exchange.request.query("path")
        guard wanted == nil || wanted == "selected" else {
            throw Problem(.invalidRequest, "path is \"selected\", or not given.", field: "path")
        }
        let lookup = try await store.contents(of: id, account: caller.account)
        let contents = try Self.found(lookup, "conversation")
        var views: [TurnID: [AnswerView]] = [:]
        var tree = ConversationTree()
        for turn in contents.turns {
            let answers = contents.answers.filter { $0.turn == turn.id }
            tree.add(Turn(id: turn.id, parent: turn.parent, content: turn.content, answers: answers.map(\.id)))
            for answer in answers { views[turn.id, default: []].append(try await view(answer)) }
        }
        let path = (contents.conversation.selected ?? tree.newestLeaf).map { tree.path(to: $0) } ?? []
        let shown = Set(path.map(\.turn))
        try await call.respond(200) { json in
            json.beginObject()
            json.conversationMembers(contents.conversation)
            json.name("path")
            json.beginArray()
            for step in path {
                json.beginObject()
                json.name("turn")
                json.id(step.turn)
                json.name("answer")
                if let answer = step.answer { json.id(answer) } else { json.null() }
                json.endObject()
            }
            json.endArray()
            json.name("turns")
            json.beginArray()
            for turn in contents.turns where wanted == nil || shown.contains(turn.id) {
                json.beginObject()
                json.turnMembers(turn)
                json.name("answers")
                json.beginArray()
                for view in views[turn.id] ?? [] { json.answer(view) }
                json.endArray()
                json.endObject()
            }
            json.endArray()
            json.endObject()
        }
    }

    /// What a reply shows of an answer: as far as it is durable.
    func view(_ record: AnswerRecord) async throws -> AnswerView {
        guard record.end == nil else { return AnswerView(record) }
        if let log = eventLog.live(record.id) { return AnswerView(record, await log.snapshot()) }
        // It ended between the two looks, or was admitted only now.
        guard case .found(let again) = try await store.answer(record.id, of: record.account) else {
            return AnswerView(record)
        }
        return AnswerView(again)
    }

    static let noConversation = Problem(.notFound, "There is no such conversation.")
    static let deletedConversation = Problem(.deleted, "The conversation was deleted.")

    /// The value that a look-up found.
    static func found<Value>(_ lookup: Lookup<Value>, _ what: String) throws(Problem) -> Value {
        switch lookup {
        case .found(let value): return value
        case .deleted: throw Problem(.deleted, "The \(what) was deleted.")
        case .notFound: throw Problem(.notFound, "There is no such \(what).")
        }
    }
}
