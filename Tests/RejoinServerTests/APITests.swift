import HTTPClient
import RejoinCore
import Synchronization
import TestSupport
import SeededRandom
import Testing

@testable import RejoinServer

@Suite(.timeLimit(.minutes(1))) struct APITests {
    private let echo = ScriptedModel { request in
        [.piece(.text("You said: ")), .piece(.text(request.messages.last?.text ?? "")), .end(.finished(.complete))]
    }

    @Test("S01 the same turn sent again rejoins its answer; with other content it is refused and changes nothing")
    func idempotentTurn() async throws {
        try await APIHarness.run(echo) { server in
            let ann = try await server.device("ann")
            var draft = server.web.draft("Hello")
            #expect(try await server.web.put(draft, ann).status == 201)
            let first = try await server.web.events(draft.answer, ann)
            for _ in 1...3 {
                var again = draft
                again.answer = server.surroundings.makeID()
                let reply = try await server.web.put(again, ann)
                #expect(reply.status == 200)
                #expect(reply.json["answer"]?.string == draft.answer.description)
            }
            #expect(try await server.web.events(draft.answer, ann) == first)
            #expect(echo.requests.count == 1)
            draft.text = "Something else"
            let refused = try await server.web.put(draft, ann)
            #expect(refused.status == 409 && refused.problem?.kind == .turnConflict)
            #expect(try await server.web.events(draft.answer, ann) == first)
            #expect(echo.requests.count == 1)
        }
    }

    @Test("S01 twenty copies of one turn at once give one run and one answer")
    func copies() async throws {
        try await APIHarness.run(echo) { server in
            let ann = try await server.device("ann")
            let draft = server.web.draft("Hello")
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 1...20 {
                    group.addTask {
                        var copy = draft
                        copy.answer = server.surroundings.makeID()
                        return try await server.web.put(copy, ann).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == 201 }.count == 1)
            #expect(statuses.filter { $0 == 200 }.count == 19)
            #expect(echo.requests.count == 1)
        }
    }

    @Test("S03 for every cursor the stream goes on exactly where it was, and 204 says that nothing will come")
    func resume() async throws {
        let model = ScriptedModel(saying: (1...30).map { "piece \($0) " })
        try await APIHarness.run(model) { server in
            let ann = try await server.device("ann")
            let draft = server.web.draft("Hello")
            _ = try await server.web.put(draft, ann)
            let all = try await server.web.events(draft.answer, ann)
            #expect(all.map(\.seq) == Array(1...all.count))
            for cursor in 0..<all.count {
                #expect(try await server.web.events(draft.answer, after: cursor, ann) == Array(all[cursor...]))
            }
            let over = try await server.web.send("GET", "/v1/answers/\(draft.answer)/events?after=\(all.count)", ann)
            #expect(over.status == 204)
        }
    }

    @Test("S12 an answer whose log was dropped is read by a snapshot event and its end")
    func compacted() async throws {
        try await APIHarness.run(echo) { server in
            let ann = try await server.device("ann")
            let draft = server.web.draft("Hello")
            _ = try await server.web.put(draft, ann)
            let live = try await server.web.fold(draft.answer, ann)
            let later = server.surroundings.wall().advanced(byMilliseconds: 1000)
            #expect(try await server.store.compactLogs(endedBefore: later, limit: 10) == 1)
            let events = try await server.web.events(draft.answer, ann)
            #expect(events.map(\.event.type) == ["snapshot", "end"])
            #expect(events.last?.seq == live.seq)
            // A reader with an old cursor ends with the same text as one that saw every event.
            for cursor in 0..<live.seq {
                var answer = Answer(
                    id: live.id, turn: live.turn, state: .streaming, seq: cursor, content: [.text("You")])
                for event in try await server.web.events(draft.answer, after: cursor, ann) { answer.apply(event) }
                if cursor < live.seq - 1 { #expect(answer.text == live.text) }
                #expect(answer.state == live.state)
            }
        }
    }

    @Test("S15 A49 the path that is shown is the path that the model is given, over a walk of edits and regenerations")
    func pathWalk() async throws {
        let model = ScriptedModel { request in
            [.piece(.text("reply to \(request.messages.last?.text ?? "")")), .end(.finished(.complete))]
        }
        try await APIHarness.run(model) { server in
            let ann = try await server.device("ann")
            var generator = SeededGenerator(seed: 15)
            let conversation: ConversationID = server.surroundings.makeID()
            var answers: [AnswerID] = []
            var turns: [TurnID] = []
            for number in 1...1000 {
                let parent = number == 1 ? nil : answers.randomElement(using: &generator)
                let answer: AnswerID
                if number % 5 == 0, let turn = turns.randomElement(using: &generator) {
                    answer = server.surroundings.makeID()
                    let reply = try await server.web.send("PUT", "/v1/turns/\(turn)/answers/\(answer)", ann, json: "{}")
                    #expect(reply.status == 201)
                } else {
                    let draft = server.web.draft("prompt \(number)", in: conversation, after: parent)
                    #expect(try await server.web.put(draft, ann).status == 201)
                    answer = draft.answer
                    turns.append(draft.turn)
                }
                _ = try await server.web.fold(answer, ann)
                answers.append(answer)
                // Reading the whole tree each time would be the test's cost and not the server's.
                guard number % 20 == 0 || number < 50 else { continue }
                let chosen = try await server.web.send(
                    "PATCH", "/v1/conversations/\(conversation)", ann, json: #"{"selected":"\#(answer)"}"#)
                #expect(chosen.status == 200)
                let shown = try await shownPath(conversation, server, ann)
                let sent = try #require(model.requests.last).messages.map(\.text)
                #expect(shown.dropLast() == sent[...])
            }
        }
    }

    /// The texts of the selected path as a reply shows them: prompts and answers in turn.
    private func shownPath(
        _ conversation: ConversationID, _ server: APIHarness, _ device: TestClient.Device
    ) async throws -> [String] {
        let reply = try await server.web.send("GET", "/v1/conversations/\(conversation)?path=selected", device)
        let turns = try #require(reply.json["turns"]?.array)
        var texts: [String] = []
        for step in try #require(reply.json["path"]?.array) {
            let turn = turns.first { $0.object?["id"] == step.object?["turn"] }
            let answer = turn?.object?["answers"]?.array?.first { $0.object?["id"] == step.object?["answer"] }
            for content in [turn?.object?["content"], answer?.object?["content"]] {
                texts.append(ContentPart.text(of: ContentPart.parts(content?.array ?? []) ?? []))
            }
        }
        return texts
    }

    @Test("S19 every route answers another account's ids as if they did not exist")
    func otherAccounts() async throws {
        try await APIHarness.run(echo) { server in
            let ann = try await server.device("ann")
            let bob = try await server.device("bob")
            let draft = server.web.draft("Ann's secret")
            _ = try await server.web.put(draft, ann)
            _ = try await server.web.fold(draft.answer, ann)
            let session = try #require(try await server.store.sessions(of: ann.account).first)
            let before = try await server.web.send("GET", "/v1/conversations/\(draft.conversation)", ann)
            let task = TaskRecord(id: server.web.id(), account: ann.account, kind: .export, createdAt: 1)
            _ = try await server.store.createTask(task)
            let fact = Fact(
                id: server.web.id(), text: "secret", source: .person, isAccepted: true, createdAt: 1, updatedAt: 1)
            _ = try await server.store.addFact(fact, of: ann.account, isAsked: false, now: 1)
            // Ann came first and is the owner: these ask for the role before they look anything up.
            let ownerOnly: Set<Route> = [.patchAccount, .deleteAccount, .revokeInvite]
            let invite = InviteRecord(
                id: server.web.id(), maker: ann.account, createdAt: 1, expiresAt: server.surroundings.wall())
            try await server.store.createInvite(invite, codeHash: [1])
            let (passkey, identity) = try await KeyFixture.give(to: ann.account, in: server.store)
            var walked = 0
            for route in Route.allCases where route.pattern.contains("{") {
                let path = route.pattern.replacing("{conversation}", with: draft.conversation.description)
                    .replacing("{turn}", with: draft.turn.description)
                    .replacing("{answer}", with: draft.answer.description)
                    .replacing("{session}", with: session.id.description)
                    .replacing("{task}", with: task.id.description)
                    .replacing("{fact}", with: fact.id.description)
                    .replacing("{account}", with: ann.account.description)
                    .replacing("{invite}", with: invite.id.description)
                    .replacing("{passkey}", with: passkey.id.description)
                    .replacing("{identity}", with: identity.id.description)
                    // Its key is the caller's own; of it only the name of the operation can be unknown.
                    .replacing("{operation}", with: "nowhere").replacing("{key}", with: draft.turn.description)
                let needsBody = ["PUT", "PATCH"].contains(route.method)
                // The body is one that would be right for Ann, so that only the ids are in the way.
                let body =
                    switch route {
                    case .renameSession: Array(#"{"device":"Bob's"}"#.utf8)
                    case .putFinishedTurn: draft.body.dropLast() + DeviceAnswerTests.finished
                    default: draft.body
                    }
                let reply = try await server.web.send(
                    String(route.method), String(path), bob, body: needsBody ? body : nil)
                #expect(reply.status == (ownerOnly.contains(route) ? 403 : 404), "\(route.rawValue)")
                #expect(!String(decoding: reply.body, as: UTF8.self).contains("secret"))
                walked += 1
            }
            #expect(walked >= 10)
            #expect(try await server.store.account(ann.account)?.role == .owner)
            #expect(try await server.store.sessions(of: ann.account).first == session)
            for list in ["/v1/accounts", "/v1/invites"] {
                #expect(try await server.web.send("GET", list, bob).problem?.kind == .forbidden)
            }
            for list in [
                "/v1/conversations", "/v1/changes", "/v1/sessions", "/v1/tasks", "/v1/search?q=secret", "/v1/memory",
                "/v1/passkeys", "/v1/identities",
            ] {
                let reply = try await server.web.send("GET", list, bob)
                let body = String(decoding: reply.body, as: UTF8.self)
                #expect(!body.contains(draft.conversation.description) && !body.contains("secret"))
            }
            #expect(
                try await server.web.send("GET", "/v1/conversations/\(draft.conversation)", ann).body == before.body)
        }
    }

    @Test("S19 no route but the open ones answers without a token")
    func withoutToken() async throws {
        try await APIHarness.run(echo) { server in
            let open: Set<Route> = [
                .health, .ready, .metrics, .interface, .createAccount, .signIn, .signInLink, .lookAtInvite,
                .authorizeDevice, .deviceToken, .signInWays, .challengePasskey, .signInByPasskey, .startOpenID,
                .finishOpenID,
            ]
            for route in Route.allCases where !open.contains(route) {
                let path = route.pattern.replacing("{session}", with: "current")
                let reply = try await server.web.send(String(route.method), String(path), nil)
                #expect(reply.status == 401, "\(route.rawValue)")
            }
        }
    }

    @Test(
        "S29 bad input gets a problem document that names the fault, and changes nothing",
        arguments: [
            ("", 400), ("{", 400), ("[]", 400), ("null", 400), ("{\"a\":1,\"a\":2}", 400), ("\u{FEFF}{}", 400),
            (#"{"answer":1,"content":[]}"#, 400), (#"{"answer":"X","content":[{"type":"text","text":"x"}]}"#, 400),
            (#"{"answer":"%A","content":"x"}"#, 400), (#"{"answer":"%A","content":[]}"#, 400),
            (#"{"answer":"%A","content":[{"type":"text"}]}"#, 400),
            (#"{"answer":"%A","content":[{"type":"text","text":"  \n "}]}"#, 400),
            (#"{"answer":"%A","content":[{"type":"attachment","upload":"x"}]}"#, 415),
            (#"{"answer":"%A","parent":7,"content":[{"type":"text","text":"x"}]}"#, 400),
            (#"{"answer":"%A","content":[{"type":"text","text":"x"}],"model":"nope"}"#, 400),
            (#"{"answer":"%A","content":[{"type":"text","text":"x"}],"options":{"temperature":1e999}}"#, 400),
            (#"{"answer":"%A","content":[{"type":"text","text":"x"}],"options":{"temperature":-1}}"#, 400),
            (#"{"answer":"%A","content":[{"type":"text","text":"x"}],"options":{"nonsense":1}}"#, 400),
            (#"{"answer":"%A","content":[{"type":"text","text":"\ud800"}]}"#, 400),
        ])
    func badTurn(body: String, status: Int) async throws {
        try await APIHarness.run(echo) { server in
            let ann = try await server.device("ann")
            let draft = server.web.draft("")
            let text = body.replacing("%A", with: draft.answer.description)
            let reply = try await server.web.send("PUT", draft.path, ann, json: text)
            #expect(reply.status == status)
            #expect(reply.field("Content-Type") == "application/problem+json")
            #expect(reply.problem?.kind.status == status)
            #expect(try await server.web.send("GET", "/v1/conversations", ann).json["items"]?.array == [])
            #expect(echo.requests.isEmpty)
        }
    }

    @Test("S29 bodies and prompts over their bounds, broken text and endless nesting are refused")
    func bounds() async throws {
        try await APIHarness.run(
            echo,
            adjust: {
                $0.limits.bodyBytes = 200_000; $0.limits.promptBytes = 1000
            }
        ) { server in
            let ann = try await server.device("ann")
            let long = server.web.draft(String(repeating: "x", count: 1001))
            #expect(try await server.web.put(long, ann).problem?.kind == .payloadTooLarge)
            let huge = server.web.draft(String(repeating: "x", count: 300_000))
            #expect(try await server.web.put(huge, ann).problem?.kind == .payloadTooLarge)
            let draft = server.web.draft("x")
            let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
            #expect(try await server.web.send("PUT", draft.path, ann, json: deep).status == 400)
            var broken = draft.body
            broken.replaceSubrange(broken.firstRange(of: Array(#""x""#.utf8)) ?? 0..<0, with: [0x22, 0xFF, 0xC0, 0x22])
            #expect(try await server.web.send("PUT", draft.path, ann, body: broken).status == 400)
            let xml = try await server.web.send(
                "PUT", draft.path, ann, body: draft.body, fields: [("Content-Type", "text/xml")])
            #expect(xml.problem?.kind == .unsupportedMedia)
        }
    }

    @Test(
        "S29 ids, cursors and pages that make no sense are refused; unknown ones are not found",
        arguments: [
            ("GET", "/v1/answers/nonsense", 400), ("GET", "/v1/answers/00000000-0000-7000-8000-000000000000", 404),
            ("GET", "/v1/answers/00000000-0000-7000-8000-00000000000A", 400), ("GET", "/v1/changes?after=-1", 400),
            ("GET", "/v1/changes?after=99999999999999999999", 400), ("GET", "/v1/conversations?limit=0", 400),
            ("GET", "/v1/conversations?before=x", 400), ("GET", "/v1/nothing", 404), ("POST", "/v1/conversations", 405),
            ("DELETE", "/v1/invites/look", 405),
            ("DELETE", "/v1/sessions/x", 400), ("GET", "/v1/conversations/../../etc/passwd", 404),
        ])
    func badPaths(method: String, path: String, status: Int) async throws {
        try await APIHarness.run(echo) { server in
            let reply = try await server.web.send(method, path, try await server.device("ann"))
            #expect(reply.status == status)
            #expect(reply.problem?.kind.status == status)
        }
    }

    @Test("S06 a follower that leaves stops nothing; a stop over the wire ends the stream with what was said")
    func leavingIsNotStopping() async throws {
        let never = Gate()
        let model = ScriptedModel { _ in [.piece(.text("so far")), .wait(never)] }
        try await APIHarness.run(model) { server in
            let ann = try await server.device("ann")
            let draft = server.web.draft("Hello")
            let streamed = try await server.web.client.send(
                server.web.request("PUT", draft.path, ann, body: draft.body, fields: [("Accept", "text/event-stream")]))
            #expect(streamed.status == 200)
            #expect(streamed.field("content-location") == "/v1/answers/\(draft.answer)/events")
            var seen: [UInt8] = []
            while !String(decoding: seen, as: UTF8.self).contains("so far") {
                let piece = try await streamed.nextPiece()
                seen += try #require(piece)
            }
            streamed.cancel()
            #expect(server.house.runs.isRunning(draft.answer))
            async let following = server.web.fold(draft.answer, ann)
            let stop = try await server.web.send("POST", "/v1/answers/\(draft.answer)/stop", ann)
            #expect(stop.status == 200 && stop.json["state"]?.string == "stopped")
            let fold = try await following
            #expect(fold.text == "so far" && fold.state.end?.state == .stopped)
            #expect(stop.json["seq"]?.integer == fold.seq)
            #expect(model.cancelledCount == 1)
            let again = try await server.web.send("POST", "/v1/answers/\(draft.answer)/stop", ann)
            #expect(again.body == stop.body)
        }
    }

    @Test("S17 a prompt with an old view makes a branch, and nothing that is there goes away")
    func staleWriter() async throws {
        try await APIHarness.run(echo) { server in
            let ann = try await server.device("ann")
            let first = server.web.draft("one")
            _ = try await server.web.put(first, ann)
            for text in ["two", "other two"] {
                let draft = server.web.draft(text, in: first.conversation, after: first.answer)
                #expect(try await server.web.put(draft, ann).status == 201)
            }
            let tree = try await server.web.send("GET", "/v1/conversations/\(first.conversation)", ann)
            #expect(tree.json["turns"]?.array?.count == 3)
        }
    }

    @Test("S18 deleting stops the answer, empties the conversation, and refuses what comes late")
    func deleting() async throws {
        let never = Gate()
        let model = ScriptedModel { _ in [.piece(.text("to be forgotten")), .wait(never)] }
        try await APIHarness.run(model) { server in
            let ann = try await server.device("ann")
            let draft = server.web.draft("Hello")
            _ = try await server.web.put(draft, ann)
            while model.requests.isEmpty { await Task.yield() }
            let path = "/v1/conversations/\(draft.conversation)"
            #expect(try await server.web.send("DELETE", path, ann).status == 204)
            #expect(try await server.web.send("DELETE", path, ann).status == 204)
            #expect(try await server.web.send("GET", path, ann).problem?.kind == .deleted)
            #expect(try await server.web.put(draft, ann).problem?.kind == .deleted)
            #expect(try await server.web.send("GET", "/v1/answers/\(draft.answer)", ann).status == 410)
            while model.cancelledCount == 0 { await Task.yield() }
            let changes = try await server.web.send("GET", "/v1/changes", ann)
            #expect(String(decoding: changes.body, as: UTF8.self).contains(#""op":"delete""#))
        }
    }

    @Test("A34 another device hears of a new conversation while it listens")
    func liveChanges() async throws {
        try await APIHarness.run(echo) { server in
            let phone = try await server.device("ann")
            let desk = try await server.device("ann")
            let listening = try await server.web.client.send(
                server.web.request("GET", "/v1/changes?after=0", desk, fields: [("Accept", "text/event-stream")]))
            let draft = server.web.draft("Hello")
            _ = try await server.web.put(draft, phone)
            var heard: [UInt8] = []
            while !String(decoding: heard, as: UTF8.self).contains(draft.conversation.description) {
                let piece = try await listening.nextPiece()
                heard += try #require(piece)
            }
            listening.cancel()
        }
    }

    @Test("S36 no prompt, answer or token is in the metrics, and they say what happened")
    func metrics() async throws {
        try await APIHarness.run(echo) { server in
            let ann = try await server.device("ann")
            let draft = server.web.draft("canary-prompt")
            _ = try await server.web.put(draft, ann)
            _ = try await server.web.fold(draft.answer, ann)
            let text = String(decoding: try await server.web.send("GET", "/metrics", nil).body, as: UTF8.self)
            #expect(!text.contains("canary") && !text.contains(ann.token))
            #expect(text.contains(#"rejoin_answers_ended_total{state="done"} 1"#))
            #expect(try await server.web.send("GET", "/health", nil).status == 200)
            #expect(try await server.web.send("GET", "/ready", nil).json["status"]?.string == "ready")
        }
    }

    @Test("S19 with a cookie, everything but reading wants the client's header")
    func cookie() async throws {
        try await APIHarness.run(echo) { server in
            let ann = try await server.device("ann")
            let cookie = ("Cookie", "other=1; rejoin_session=\(ann.token)")
            #expect(try await server.web.send("GET", "/v1/conversations", nil, fields: [cookie]).status == 200)
            let draft = server.web.draft("Hello")
            let forged = try await server.web.send("PUT", draft.path, nil, body: draft.body, fields: [cookie])
            #expect(forged.problem?.kind == .forbidden)
            let own = ("X-Rejoin-Client", "web/1")
            #expect(
                try await server.web.send("PUT", draft.path, nil, body: draft.body, fields: [cookie, own]).status == 201
            )
        }
    }

    @Test("S19 a sign-in link works once, and a device that is signed out hears and asks no more")
    func signingInAndOut() async throws {
        try await APIHarness.run(echo) { server in
            let ann = try await server.device("ann")
            let accounts = Accounts(store: server.store, surroundings: server.surroundings)
            let code = try await accounts.makeSignInCode(for: ann.account, validFor: .seconds(60))
            let first = try await server.web.send("GET", "/sign-in?code=\(code)", nil)
            #expect(first.status == 303 && first.field("Set-Cookie")?.contains("HttpOnly; SameSite=Strict") == true)
            let second = try await server.web.send("GET", "/sign-in?code=\(code)", nil)
            #expect(second.status == 303 && second.field("Set-Cookie") == nil)
            let other = try await server.device("ann")
            #expect(try await server.web.send("DELETE", "/v1/sessions/current", other).status == 204)
            #expect(try await server.web.send("GET", "/v1/conversations", other).status == 401)
            #expect(try await server.web.send("GET", "/v1/conversations", ann).status == 200)
        }
    }
}
