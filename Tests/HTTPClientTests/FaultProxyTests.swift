import HTTPClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct FaultProxyTests {
    let upstream: ScriptedUpstream
    let proxy: FaultProxy
    let client = HTTPClient()

    init() throws {
        upstream = try ScriptedUpstream()
        proxy = try FaultProxy(target: upstream.port)
    }

    private func call(_ model: String = "scripted") async throws -> HTTPClientResponse {
        try await client.send(
            HTTPClientRequest(
                "POST", url: "http://127.0.0.1:\(proxy.port)/v1/chat/completions",
                body: Array("{\"model\":\"\(model)\"}".utf8)))
    }

    private func body(_ model: String = "scripted") async throws -> String {
        String(decoding: try await call(model).collect(limit: 1 << 24), as: UTF8.self)
    }

    @Test func `forwards both ways, whatever the size`() async throws {
        upstream.playNext(Script([.bytes([UInt8](repeating: 65, count: 5 << 20)), .end], framing: .length))
        let large = try await call().collect(limit: 6 << 20)
        #expect(large.count == 5 << 20)
        #expect(try await body().hasSuffix("data: [DONE]\n\n"))
        #expect(upstream.started == 2)
        #expect(proxy.counters.bytesDown == proxy.counters.bytesForwarded)
        #expect(proxy.counters.bytesUp > 0)
    }

    @Test func `cuts what is open now`() async throws {
        let response = try await call("hold-2")
        _ = try await response.nextPiece()
        proxy.cutNow()
        let error = await #expect(throws: HTTPClientError.self) {
            while try await response.nextPiece() != nil {}
        }
        #expect(error?.code == .connectionClosed)
        #expect(await upstream.wait { $0.aborted == 1 })
        #expect(proxy.counters.cut == 1)
    }

    @Test(arguments: [1, 60, 150, 400])
    func `cuts after so many bytes`(count: Int) async throws {
        proxy.cut(afterBytes: count)
        await #expect(throws: HTTPClientError.self) { try await body() }
        #expect(proxy.counters.bytesForwarded == count)
        proxy.heal()
        #expect(try await body().hasSuffix("data: [DONE]\n\n"))
    }

    @Test func `lets through only so many bytes of a reply in a second`() async throws {
        let reply = Script([.bytes([UInt8](repeating: 65, count: 2000)), .end], framing: .length)
        upstream.playNext(reply, reply)
        proxy.throttle(bytesPerSecond: 4000)
        let start = ContinuousClock.now
        #expect(try await body().utf8.count == 2000)
        let slow = start.duration(to: .now)
        #expect(slow > .milliseconds(450))
        proxy.heal()
        let again = ContinuousClock.now
        #expect(try await body().utf8.count == 2000)
        #expect(again.duration(to: .now) < slow / 2)
    }

    @Test func `stalls and goes on`() async throws {
        let response = try await call("hold-1")
        _ = try await response.nextPiece()
        proxy.stall()
        upstream.release()
        #expect(await upstream.wait { $0.finished == 1 })
        let rest = Task { try await response.collect(limit: 10_000).count }
        try await Task.sleep(for: .milliseconds(30))
        let forwarded = proxy.counters.bytesForwarded
        proxy.stall(false)
        #expect(try await rest.value > 0)
        #expect(proxy.counters.bytesForwarded > forwarded)
    }

    @Test func `delays what it forwards`() async throws {
        proxy.delay(.milliseconds(60))
        let start = ContinuousClock.now
        _ = try await body()
        #expect(start.duration(to: .now) >= .milliseconds(60))
    }

    @Test func `lets a request be answered and kills the reply`() async throws {
        proxy.killReplies(3)
        for _ in 0..<3 { await #expect(throws: HTTPClientError.self) { try await body() } }
        #expect(try await body().hasSuffix("data: [DONE]\n\n"))
        #expect(upstream.started == 4)
        #expect(proxy.counters.killed == 3)
    }

    @Test func `sends a request twice`() async throws {
        proxy.duplicateRequests()
        #expect(try await body().hasSuffix("data: [DONE]\n\n"))
        #expect(await upstream.wait { $0.started == 2 })
        #expect(upstream.requests.first?.body == upstream.requests.last?.body)
    }

    @Test func `refuses connections until healed`() async throws {
        proxy.refuseConnections()
        await #expect(throws: HTTPClientError.self) { try await body() }
        #expect(upstream.started == 0)
        #expect(proxy.counters.refused == 1)
        proxy.heal()
        _ = try await body()
        #expect(upstream.started == 1)
    }

    @Test func `carries a client's leaving to the target`() async throws {
        let response = try await call("hold-1")
        _ = try await response.nextPiece()
        response.cancel()
        #expect(await upstream.wait { $0.aborted == 1 })
    }
}
