import RejoinCore
import TestSupport
import Testing

@testable import RejoinServer

@Suite(.timeLimit(.minutes(1))) struct MemoryAPITests {
    /// Answers as an echo; asked for facts, it says what a test wrote down.
    private func model(
        proposing reply: String = #"{"facts":["lives in Lyon"]}"#, end: ModelEnd = .finished(.complete)
    ) -> ScriptedModel {
        ScriptedModel { request in
            if Self.asksForFacts(request) { return [.piece(.text(reply)), .end(end)] }
            return [.piece(.text("You said: \(request.messages.last?.text ?? "")")), .end(.finished(.complete))]
        }
    }

    private static func asksForFacts(_ request: ModelRequest) -> Bool {
        request.messages.first?.text.hasPrefix("You note lasting facts") == true
    }

    private func remember(_ server: APIHarness, _ device: TestClient.Device, _ isOn: Bool = true) async throws {
        _ = try await server.store.setConsent(
            [.memory: isOn ? 1 : 0], of: device.account, ifVersion: nil, now: server.surroundings.wall())
    }

    private func say(
        _ text: String, _ server: APIHarness, _ device: TestClient.Device, isTemporary: Bool = false
    ) async throws -> TestClient.Draft {
        let draft = server.web.draft(text)
        let body = String(decoding: draft.body, as: UTF8.self).dropLast() + ",\"temporary\":\(isTemporary)}"
        _ = try await server.web.send("PUT", draft.path, device, json: String(body))
        _ = try await server.web.fold(draft.answer, device)
        return draft
    }

    private func eventually(_ condition: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(10)
        while try await !condition() {
            try #require(ContinuousClock.now < deadline)
            await Task.yield()
        }
    }

    @Test("S22 A75 facts are written, listed, changed, accepted and deleted by their own person alone")
    func routes() async throws {
        try await APIHarness.run(model()) { server in
            let (ann, bob) = (try await server.device("ann"), try await server.device("bob"))
            func send(_ method: String, _ path: String, _ device: TestClient.Device, _ json: String? = nil) async throws
                -> TestClient.Reply
            {
                try await server.web.send(method, path, device, body: json.map { Array($0.utf8) })
            }
            let begun = try await send("GET", "/v1/memory", ann)
            #expect(begun.json["on"]?.bool == false && begun.json["items"]?.array == [])
            #expect(try await send("POST", "/v1/memory", ann, #"{"text":"likes tea"}"#).problem?.kind == .conflict)
            try await remember(server, ann)
            for bad in ["{}", #"{"text":""}"#, #"{"text":7}"#, "{\"text\":\"\(String(repeating: "x", count: 201))\"}"] {
                #expect(try await send("POST", "/v1/memory", ann, bad).status == 400, "\(bad)")
            }
            let made = try await send("POST", "/v1/memory", ann, #"{"text":" likes\n tea "}"#)
            #expect(made.status == 201 && made.json["text"]?.string == "likes tea")
            #expect(made.json["state"]?.string == "accepted" && made.json["source"]?.string == "person")
            #expect(try await send("POST", "/v1/memory", ann, #"{"text":"Likes tea."}"#).status == 200)
            let id = try #require(made.json["id"]?.string)
            let path = "/v1/memory/\(id)"
            #expect(try await send("GET", path, ann).body == made.body)
            for method in ["GET", "DELETE"] { #expect(try await send(method, path, bob).status == 404) }
            #expect(try await send("PATCH", path, bob, #"{"text":"mine"}"#).status == 404)
            #expect(try await send("PATCH", path, ann, #"{"state":"declined"}"#).status == 400)
            let changed = try await send("PATCH", path, ann, #"{"text":"likes coffee"}"#)
            #expect(changed.json["text"]?.string == "likes coffee")
            _ = try await send("POST", "/v1/memory", ann, #"{"text":"is a nurse"}"#)
            let clash = try await send("PATCH", path, ann, #"{"text":"Is a nurse"}"#)
            #expect(clash.problem?.kind == .conflict)
            #expect(try await send("GET", "/v1/memory", bob).json["items"]?.array == [])
            // Switched off, it can still be seen and emptied.
            try await remember(server, ann, false)
            #expect(try await send("GET", "/v1/memory", ann).json["items"]?.array?.count == 2)
            #expect(try await send("DELETE", path, ann).status == 204)
            #expect(try await send("DELETE", path, ann).status == 404)
            #expect(try await send("DELETE", "/v1/memory", ann).status == 204)
            #expect(try await send("GET", "/v1/memory", ann).json["items"]?.array == [])
            let changes = try await send("GET", "/v1/changes?after=0", ann)
            #expect(String(decoding: changes.body, as: UTF8.self).contains(#""kind":"memory""#))
        }
    }

    @Test("S22 a turn's facts are proposed after it, used once accepted, and the answer tells which went along")
    func proposing() async throws {
        let model = model()
        try await APIHarness.run(model) { server in
            let ann = try await server.device("ann")
            _ = try await say("I moved to Lyon.", server, ann)
            try await remember(server, ann)
            let draft = try await say("I live in Lyon now.", server, ann)
            try await eventually { try await server.store.facts(of: ann.account).count == 1 }
            let fact = try #require(try await server.store.facts(of: ann.account).first)
            #expect(fact.text == "lives in Lyon" && !fact.isAccepted && fact.source == .model)
            #expect(fact.origin == Fact.Origin(conversation: draft.conversation, turn: draft.turn))
            // Of the two prompts only the one that came after the consent was read, and nothing but the prompt.
            let asked = model.requests.filter(Self.asksForFacts)
            #expect(asked.map { $0.messages.last?.text } == ["I live in Lyon now."])
            let told = try await server.web.send("GET", "/v1/answers/\(draft.answer)", ann)
            let purposes = told.json["sent"]?.array?.map { $0.object?["purpose"]?.string }
            #expect(purposes == ["answer", "memory"])

            let second = try await say("Where should I eat?", server, ann)
            #expect(model.requests.last { !Self.asksForFacts($0) }?.messages.map(\.role) == [.user])
            let path = "/v1/memory/\(fact.id)"
            let accepted = try await server.web.send("PATCH", path, ann, json: #"{"state":"accepted"}"#)
            #expect(accepted.json["state"]?.string == "accepted" && accepted.json["source"]?.string == "model")
            let third = try await say("And where should I sleep?", server, ann)
            let given = try #require(model.requests.last { !Self.asksForFacts($0) })
            #expect(given.messages.map(\.role) == [.system, .user])
            #expect(given.messages.first?.text.hasSuffix(#"["lives in Lyon"]"#) == true)
            func used(_ draft: TestClient.Draft) async throws -> [String?]? {
                let reply = try await server.web.send("GET", "/v1/answers/\(draft.answer)", ann)
                return reply.json["sent"]?.array?.first?.object?["memory"]?.array?.map(\.string)
            }
            #expect(try await used(third) == [fact.id.description])
            #expect(try await used(second) == nil)

            let quiet = #"{"memory":false}"#
            let patched = try await server.web.send(
                "PATCH", "/v1/conversations/\(third.conversation)", ann, json: quiet)
            #expect(patched.json["memory"]?.bool == false)
            let again = server.web.draft("And now?", in: third.conversation, after: third.answer)
            _ = try await server.web.put(again, ann)
            _ = try await server.web.fold(again.answer, ann)
            #expect(try await used(again) == nil)
            let hidden = try await say("In secret?", server, ann, isTemporary: true)
            #expect(try await used(hidden) == nil)
            server.house.switches.replace(.init(parts: [.memory]))
            #expect(try await used(say("Switched off?", server, ann)) == nil)
        }
    }

    @Test(
        "S22 a model that fails, talks or says nonsense proposes nothing, and its turn does not notice",
        arguments: ["", "Sure, here you go!", #"{"facts":["a","b","c","d"]}"#, #"{"facts":[1]}"#])
    func nonsense(reply: String) async throws {
        let model = model(proposing: reply, end: reply.isEmpty ? .failed(.upstreamFailed) : .finished(.complete))
        try await APIHarness.run(model) { server in
            let ann = try await server.device("ann")
            try await remember(server, ann)
            let draft = try await say("I live in Lyon now.", server, ann)
            try await eventually { model.requests.contains(where: Self.asksForFacts) }
            let answer = try await server.web.fold(draft.answer, ann)
            #expect(answer.state == .ended(Event.End(.done, .complete)))
            _ = try await say("Another", server, ann)
            try await eventually { model.requests.filter(Self.asksForFacts).count == 2 }
            #expect(try await server.store.facts(of: ann.account).isEmpty)
        }
    }

    @Test("S22 what does not fit beside the prompt is left out before the prompt is refused")
    func tooLarge() async throws {
        let model = ScriptedModel(fit: { $0.messages.first?.role == .system ? .tooLarge : .fits }) { _ in
            [.piece(.text("Hi")), .end(.finished(.complete))]
        }
        try await APIHarness.run(model, adjust: { $0.memoryModel = .off }) { server in
            let ann = try await server.device("ann")
            try await remember(server, ann)
            let text = #"{"text":"likes tea"}"#
            _ = try await server.web.send("POST", "/v1/memory", ann, json: text)
            let draft = try await say("Hello", server, ann)
            #expect(model.requests.map { $0.messages.map(\.role) } == [[.user]])
            let reply = try await server.web.send("GET", "/v1/answers/\(draft.answer)", ann)
            #expect(reply.json["sent"]?.array?.first?.object?["memory"] == nil)
        }
    }
}
