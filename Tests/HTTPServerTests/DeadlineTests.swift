import HTTPServer
import RejoinCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct DeadlineTests {
    @Test("S29 a head that does not arrive is cut at its deadline, also when it drips", arguments: [false, true])
    func slowHead(drips: Bool) async throws {
        try await withServer {
            $0.headTimeout = .milliseconds(300)
        } _: { server, port in
            let client = try RawClient(port: port)
            let start = ContinuousClock().now
            await client.send("GET / HTTP/1.1\r\nHost: x\r\n")
            if drips {
                let dripping = Task {
                    while !Task.isCancelled, await client.send("X") { try? await Task.sleep(for: .milliseconds(20)) }
                }
                defer { dripping.cancel() }
                await eventually("the head was not refused") { server.statistics.refusals[.headTimeout] == 1 }
            }
            let reply = try #require(await client.reply())
            #expect(reply.status == 408 && reply.fields["content-type"] == "application/problem+json")
            #expect(ContinuousClock().now - start >= .milliseconds(250))
            #expect(server.statistics.refusals == [.headTimeout: 1])
        }
    }

    @Test("S29 a connection that says nothing is closed without a word")
    func silence() async throws {
        try await withServer {
            $0.headTimeout = .milliseconds(200)
            $0.idleTimeout = .milliseconds(200)
        } _: { server, port in
            let silent = try RawClient(port: port)
            #expect(await silent.receiveAll().isEmpty)
            #expect(await silent.isEnded())
            let idle = try RawClient(port: port)
            await idle.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await idle.reply()?.status == 200)
            #expect(await idle.isEnded())
            await eventually("connections are left") { server.statistics.openConnections == 0 }
        }
    }

    @Test("S29 a body that pauses, or drips beyond its whole time, is given up", arguments: [false, true])
    func slowBody(drips: Bool) async throws {
        try await withServer {
            $0.bodyIdleTimeout = drips ? .seconds(30) : .milliseconds(200)
            $0.bodyTimeout = drips ? .milliseconds(300) : .seconds(30)
        } handler: {
            await echo($0)
        } _: { server, port in
            let client = try RawClient(port: port)
            await client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nabc")
            let dripping = Task {
                while drips, !Task.isCancelled, await client.send("X") { try? await Task.sleep(for: .milliseconds(20)) }
            }
            defer { dripping.cancel() }
            let reply = try #require(await client.reply())
            #expect(reply.status == 408 && reply.fields["connection"] == "close")
            #expect(server.statistics.bodyTimeouts == 1)
        }
    }

    @Test func `a body that its handler holds back is not called slow`() async throws {
        try await withServer {
            $0.bodyIdleTimeout = .milliseconds(100)
            $0.bodyBuffer = 64 << 10
        } handler: { exchange in
            try? await Task.sleep(for: .milliseconds(400))
            await echo(exchange)
        } _: { _, port in
            let client = try RawClient(port: port)
            let body = [UInt8](repeating: 97, count: 1 << 20)
            async let sent = client.send(
                Array("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body)
            #expect(await sent)
            #expect(await client.reply()?.body == body)
        }
    }

    @Test("S11 a reader that takes nothing is cut at the deadline and its task ends")
    func stalledReader() async throws {
        let written = Atomic(0)
        let ended = Mutex<HTTPServerError.Code?>(nil)
        try await withServer {
            $0.stalledWriteTimeout = .milliseconds(300)
        } handler: { exchange in
            do {
                let stream = try await exchange.stream(200)
                let piece = [UInt8](repeating: 120, count: 8 << 10)
                while true {
                    try await stream.write(piece)
                    written.add(piece.count, ordering: .relaxed)
                }
            } catch {
                ended.withLock { $0 = (error as? HTTPServerError)?.code }
            }
        } _: { server, port in
            let client = try RawClient(port: port, receiveBuffer: 16 << 10)
            await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await eventually("the reader was not cut") { ended.withLock { $0 } == .disconnected }
            #expect(server.statistics.stalledClients == 1)
            // What the two kernels hold and one queue, not all that could have been written.
            #expect(written.load(ordering: .relaxed) < 8 << 20)
            await eventually("the connection is left") { server.statistics.openConnections == 0 }
        }
    }

    @Test("S09 a silent stream gets its heartbeat and a busy one does not")
    func heartbeat() async throws {
        let release = Atomic(false)
        try await withServer {
            $0.headTimeout = .milliseconds(200)  // Sweeps are as frequent as the shortest time asks for.
        } handler: { exchange in
            guard
                let stream = try? await exchange.stream(
                    200, heartbeat: Heartbeat(bytes: Array(": still here\n\n".utf8), after: .milliseconds(200)))
            else { return }
            if exchange.request.path == "/busy" {
                for _ in 0..<40 {
                    try? await stream.write(Array("x".utf8))
                    try? await Task.sleep(for: .milliseconds(10))
                }
            } else {
                while !release.load(ordering: .relaxed), !Task.isCancelled {
                    try? await Task.sleep(for: .milliseconds(5))
                }
            }
            try? await stream.finish()
        } _: { server, port in
            let busy = try RawClient(port: port)
            await busy.send("GET /busy HTTP/1.1\r\nHost: x\r\n\r\n")
            let silent = try RawClient(port: port)
            await silent.send("GET /silent HTTP/1.1\r\nHost: x\r\n\r\n")
            let beat = Array("e\r\n: still here\n\n\r\n".utf8)
            await silent.receive { $0.ranges(of: beat).count >= 3 }
            release.store(true, ordering: .relaxed)
            let reply = try #require(await silent.reply())
            #expect(reply.chunks.count >= 3)
            #expect(reply.chunks.contains { $0 != Array(": still here\n\n".utf8) } == false)
            #expect(await busy.reply()?.text.filter { $0 == "x" }.count == 40)
            #expect(server.statistics.heartbeats >= 3)
        }
    }

    @Test("S09 a heartbeat for HTTP 1.0 is not framed as a chunk")
    func plainHeartbeat() async throws {
        try await withServer {
            $0.headTimeout = .milliseconds(200)
        } handler: { exchange in
            _ = try? await exchange.stream(
                200, heartbeat: Heartbeat(bytes: Array(":\n\n".utf8), after: .milliseconds(100)))
            try? await Task.sleep(for: .seconds(60))
        } _: { _, port in
            let client = try RawClient(port: port)
            await client.send("GET / HTTP/1.0\r\n\r\n")
            let text = String(
                decoding: await client.receive { $0.ranges(of: Array(":\n\n".utf8)).count >= 2 }, as: UTF8.self)
            #expect(text.hasSuffix("\r\n\r\n:\n\n:\n\n"))
        }
    }
}
