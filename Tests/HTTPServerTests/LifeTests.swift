import HTTPServer
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct LifeTests {
    @Test func `a port in use is named as such`() async throws {
        try await withServer { _, port in
            let second = HTTPServer(.init(port: port)) { _ in }
            let error = #expect(throws: HTTPServerError.self) { try second.start() }
            #expect(error?.code == .addressInUse)
            #expect(error?.description.contains(String(port)) == true)
        }
    }

    @Test(arguments: ["203.0.113.7", "example.org", "", "1.2.3"])
    func `a host that is not ours is named as such`(host: String) {
        let server = HTTPServer(.init(host: host)) { _ in }
        let error = #expect(throws: HTTPServerError.self) { try server.start() }
        #expect(error?.code == .addressUnavailable)
    }

    @Test func `localhost is the loopback address`() async throws {
        try await withServer {
            $0.host = "localhost"
        } _: { _, port in
            let client = try RawClient(port: port)
            await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await client.reply()?.text == "ok")
        }
    }

    @Test func `a server starts once, and a port is free again after its drain`() async throws {
        let server = HTTPServer(.init()) { _ in }
        let port = try server.start()
        #expect(throws: HTTPServerError.self) { try server.start() }
        await server.drain(within: .seconds(5))
        await server.drain(within: .seconds(5))
        let next = HTTPServer(.init(port: port)) { _ in }
        #expect(try next.start() == port)
        await next.drain(within: .zero)
    }

    @Test("S31 a drain lets the running exchange end, closes idle connections and takes no new ones")
    func drain() async throws {
        let release = Atomic(false)
        let server = HTTPServer(.init()) { exchange in
            while !release.load(ordering: .relaxed), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(2)) }
            try? await exchange.respond(200, body: Array(Task.isCancelled ? "cancelled".utf8 : "done".utf8))
        }
        let port = try server.start()
        let idle = try RawClient(port: port)
        let busy = try RawClient(port: port)
        await busy.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        await eventually("the request did not start") { server.statistics.activeRequests == 1 }
        async let drained: Void = server.drain(within: .seconds(30))
        #expect(await idle.isEnded())
        #expect(throws: RawClient.Failure.self) { try RawClient(port: port) }
        #expect(server.statistics.activeRequests == 1)
        release.store(true, ordering: .relaxed)
        let reply = try #require(await busy.reply())
        #expect(reply.text == "done" && reply.fields["connection"] == "close")
        #expect(await busy.isEnded())
        await drained
        #expect(server.statistics.openConnections == 0 && server.statistics.activeRequests == 0)
    }

    @Test("S31 a drain that takes too long cancels what is left, which can still say goodbye")
    func cancellingDrain() async throws {
        let server = HTTPServer(.init()) { exchange in
            guard let stream = try? await exchange.stream(200) else { return }
            try? await Task.sleep(for: .seconds(60))
            try? await stream.write(Array("bye".utf8))
            try? await stream.finish()
        }
        let port = try server.start()
        let client = try RawClient(port: port)
        await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        await eventually("the stream did not open") { server.statistics.openStreams == 1 }
        await server.drain(within: .milliseconds(50))
        #expect(await client.reply()?.text == "bye")
        #expect(await client.isEnded())
    }

    @Test("S31 a drain ends although a handler ignores its cancellation")
    func stubbornHandler() async throws {
        let release = Flag()
        var configuration = HTTPServer.Configuration()
        configuration.cancelledTimeout = .milliseconds(100)
        let server = HTTPServer(configuration) { _ in
            let waiting = Task.detached {
                while !release.isSet { try? await Task.sleep(for: .milliseconds(5)) }
            }
            await waiting.value
        }
        let port = try server.start()
        let client = try RawClient(port: port)
        await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        await eventually("the request did not start") { server.statistics.activeRequests == 1 }
        await server.drain(within: .milliseconds(50))
        #expect(await client.isEnded())
        #expect(server.statistics.openConnections == 0)
        release.set()
        await eventually("the handler did not end") { server.statistics.activeRequests == 0 }
    }

    @Test func `coming and going leaves nothing behind`() async throws {
        try await withServer(handler: { exchange in
            guard let stream = try? await exchange.stream(200) else { return }
            try? await stream.write(Array("x".utf8))
            try? await Task.sleep(for: .seconds(60))
        }) { server, port in
            for _ in 0..<200 {
                let client = try RawClient(port: port)
                await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                await client.receive { !$0.isEmpty }
                client.leave()
            }
            await eventually("something is left") {
                let statistics = server.statistics
                return statistics.openConnections == 0 && statistics.activeRequests == 0 && statistics.openStreams == 0
            }
            #expect(server.statistics.acceptedConnections == 200)
        }
    }
}
