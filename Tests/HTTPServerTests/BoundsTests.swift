import HTTPServer
import RejoinCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct BoundsTests {
    @Test("S29 connections beyond the limit are told to come back, and room is given again", arguments: [false, true])
    func connections(perAddress: Bool) async throws {
        try await withServer {
            if perAddress { $0.maximumConnectionsPerAddress = 3 } else { $0.maximumConnections = 3 }
        } _: { server, port in
            var clients: [RawClient] = []
            for _ in 0..<3 {
                let client = try RawClient(port: port)
                await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(await client.reply()?.status == 200)
                clients.append(client)
            }
            let over = try RawClient(port: port)
            await over.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            let reply = try #require(await over.reply())
            #expect(reply.status == 503 && reply.fields["retry-after"] != nil)
            #expect(Problem(json: reply.body)?.kind == .temporarilyUnavailable)
            let reason: Refusal = perAddress ? .tooManyConnectionsFromAddress : .tooManyConnections
            #expect(server.statistics.refusals == [reason: 1])
            clients.removeFirst().leave()
            over.leave()
            await eventually("the places were not given back") { server.statistics.openConnections == 2 }
            let next = try RawClient(port: port)
            await next.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await next.reply()?.status == 200)
        }
    }

    @Test func `an upload is held back while its handler is behind`() async throws {
        let goesOn = Atomic(false)
        let received = Atomic(0)
        try await withServer {
            $0.bodyBuffer = 128 << 10
        } handler: { exchange in
            while !goesOn.load(ordering: .relaxed), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(5)) }
            do {
                while let piece = try await exchange.nextBodyPiece() { received.add(piece.count, ordering: .relaxed) }
                try await exchange.respond(200)
            } catch {}
        } _: { server, port in
            let client = try RawClient(port: port)
            let size = 32 << 20
            await client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(size)\r\n\r\n")
            let sent = await client.sendUntilHeldBack([UInt8](repeating: 97, count: size), quiet: 0.3)
            #expect(sent < size)
            // The queue, and at most one more read.
            #expect(server.statistics.bytesRead <= (128 + 64 + 64) << 10)
            goesOn.store(true, ordering: .relaxed)
            await client.send([UInt8](repeating: 97, count: size - sent))
            #expect(await client.reply()?.status == 200)
            #expect(received.load(ordering: .relaxed) == size)
        }
    }

    @Test func `a client that leaves a held back upload is noticed`() async throws {
        let cancelled = Atomic(false)
        try await withServer {
            $0.bodyBuffer = 64 << 10
        } handler: { _ in
            try? await Task.sleep(for: .seconds(60))
            cancelled.store(Task.isCancelled, ordering: .relaxed)
        } _: { _, port in
            let client = try RawClient(port: port)
            await client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n")
            // More than is read, and no more than the server's kernel holds: else the end would wait behind the bytes.
            await client.send([UInt8](repeating: 97, count: 96 << 10))
            client.leave()
            await eventually("the task was not cancelled") { cancelled.load(ordering: .relaxed) }
        }
    }

    @Test("S11 a slow reader holds its writer back, gets everything, and costs a bounded queue")
    func download() async throws {
        let written = Atomic(0)
        let pieces = 1600
        try await withServer(handler: { exchange in
            do {
                let stream = try await exchange.stream(200)
                for number in 0..<pieces {
                    try await stream.write([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 4 << 10))
                    written.add(1, ordering: .relaxed)
                }
                try await stream.finish()
            } catch {}
        }) { server, port in
            let client = try RawClient(port: port, receiveBuffer: 128 << 10)
            await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await eventually("nothing was written") { written.load(ordering: .relaxed) > 20 }
            var before = -1
            await eventually("the writer was not held back") {
                defer { before = written.load(ordering: .relaxed) }
                try? await Task.sleep(for: .milliseconds(100))
                return before == written.load(ordering: .relaxed)
            }
            #expect(before < pieces)
            // What the handler has written and the kernel has not taken is one queue at most.
            #expect(before * (4 << 10) - server.statistics.bytesWritten < (64 + 16) << 10)
            await client.receive(within: 30) { $0.suffix(7).elementsEqual("\r\n0\r\n\r\n".utf8) }
            let reply = try #require(await client.reply(within: 30))
            #expect(reply.body.count == pieces * (4 << 10))
            #expect(
                reply.chunks.enumerated().allSatisfy { $1.first == UInt8(truncatingIfNeeded: $0) }
                    && reply.chunks.count == pieces)
        }
    }

    @Test func `a large response arrives whole with a bounded queue`() async throws {
        let body = (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try await withServer(handler: { try? await $0.respond(200, body: body) }) { server, port in
            let client = try RawClient(port: port, receiveBuffer: 128 << 10)
            await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n")
            for _ in 0..<2 {
                let reply = try #require(await client.reply(within: 30))
                #expect(reply.body == body)
            }
            #expect(server.statistics.stalledClients == 0)
        }
    }

    @Test func `a body of tiny chunks costs what it weighs`() async throws {
        try await withServer(handler: { await echo($0) }) { _, port in
            let client = try RawClient(port: port)
            let count = 50_000
            await client.send(
                "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + String(repeating: "1\r\na\r\n", count: count) + "0\r\n\r\n")
            #expect(await client.reply()?.body == [UInt8](repeating: 97, count: count))
        }
    }

    @Test func `many clients at once are all answered`() async throws {
        try await withServer(handler: { await echo($0) }) { server, port in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let client = try RawClient(port: port)
                        for turn in 0..<10 {
                            await client.send(
                                "POST /\(number)/\(turn) HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc")
                            let reply = try #require(await client.reply())
                            #expect(reply.fields["x-target"] == "/\(number)/\(turn)" && reply.text == "abc")
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(server.statistics.requests == 1000)
        }
    }
}
