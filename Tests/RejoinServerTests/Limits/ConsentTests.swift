import RejoinCore
import TestSupport
import Testing

@testable import RejoinServer

@Suite struct ConsentTests {
    private let echo = ScriptedModel { request in
        [.piece(.text("You said: ")), .piece(.text(request.messages.last?.text ?? "")), .end(.finished(.complete))]
    }

    @Test(
        "S22 decisions are versioned records with a time, and begin at the most private value",
        arguments: StoreKind.allCases)
    func records(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            let store = scenario.store
            let begun = try await store.consent(of: scenario.ann)
            #expect(begun[.improvement] == 0 && begun[.memory] == 0 && begun[.retention] == 0)
            // Whoever made the account said that it keeps conversations, and that is a record like any other.
            #expect(begun[.history] == 1 && begun.version == 1)
            #expect(try await store.consent(of: 77)[.history] == 0)
            guard
                case .changed(let next) = try await store.setConsent(
                    [.history: 0, .retention: 30, .memory: 0], of: scenario.ann, ifVersion: 1, now: 50)
            else {
                Issue.record("not changed")
                return
            }
            #expect(next.version == 2 && next[.history] == 0 && next[.retention] == 30)
            let stale = try await store.setConsent([.history: 1], of: scenario.ann, ifVersion: 1, now: 60)
            #expect(stale == .conflict(next))
            // What is so already makes no record.
            #expect(try await store.setConsent([.memory: 0], of: scenario.ann, ifVersion: 2, now: 61) == .changed(next))
            #expect(
                try await store.consentHistory(.history, of: scenario.ann) == [
                    ConsentRecord(topic: .history, value: 1, version: 1, at: 1),
                    ConsentRecord(topic: .history, value: 0, version: 2, at: 50),
                ])
            #expect(try await scenario.feed().filter { $0.contains("consent") }.count == 1)
            let said = try await store.audit(of: scenario.ann, before: nil, limit: 9).map(\.detail)
            #expect(said == ["retention 30", "history 0"])
            #expect(try await store.consent(of: scenario.ben).version == 1)
        }
    }

    @Test(
        "S22 A43 with history off a new conversation is temporary, old ones stay, and switching on brings nothing back",
        arguments: StoreKind.allCases)
    func history(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            let store = scenario.store
            func listed() async throws -> [UInt64] {
                try await store.conversations(of: scenario.ann, limit: 10, before: nil).map(\.id.low).sorted()
            }
            _ = try await scenario.say(turn: 1, answer: 1, in: 1)
            _ = try await store.setConsent([.history: 0], of: scenario.ann, ifVersion: nil, now: 20)
            let turn = TurnRecord(
                id: 2, conversation: 2, parent: nil, content: [.text("Hi")], model: "auto", options: [], createdAt: 21)
            _ = try await store.admit(TurnAdmission(account: scenario.ann, turn: turn, answer: 2, title: "Hi"))
            let put = ConversationRecord(id: 3, title: nil, titleSource: .none, createdAt: 22, updatedAt: 22)
            guard case .created(let made) = try await store.putConversation(put, of: scenario.ann) else {
                Issue.record("not created")
                return
            }
            #expect(made.isTemporary)
            let forced = try await store.conversation(2, of: scenario.ann).value
            #expect(forced?.isTemporary == true && forced?.title == nil)
            // What was kept before goes on as it was.
            #expect(try await scenario.say(turn: 4, answer: 4, in: 1, after: 1).admitted != nil)
            #expect(try await listed() == [1])
            _ = try await store.setConsent([.history: 1], of: scenario.ann, ifVersion: nil, now: 30)
            #expect(try await listed() == [1])
            var script = LogScript(2, of: 2)
            try await scenario.write(&script, .end(.init(.done, .complete)), at: 31)
            #expect(try await store.deleteTemporaryConversations(idleSince: 100, now: 101) == 2)
            #expect(try await store.conversation(2, of: scenario.ann) == .deleted)
        }
    }

    @Test(
        "S22 conversations outlive neither their person's retention nor the server's, and running ones are let be",
        arguments: StoreKind.allCases)
    func retention(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            let store = scenario.store
            let day: Int64 = 86_400_000
            for (number, account) in [(1, scenario.ann), (2, scenario.ann), (3, scenario.ben)] as [(UInt64, AccountID)]
            {
                let (turn, answer) = (TurnID(high: 0, low: number), AnswerID(high: 0, low: number))
                _ = try await scenario.say(
                    turn: turn, answer: answer, in: ConversationID(high: 0, low: number), by: account)
                var script = LogScript(answer, of: turn)
                try await scenario.write(&script, .text("Hi"))
                if number != 2 { try await scenario.write(&script, .end(.init(.done, .complete))) }
            }
            let later = Timestamp(milliseconds: 20 * day)
            #expect(try await store.deleteOutlived(maximumDays: nil, now: later) == 0)
            _ = try await store.setConsent([.retention: 7], of: scenario.ann, ifVersion: nil, now: 40)
            #expect(try await store.deleteOutlived(maximumDays: nil, now: Timestamp(milliseconds: 7 * day)) == 0)
            #expect(try await store.deleteOutlived(maximumDays: 30, now: later) == 1)
            #expect(try await store.conversation(1, of: scenario.ann) == .deleted)
            #expect(try await store.conversation(2, of: scenario.ann).value != nil)
            // A person can choose less than the server's bound, and not more.
            _ = try await store.setConsent([.retention: 900], of: scenario.ben, ifVersion: nil, now: 41)
            #expect(try await store.deleteOutlived(maximumDays: 10, now: later) == 1)
            #expect(try await store.conversation(3, of: scenario.ben) == .deleted)
        }
    }

    @Test("S22 over the wire a decision names the version it was made on, and every device hears of it")
    func wire() async throws {
        try await APIHarness.run(echo) { server in
            let (ann, bob) = (try await server.device("ann"), try await server.device("bob"))
            let first = try await server.web.send("GET", "/v1/consent", ann)
            #expect(first.json["improvement"]?.object?["on"]?.bool == false)
            #expect(first.json["memory"]?.object?["at"]?.isNull == true)
            let tag = try #require(first.field("ETag"))
            func put(_ json: String, _ tag: String?) async throws -> TestClient.Reply {
                try await server.web.send(
                    "PUT", "/v1/consent", ann, body: Array(json.utf8), fields: tag.map { [("If-Match", $0)] } ?? [])
            }
            #expect(try await put(#"{"history":false}"#, nil).status == 400)
            for bad in [#"{"history":1}"#, "{}", #"{"retention_days":-1}"#, #"{"retention_days":true}"#] {
                #expect(try await put(bad, tag).status == 400, "\(bad)")
            }
            for bad in ["x", "\"\"", "1", "\"-\""] { #expect(try await put(#"{"history":false}"#, bad).status == 400) }
            let changed = try await put(#"{"history":false,"improvement":true}"#, tag)
            #expect(changed.status == 200 && changed.field("ETag") != tag)
            #expect(changed.json["improvement"]?.object?["version"]?.integer == 2)
            #expect(try await put(#"{"history":true}"#, tag).problem?.kind == .conflict)
            #expect(try await server.web.send("GET", "/v1/consent", ann).body == changed.body)
            #expect(try await server.web.send("GET", "/v1/consent", bob).json["history"]?.object?["on"]?.bool == true)
            let changes = try await server.web.send("GET", "/v1/changes?after=0", ann)
            #expect(String(decoding: changes.body, as: UTF8.self).contains(#""kind":"consent""#))
        }
    }

    @Test(
        "S22 S19 what happened to an account is listed for its own person, in pages, without a word of a conversation")
    func audit() async throws {
        try await APIHarness.run(echo) { server in
            let (ann, bob) = (try await server.device("ann"), try await server.device("bob"))
            let draft = server.web.draft("xyzzy")
            _ = try await server.web.put(draft, ann)
            _ = try await server.web.send("DELETE", "/v1/conversations/\(draft.conversation)", ann)
            let all = try await server.web.send("GET", "/v1/account/audit", ann)
            let items = try #require(all.json["items"]?.array)
            #expect(items.map { $0.object?["event"]?.string } == ["conversation-deleted", "signed-in"])
            #expect(!String(decoding: all.body, as: UTF8.self).contains("xyzzy"))
            let page = try await server.web.send("GET", "/v1/account/audit?limit=1", ann)
            let next = try #require(page.json["next"]?.integer)
            let rest = try await server.web.send("GET", "/v1/account/audit?limit=1&before=\(next)", ann)
            #expect(rest.json["items"]?.array?.first == items.last)
            #expect(rest.json["next"]?.isNull == true)
            let others = try await server.web.send("GET", "/v1/account/audit", bob)
            #expect(others.json["items"]?.array?.count == 1)
            #expect(try await server.web.send("GET", "/v1/account/audit?limit=0", ann).status == 400)
            for number in 1...(AuditEntry.kept + 20) {
                _ = try await server.store.setPlan("\(number)", of: bob.account, now: 1)
            }
            let kept = try await server.store.audit(of: bob.account, before: nil, limit: .max)
            #expect(kept.count == AuditEntry.kept)
        }
    }

    @Test("S22 what was sent to which model is told with each answer, its title's sending too")
    func sendings() async throws {
        try await APIHarness.run(echo) {
            $0.titleModel = "scripted"
        } _: { server in
            let ann = try await server.device("ann")
            let draft = server.web.draft("Hello")
            _ = try await server.web.put(draft, ann)
            _ = try await server.web.fold(draft.answer, ann)
            let reply = try await server.web.send("GET", "/v1/answers/\(draft.answer)", ann)
            let sent = try #require(reply.json["sent"]?.array?.first?.object)
            #expect(sent["purpose"]?.string == "answer" && sent["model"]?.string == "scripted")
            #expect(sent["placement"]?.string == "server" && sent["bytes"]?.integer == 5)
            try await eventually {
                let again = try await server.web.send("GET", "/v1/answers/\(draft.answer)", ann)
                return again.json["sent"]?.array?.count == 2
            }
        }
    }

    private func eventually(_ condition: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(10)
        while try await !condition() {
            try #require(ContinuousClock.now < deadline)
            await Task.yield()
        }
    }
}
