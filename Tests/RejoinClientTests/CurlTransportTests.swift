import RejoinClient
import RejoinCore
import Testing

@Suite(.timeLimit(.minutes(1))) struct CurlTransportTests {
    static let head = Array("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n".utf8)

    static func client(port: Int) -> RejoinClient {
        RejoinClient(address: "http://127.0.0.1:\(port)", token: "t", transport: CurlTransport())
    }

    @Test("A18 over a real socket, an answer that is reset twice comes whole")
    func resets() async throws {
        let log = AnswerFollowerTests.log
        let server = try LoopbackServer([
            .sendAndReset(Self.head + wire(Array(log[..<4]))),
            .sendAndReset(Self.head + wire(Array(log[4..<6])) + Array("id:7\nevent:te".utf8)),
            .send(Array("HTTP/1.1 503 Busy\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno".utf8)),
            .send(Self.head + wire(Array(log[6...]))),
        ])
        let follower = Self.client(port: server.port).send(AnswerFollowerTests.draft, policy: .eager)
        let (events, waits) = try await AnswerFollowerTests.drain(follower)
        #expect(events == log)
        #expect(waits >= 3)
        let lines = server.requests.map { $0.prefix { $0 != "\r\n" } }
        #expect(lines.first?.hasPrefix("PUT /v1/conversations/") == true)
        #expect(lines.dropFirst().first?.hasSuffix("/events?after=4 HTTP/1.1") == true)
        #expect(lines.last?.hasSuffix("/events?after=6 HTTP/1.1") == true)
        #expect(server.requests.allSatisfy { $0.lowercased().contains("authorization: bearer t\r\n") })
    }

    @Test func `a port where nobody listens is unreachable`() async throws {
        var server: LoopbackServer? = try LoopbackServer([])
        let port = try #require(server?.port)
        server = nil
        var policy = RetryPolicy.eager
        policy.initialPatience = .milliseconds(1)
        let error = await #expect(throws: ClientError.self) {
            try await AnswerFollowerTests.drain(Self.client(port: port).send(AnswerFollowerTests.draft, policy: policy))
        }
        #expect(error?.code == .unreachable)
    }

    @Test func `an address that is none is refused at once`() async {
        let client = RejoinClient(address: "http://a b", token: nil, transport: CurlTransport())
        let error = await #expect(throws: ClientError.self) { try await client.conversations() }
        #expect(error?.code == ClientError.Code(.invalidRequest))
    }

    @Test func `a refusal is read`() async throws {
        let problem = Problem(.limitReached, "enough", retryAfter: 9)
        let body = problem.json
        let head = "HTTP/1.1 429 No\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        let server = try LoopbackServer([.send(Array(head.utf8) + body)])
        let error = await #expect(throws: ClientError.self) { try await Self.client(port: server.port).models() }
        #expect(error?.problem == problem)
    }
}
