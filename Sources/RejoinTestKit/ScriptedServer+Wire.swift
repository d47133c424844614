import RejoinClient
import RejoinCore

/// The server's half of the protocol.
extension ScriptedServer {
    func reply(to request: TransportRequest, _ path: String, _ state: inout State) throws -> TransportReply {
        let halves = path.split(separator: "?", maxSplits: 1)
        let steps = halves.first.map { $0.split(separator: "/").map(String.init) } ?? []
        let after = halves.count > 1 ? Self.number("after", in: halves[1]) ?? 0 : 0
        let wantsEvents = request.fields.contains { $0.name == "accept" && $0.value == "text/event-stream" }
        let body = try request.body.map { try JSONReader.parse($0).object } ?? nil
        switch (request.method, steps.dropFirst().first, steps.count) {
        case ("GET", "conversations", 2): return Self.json { $0.list(state.list, cursor: state.changes.count) }
        case ("DELETE", "conversations", 2):
            for conversation in state.lines.keys { Self.delete(conversation, &state) }
            return .json([], status: 204)
        case (let method, "conversations", 3):
            return try conversation(method, try Self.id(steps[2]), body ?? JSONObject(), &state)
        case ("PUT", "conversations", 5):
            return try putTurn(try Self.id(steps[2]), try Self.id(steps[4]), body ?? JSONObject(), after, &state)
        case ("PUT", "turns", 5):
            let answer: AnswerID = try Self.id(steps[4])
            let turn: TurnID = try Self.id(steps[2])
            guard let index = state.turns.firstIndex(where: { $0.id == turn }) else { throw Problem(.notFound, "") }
            if state.answers[answer] == nil {
                state.turns[index].answers.append(answer)
                start(answer, to: state.turns[index], model: body?["model"]?.string ?? "auto", &state)
            }
            return try Self.log(of: answer, after: after, &state)
        case ("GET", "answers", 3):
            guard let held = state.answers[try Self.id(steps[2])] else { throw Problem(.notFound, "") }
            return Self.json { $0.answer(held.fold) }
        case ("GET", "answers", 4): return try Self.log(of: try Self.id(steps[2]), after: after, &state)
        case ("POST", "answers", 4):
            let answer: AnswerID = try Self.id(steps[2])
            guard state.answers[answer] != nil else { throw Problem(.notFound, "") }
            state.stops.append(answer)
            state.answers[answer]?.unsaid = []
            Self.append([.end(.init(.stopped, .stoppedByPerson))], to: answer, &state)
            return Self.json { json in
                json.beginObject()
                json.member("state", state.answers[answer]?.fold.state.name)
                json.name("seq")
                json.integer(state.answers[answer]?.fold.seq ?? 0)
                json.endObject()
            }
        case ("GET", "changes", 2):
            if wantsEvents {
                let feed = ScriptedBody()
                for change in state.changes.dropFirst(max(0, after)) { feed.push(change.event) }
                state.feeds.append(feed)
                return .stream(feed)
            }
            return Self.json { json in
                json.changes(
                    Array(state.changes.dropFirst(max(0, after))), cursor: max(after, state.changes.count))
            }
        case ("GET", "limits", 2): return Self.json { $0.limits(state.limits) }
        case ("GET", "models", 2), ("GET", "sessions", 2): return .json(Array(#"{"items":[]}"#.utf8))
        case ("DELETE", "sessions", 3): return .json([], status: 204)
        default: throw Problem(.notFound, "nothing at \(path)")
        }
    }

    private func conversation(
        _ method: String, _ id: ConversationID, _ body: JSONObject, _ state: inout State
    ) throws -> TransportReply {
        if state.deleted.contains(id) {
            if method == "DELETE" { return .json([], status: 204) }
            throw Problem(.deleted, "")
        }
        if method == "PUT" {
            ensure(id, &state)
        }
        guard let line = state.lines[id] else { throw Problem(.notFound, "") }
        switch method {
        case "GET": return Self.json { $0.conversation(line, state.turns(of: id)) }
        case "DELETE":
            Self.delete(id, &state)
            return .json([], status: 204)
        case "PATCH":
            state.lines[id] = line.with(
                title: body["title"]?.string, updatedAt: now(), isPinned: body["pinned"]?.bool,
                isArchived: body["archived"]?.bool, selected: body["selected"]?.string.flatMap { AnswerID($0) })
            Self.note("conversation", "\(id)", in: id, &state)
        default: break
        }
        return Self.json { $0.line(state.lines[id] ?? line) }
    }

    private func ensure(_ id: ConversationID, _ state: inout State) {
        guard state.lines[id] == nil else { return }
        state.lines[id] = ConversationSummary(id: id, title: "", updatedAt: now())
        Self.note("conversation", "\(id)", in: id, &state)
    }

    private func putTurn(
        _ conversation: ConversationID, _ turn: TurnID, _ body: JSONObject, _ after: Int, _ state: inout State
    ) throws -> TransportReply {
        if state.deleted.contains(conversation) { throw Problem(.deleted, "") }
        guard let answer = body["answer"]?.string.flatMap({ AnswerID($0) }),
            let content = body["content"]?.array.flatMap(ContentPart.parts)
        else { throw Problem(.invalidRequest, "body") }
        if let held = state.turns.first(where: { $0.id == turn }) {
            guard held.content == content, let first = held.answers.first else { throw Problem(.turnConflict, "") }
            return try Self.log(of: first, after: after, &state)
        }
        ensure(conversation, &state)
        let held = HeldTurn(
            id: turn, conversation: conversation, parent: body["parent"]?.string.flatMap { AnswerID($0) },
            content: content, model: body["model"]?.string ?? "auto", createdAt: now(), answers: [answer])
        state.turns.append(held)
        if let line = state.lines[conversation] {
            state.lines[conversation] = line.with(updatedAt: now(), selected: answer)
        }
        Self.note("turn", "\(turn)", in: conversation, &state)
        start(answer, to: held, model: held.model, &state)
        return try Self.log(of: answer, after: after, &state)
    }

    private static func delete(_ conversation: ConversationID, _ state: inout State) {
        state.lines[conversation] = nil
        state.deleted.insert(conversation)
        state.turns.removeAll { $0.conversation == conversation }
        for (id, answer) in state.answers where answer.conversation == conversation {
            for reader in answer.readers { reader.end() }
            state.answers[id] = nil
        }
        note("conversation", "\(conversation)", in: conversation, isDeletion: true, &state)
    }

    private static func log(of answer: AnswerID, after: Int, _ state: inout State) throws -> TransportReply {
        guard let held = state.answers[answer] else { throw Problem(.notFound, "") }
        var bytes: [UInt8] = []
        for event in held.log where event.seq > after { event.append(to: &bytes) }
        let body = ScriptedBody()
        body.push(bytes)
        if held.fold.state.end != nil {
            body.end()
        } else {
            state.answers[answer]?.readers.append(body)
        }
        return .stream(body)
    }

    private static func id<Kind>(_ text: String) throws -> ID<Kind> {
        guard let id = ID<Kind>(text) else { throw Problem(.invalidRequest, "id") }
        return id
    }

    private static func number(_ name: String, in query: Substring) -> Int? {
        for pair in query.split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1)
            if halves.count == 2, halves[0] == name { return Int(halves[1]) }
        }
        return nil
    }

    private static func json(_ build: (inout JSONWriter) -> Void) -> TransportReply {
        var json = JSONWriter()
        build(&json)
        return .json(json.bytes)
    }
}

extension ConversationSummary {
    func with(
        title: String? = nil, updatedAt: Timestamp, isPinned: Bool? = nil, isArchived: Bool? = nil,
        selected: AnswerID? = nil
    ) -> ConversationSummary {
        ConversationSummary(
            id: id, title: title ?? self.title, updatedAt: updatedAt, isPinned: isPinned ?? self.isPinned,
            isArchived: isArchived ?? self.isArchived, selected: selected ?? self.selected)
    }
}

extension ScriptedServer.State {
    /// The lines of the list, the newest first.
    fileprivate var list: [ConversationSummary] {
        let oldest = Timestamp(milliseconds: 0)
        return lines.values.sorted { ($0.updatedAt ?? oldest) > ($1.updatedAt ?? oldest) }
    }

    fileprivate func turns(of conversation: ConversationID) -> [JSONWriter.Turn] {
        turns.filter { $0.conversation == conversation }.map { turn in
            JSONWriter.Turn(
                id: turn.id, parent: turn.parent, content: turn.content, model: turn.model, createdAt: turn.createdAt,
                answers: turn.answers.compactMap { answers[$0]?.fold })
        }
    }
}
