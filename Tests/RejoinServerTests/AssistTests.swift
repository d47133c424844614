import RejoinAssist
import RejoinCore
import TestSupport
import Testing

@testable import RejoinServer

@Suite(.timeLimit(.minutes(1))) struct AssistTests {
    private let registry = AssistRegistry([LabelOperation.self])
    private let labeller = ScriptedModel { request in
        let text = request.messages.last?.text ?? ""
        return [
            .piece(.text(#"{"label":""#)), .piece(.text("\(text.utf8.count)\"}")),
            .piece(.usage(Event.Usage(inputTokens: 7, outputTokens: 3, isEstimated: false))),
            .end(.finished(.complete)),
        ]
    }
    private let body = #"{"title":"Bread","hints":["a","b"]}"#

    private func path(_ key: TurnID, _ name: String = "label") -> String { "/v1/assist/\(name)/\(key)" }

    @Test func `an operation's request becomes its own task and gives back the output with its usage`() async throws {
        try await APIHarness.run(labeller, assists: registry) { server in
            let ann = try await server.device("ann")
            let reply = try await server.web.send("PUT", path(server.web.id()), ann, json: body)
            #expect(reply.status == 200)
            #expect(reply.json["output"]?.string == #"{"label":"12"}"#)
            #expect(reply.json["usage"]?.object?["input_tokens"]?.integer == 7)
            let request = try #require(labeller.requests.first)
            #expect(request.messages == [.init(.system, "Label it."), .init(.user, "Bread [a, b]")])
            #expect(request.maximumOutputTokens == 20)
            let schema = try JSONReader.parse(try #require(request.schema))
            #expect(schema == LabelOperation.shape.jsonSchema)
        }
    }

    @Test("R40 the same key runs once, whatever is lost on the way, and with another request it is refused")
    func repeated() async throws {
        let gate = Gate()
        let slow = ScriptedModel { _ in [.wait(gate), .piece(.text("{}")), .end(.finished(.complete))] }
        try await APIHarness.run(slow, assists: registry) { server in
            let ann = try await server.device("ann")
            let key: TurnID = server.web.id()
            // The first is lost while the model works, the rest come before and after it is done.
            let lost = Task { try await server.web.send("PUT", path(key), ann, json: body) }
            while slow.requests.isEmpty { await Task.yield() }
            lost.cancel()
            _ = await lost.result
            async let again = server.web.send("PUT", path(key), ann, json: body)
            gate.open()
            #expect(try await again.json["output"]?.string == "{}")
            for _ in 0..<3 {
                #expect(try await server.web.send("PUT", path(key), ann, json: body).json["output"]?.string == "{}")
            }
            #expect(slow.requests.count == 1)
            let other = try await server.web.send("PUT", path(key), ann, json: #"{"title":"Milk","hints":[]}"#)
            #expect(other.problem?.kind == .turnConflict)
            // Another account's key is as if it were not there.
            let bob = try await server.device("bob")
            #expect(try await server.web.send("PUT", path(key), bob, json: body).problem?.kind == .notFound)
            #expect(slow.requests.count == 1)
        }
    }

    @Test func `the answer of a key is kept for a day, and then a resend is refused and not run again`() async throws {
        try await APIHarness.run(labeller, assists: registry) { server in
            let ann = try await server.device("ann")
            let key: TurnID = server.web.id()
            _ = try await server.web.send("PUT", path(key), ann, json: body)
            let now = server.surroundings.wall()
            let almost = now.advanced(byMilliseconds: -86_000_000)
            #expect(try await server.store.deleteTemporaryConversations(idleSince: almost, now: now) == 0)
            #expect(try await server.web.send("PUT", path(key), ann, json: body).status == 200)
            let later = now.advanced(byMilliseconds: 86_500_000)
            #expect(try await server.store.deleteTemporaryConversations(idleSince: later, now: later) == 1)
            #expect(try await server.web.send("PUT", path(key), ann, json: body).problem?.kind == .deleted)
            #expect(labeller.requests.count == 1)
        }
    }

    @Test(
        "R35 a request with a field too many, of the wrong type, too long or too often is refused and runs nothing",
        arguments: [
            (#"{"title":"a","hints":[],"system":"x"}"#, nil), (#"{"title":1,"hints":[]}"#, "title"),
            (#"{"hints":[]}"#, "title"), (#"{"title":"abcdefghijk","hints":[]}"#, "title"),
            (#"{"title":"a","hints":["1","2","3","4"]}"#, "hints"), (#"{"title":"a","hints":[{}]}"#, "hints[0]"),
            (#"{"title":"a","hints":"b"}"#, "hints"), (#"[]"#, nil), (#"{"title":"nonsense","hints":[]}"#, nil),
        ] as [(String, String?)])
    func strict(body: String, field: String?) async throws {
        try await APIHarness.run(labeller, assists: registry) { server in
            let ann = try await server.device("ann")
            let reply = try await server.web.send("PUT", path(server.web.id()), ann, json: body)
            #expect(reply.problem?.kind == .invalidRequest)
            #expect(reply.problem?.field == field)
            #expect(labeller.requests.isEmpty)
        }
    }

    @Test func `an operation that is not there, a key that is none and a caller without a token are refused`()
        async throws
    {
        try await APIHarness.run(labeller, assists: registry) { server in
            let ann = try await server.device("ann")
            let key: TurnID = server.web.id()
            #expect(try await server.web.send("PUT", path(key, "other"), ann, json: body).problem?.kind == .notFound)
            let bad = try await server.web.send("PUT", "/v1/assist/label/1", ann, json: body)
            #expect(bad.problem?.kind == .invalidRequest)
            #expect(try await server.web.send("PUT", path(key), nil, json: body).problem?.kind == .unauthenticated)
            #expect(try await server.web.send("POST", path(key), ann, json: body).problem?.kind == .methodNotAllowed)
        }
    }

    @Test("R41 how a run failed is told by a code, and that its key is used up")
    func failures() async throws {
        func problem(_ end: ModelEnd) async throws -> TestClient.Reply {
            var got: TestClient.Reply?
            let model = ScriptedModel { _ in [.end(end)] }
            try await APIHarness.run(model, assists: registry) { server in
                let ann = try await server.device("ann")
                got = try await server.web.send("PUT", path(server.web.id()), ann, json: body)
            }
            return try #require(got)
        }
        #expect(try await problem(.failed(.upstreamFailed)).problem?.kind == .modelUnavailable)
        #expect(try await problem(.interrupted(.upstreamClosed)).problem?.kind == .modelUnavailable)
        #expect(try await problem(.refused(.contextTooLarge)).problem?.kind == .contextTooLarge)
        #expect(try await problem(.refused(.contentFilter)).json["refused"]?.string == "content-filter")
    }
}

/// A small operation of a test: a title and a few hints, a label back.
private enum LabelOperation: ServedOperation {
    struct Input: Sendable {
        let title: String
        let hints: [String]
    }

    static let profile = OperationProfile(
        id: "label", budget: TokenBudget(input: 100, output: 20), dataClass: .minimised)
    static let kind = ResponseKind.actionable
    static let pipeline = ValidationPipeline<Input, String, String> { draft, _, _ throws(ValidationFailure) in draft }
    static let shape = DraftSchema.object([.init("label", .string(upTo: 8))])
    static let requestShape = DraftSchema.object([
        .init("title", .string(upTo: 10)), .init("hints", .array(of: .string(upTo: 5), 0...3)),
    ])

    static func task(for input: Input) -> ModelTask {
        ModelTask(
            instructions: "Label it.", prompt: "\(input.title) [\(input.hints.joined(separator: ", "))]", schema: shape,
            maximumTokens: 20)
    }

    static func draft(from text: String, for input: Input) throws(ValidationFailure) -> String { text }

    static func request(for input: Input) -> JSONValue {
        .object(
            JSONObject([
                .init(name: "title", value: .string(input.title)),
                .init(name: "hints", value: .array(input.hints.map(JSONValue.string))),
            ]))
    }

    static func input(from request: JSONValue) -> Input? {
        guard let object = request.object, let title = object["title"]?.string, title != "nonsense" else { return nil }
        return Input(title: title, hints: object["hints"]?.array?.compactMap(\.string) ?? [])
    }
}
