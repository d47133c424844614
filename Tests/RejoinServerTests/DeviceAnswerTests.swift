import RejoinCore
import RejoinServer
import TestSupport
import Testing

@Suite struct DeviceAnswerTests {
    private let model = ScriptedModel { request in
        [.piece(.text("server says \(request.messages.last?.text ?? "")")), .end(.finished(.complete))]
    }

    /// What makes a prompt's body that of a finished turn, in place of its last brace.
    static let finished = Array(
        #","finished":{"state":"done","seq":5,"content":[],"model":"pocket","started_at":"2026-01-01T00:00:00Z"}}"#.utf8
    )

    private func path(_ draft: TestClient.Draft) -> String {
        "/v1/conversations/\(draft.conversation)/turns/\(draft.turn)/finished"
    }

    private func body(
        _ draft: TestClient.Draft, text: String = "from the device", state: String = "done", more: String = ""
    ) -> String {
        let parent = draft.parent.map { "\"\($0)\"" } ?? "null"
        return """
            {"parent":\(parent),"answer":"\(draft.answer)","content":[{"type":"text","text":"\(draft.text)"}],
            "finished":{"state":"\(state)","seq":5,"content":[{"type":"text","text":"\(text)"}],"model":"pocket",
            "usage":{"input_tokens":3,"output_tokens":4,"estimated":true},
            "started_at":"2026-01-01T00:00:00Z"\(more)}}
            """
    }

    @Test("A33 S01 what a device answered is kept as it is under its ids, for ever the same, and no model runs")
    func kept() async throws {
        try await APIHarness.run(model) { server in
            let ann = try await server.device("ann")
            let draft = server.web.draft("Hello there")
            #expect(try await server.web.send("PUT", path(draft), ann, json: body(draft)).status == 201)
            #expect(try await server.web.send("PUT", path(draft), ann, json: body(draft)).status == 200)
            let other = try await server.web.send("PUT", path(draft), ann, json: body(draft, text: "something else"))
            #expect(other.status == 409)
            #expect(model.requests.isEmpty)
            let shown = try await server.web.send("GET", "/v1/answers/\(draft.answer)", ann).json
            #expect(shown["placement"]?.string == "device")
            #expect(shown["model"]?.string == "pocket")
            #expect(shown["state"]?.string == "done")
            #expect(shown["seq"]?.integer == 5)
            let events = try await server.web.events(draft.answer, ann)
            #expect(events.map(\.event.type) == ["snapshot", "end"])
            let line = try await server.web.send("GET", "/v1/conversations/\(draft.conversation)", ann).json
            #expect(line["title"]?.string == "Hello there")
            // The same turn as a prompt finds the answer that it has.
            let reply = try await server.web.put(draft, ann)
            #expect(reply.status == 200)
            #expect(model.requests.isEmpty)
        }
    }

    @Test("A33 S15 a conversation goes on from a device's answer, and the model is shown it")
    func goesOn() async throws {
        try await APIHarness.run(model) { server in
            let ann = try await server.device("ann")
            let first = server.web.draft("Hello")
            _ = try await server.web.put(first, ann)
            _ = try await server.web.fold(first.answer, ann)
            let second = server.web.draft("And offline?", in: first.conversation, after: first.answer)
            #expect(try await server.web.send("PUT", path(second), ann, json: body(second)).status == 201)
            let third = server.web.draft("Go on", in: first.conversation, after: second.answer)
            _ = try await server.web.put(third, ann)
            _ = try await server.web.fold(third.answer, ann)
            let last = try #require(model.requests.last).messages.map(\.text)
            #expect(last == ["Hello", "server says Hello", "And offline?", "from the device", "Go on"])
        }
    }

    @Test("S20 what a device answered counts for nothing: the quota is as it was")
    func counted() async throws {
        let plan = Plan("tight", quotas: [Quota(.turns, amount: 1)])
        try await APIHarness.run(model, adjust: { $0.plans = PlanBook([plan], standard: "tight") }) { server in
            let ann = try await server.device("ann")
            for number in 0..<3 {
                let draft = server.web.draft("offline \(number)")
                #expect(try await server.web.send("PUT", path(draft), ann, json: body(draft)).status == 201)
            }
            #expect(try await server.web.put(server.web.draft("one"), ann).status == 201)
            #expect(try await server.web.put(server.web.draft("two"), ann).status == 429)
        }
    }

    @Test("S29 what is no finished answer is refused with its field, and nothing is kept")
    func invalid() async throws {
        try await APIHarness.run(model) { server in
            let ann = try await server.device("ann")
            let draft = server.web.draft("Hello")
            let good = body(draft)
            let bad: [(String, String)] = [
                (good.replacing("\"done\"", with: "\"streaming\""), "finished.state"),
                (good.replacing("\"seq\":5", with: "\"seq\":0"), "finished.seq"),
                (good.replacing("\"pocket\"", with: "\"\""), "finished.model"),
                (good.replacing("\"pocket\"", with: "\"a\\u0000b\""), "finished.model"),
                (good.replacing("\"2026-01-01T00:00:00Z\"", with: "\"soon\""), "finished.started_at"),
                (good.replacing("\"output_tokens\":4", with: "\"output_tokens\":-4"), "finished.usage"),
                (body(draft, more: ",\"ended_at\":\"2025-01-01T00:00:00Z\""), "finished.ended_at"),
                (body(draft, more: ",\"reason\":\"because of me\""), "finished.reason"),
                (good.replacing("\"finished\"", with: "\"done\""), "finished"),
                (body(draft, text: ""), "finished.content[0]"),
                (body(draft, text: String(repeating: "x", count: 300 << 10)), "finished.content"),
            ]
            for (body, field) in bad {
                let reply = try await server.web.send("PUT", path(draft), ann, json: body)
                #expect([400, 413].contains(reply.status), "\(field): \(reply.status)")
                #expect(reply.json["field"]?.string == field)
            }
            let missing = server.web.draft("x", in: draft.conversation, after: server.surroundings.makeID())
            #expect(try await server.web.send("PUT", path(missing), ann, json: body(missing)).status == 404)
            #expect(try await server.web.send("GET", "/v1/conversations/\(draft.conversation)", ann).status == 404)
        }
    }

    @Test("S18 S22 nothing comes back into a deleted conversation, and nothing stays where no history is kept")
    func gone() async throws {
        try await APIHarness.run(model) { server in
            let ann = try await server.device("ann")
            let draft = server.web.draft("Hello")
            _ = try await server.web.send("PUT", path(draft), ann, json: body(draft))
            _ = try await server.web.send("DELETE", "/v1/conversations/\(draft.conversation)", ann)
            #expect(try await server.web.send("PUT", path(draft), ann, json: body(draft)).status == 410)
            _ = try await server.store.setConsent(
                [.history: 0], of: ann.account, ifVersion: nil, now: server.surroundings.wall())
            let late = server.web.draft("Hello")
            #expect(try await server.web.send("PUT", path(late), ann, json: body(late)).status == 201)
            let line = try await server.web.send("GET", "/v1/conversations/\(late.conversation)", ann).json
            #expect(line["temporary"]?.bool == true)
        }
    }

    @Test("A34 a device that holds the conversation is told of the turn and of the answer")
    func told() async throws {
        try await APIHarness.run(model) { server in
            let ann = try await server.device("ann")
            let first = server.web.draft("Hello")
            _ = try await server.web.put(first, ann)
            _ = try await server.web.fold(first.answer, ann)
            let before = try await server.web.send("GET", "/v1/changes?after=0", ann).json["cursor"]?.integer ?? 0
            let second = server.web.draft("offline", in: first.conversation, after: first.answer)
            _ = try await server.web.send("PUT", path(second), ann, json: body(second))
            let changes = try await server.web.send("GET", "/v1/changes?after=\(before)", ann).json["changes"]?.array
            let kinds = (changes ?? []).compactMap { $0.object?["kind"]?.string }
            #expect(kinds == ["turn", "answer", "conversation"])
        }
    }
}
