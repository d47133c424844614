import RejoinClient
import RejoinCore
import RejoinTestKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct RejoinClientCallTests {
    static let conversation: ConversationID = ID(high: 1, low: 0)
    static let answer: AnswerID = ID(high: 1, low: 2)

    @Test func `a call whose line breaks is made again, three times at most`() async throws {
        let clock = ManualClock()
        let transport = ScriptedTransport { _, number in
            if number < 3 { throw TransportFailure(.dropped, "broken") }
            return .json(#"{"state":"stopped","seq":4}"#)
        }
        let client = RejoinClient(address: "http://fake", token: nil, transport: transport, clock: clock)
        let isDone = Flag()
        async let pump: Void = {
            while !isDone.isSet {
                clock.advance(by: .milliseconds(100))
                try? await Task.sleep(for: .microseconds(200))
            }
        }()
        let state = try await client.stop(Self.answer)
        #expect(state == "stopped")
        #expect(transport.requests.count == 3)
        let broken = ScriptedTransport { _, _ in throw TransportFailure(.dropped, "broken") }
        let error = await #expect(throws: ClientError.self) {
            try await RejoinClient(address: "http://fake", token: nil, transport: broken, clock: clock).stop(
                Self.answer)
        }
        #expect(error?.code == .dropped)
        #expect(broken.requests.count == 3)
        isDone.set()
        await pump
    }

    @Test func `a refusal is not asked for twice`() async {
        let transport = ScriptedTransport { _, _ in .problem(Problem(.notFound, "")) }
        let client = RejoinClient(address: "http://fake", token: nil, transport: transport)
        let error = await #expect(throws: ClientError.self) { try await client.answer(Self.answer) }
        #expect(error?.code == ClientError.Code(.notFound))
        #expect(transport.requests.count == 1)
    }

    @Test func `each call is the request of the protocol`() async throws {
        let transport = ScriptedTransport { request, _ in
            switch request.method {
            case "DELETE": TransportReply(status: 204, body: ScriptedBody(then: .success(()))) { _ in nil }
            default: .json(#"{"items":[],"changes":[],"cursor":3,"more":true}"#)
            }
        }
        let client = RejoinClient(address: "http://fake", token: "t", transport: transport)
        _ = try await client.conversations(limit: 7, before: "a b&c")
        try await client.delete(Self.conversation)
        let changes = try await client.changes(after: 2)
        #expect(changes.cursor == 3 && changes.hasMore)
        _ = try await client.models()
        #expect(
            transport.requests.map { $0.method + " " + $0.url.dropFirst("http://fake".count) } == [
                "GET /v1/conversations?limit=7&before=a%20b%26c", "DELETE /v1/conversations/\(Self.conversation)",
                "GET /v1/changes?after=2", "GET /v1/models",
            ])
        #expect(transport.requests.allSatisfy { $0.fields.contains { $0 == ("authorization", "Bearer t") } })
    }

    @Test func `changes are read, and those of no known shape skipped`() async throws {
        let transport = ScriptedTransport { _, _ in
            .json(
                """
                {"changes":[{"cursor":8,"kind":"answer","id":"\(Self.answer)","conversation":"\(Self.conversation)","op":"put"},
                {"cursor":9,"kind":"conversation","id":"x","op":"delete"},{"odd":1}],"cursor":9,"more":false}
                """)
        }
        let changes = try await RejoinClient(address: "http://fake", token: nil, transport: transport).changes(after: 7)
        #expect(changes.changes.map(\.cursor) == [8, 9])
        #expect(changes.changes.map(\.isDeletion) == [false, true])
        #expect(changes.changes.first?.conversation == Self.conversation)
    }

    @Test func `a running answer without words is read from its first event on`() async throws {
        for (content, seq) in [("[]", 0), (#"[{"type":"text","text":"a"}]"#, 5)] {
            let transport = ScriptedTransport { _, _ in
                .json(
                    """
                    {"id":"\(Self.answer)","turn":"\(Self.answer)","state":"streaming","seq":5,"content":\(content)}
                    """)
            }
            let answer = try await RejoinClient(address: "http://fake", token: nil, transport: transport).answer(
                Self.answer)
            #expect(answer.seq == seq)
        }
    }

    @Test func `what is not the protocol's is malformed, not fatal`() async {
        for body in ["", "[]", "{}", "nonsense", #"{"items":1}"#] {
            let transport = ScriptedTransport { _, _ in .json(body) }
            let client = RejoinClient(address: "http://fake", token: nil, transport: transport)
            let error = await #expect(throws: ClientError.self) { try await client.conversations() }
            #expect(error?.code == .malformedReply)
        }
    }

    @Test func `errors are safe to show`() {
        let secret = ClientError(.dropped, "token t0ken", cause: TransportFailure(.dropped, "t0ken"))
        #expect(!secret.description.contains("t0ken"))
        #expect(secret.debugDescription.contains("t0ken"))
        #expect(ClientError(.rejected, "", status: 418).description == "The server refused (rejected, status 418)")
    }
}
