import HTTPServer
import RejoinCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct ConnectionTests {
    @Test func `answers a request and keeps the connection for the next`() async throws {
        try await withServer(handler: echo) { server, port in
            let client = try RawClient(port: port)
            for body in ["one", "", "three"] {
                await client.send("POST /a?b=1 HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.count)\r\n\r\n\(body)")
                let reply = try #require(await client.reply())
                #expect(reply.status == 200 && reply.text == body)
                #expect(reply.fields["x-target"] == "/a?b=1" && reply.fields["connection"] == nil)
                #expect(reply.fields["date"]?.hasSuffix(" GMT") == true)
            }
            #expect(server.statistics.acceptedConnections == 1 && server.statistics.requests == 3)
        }
    }

    @Test func `gives the handler the query decoded and the peer's address`() async throws {
        let seen = Mutex<HTTPRequest?>(nil)
        try await withServer(handler: { exchange in
            seen.withLock { $0 = exchange.request }
            try? await exchange.respond(204, body: Array("never sent".utf8))
        }) { _, port in
            let client = try RawClient(port: port)
            await client.send("GET /p%20q?a=x%20y+z&b&a=2&c=%zz HTTP/1.1\r\nHost: x\r\n\r\n")
            let reply = try #require(await client.reply())
            #expect(reply.status == 204 && reply.fields["content-length"] == nil && reply.body.isEmpty)
            let request = try #require(seen.withLock { $0 })
            #expect(request.path == "/p%20q" && request.remoteAddress == "127.0.0.1")
            #expect(request.query.map(\.name) == ["a", "b", "a", "c"])
            #expect(request.query("a") == "x y z" && request.query("b") == "" && request.query("c") == "%zz")
        }
    }

    @Test func `answers pipelined requests in their order`() async throws {
        try await withServer(handler: echo) { _, port in
            let client = try RawClient(port: port)
            let requests = (0..<50).map { "PUT /\($0) HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nok" }.joined()
            await client.send(requests)
            for number in 0..<50 {
                let reply = try #require(await client.reply())
                #expect(reply.fields["x-target"] == "/\(number)" && reply.text == "ok")
            }
        }
    }

    @Test func `HEAD gets the length and no body`() async throws {
        try await withServer { _, port in
            let client = try RawClient(port: port)
            await client.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n")
            let head = try #require(await client.reply(toHead: true))
            #expect(head.fields["content-length"] == "2" && head.body.isEmpty)
            await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await client.reply()?.text == "ok")
        }
    }

    @Test func `HTTP 1.0 is closed after its answer unless it asks to stay`() async throws {
        try await withServer { _, port in
            let once = try RawClient(port: port)
            await once.send("GET / HTTP/1.0\r\n\r\n")
            #expect(await once.reply()?.fields["connection"] == "close")
            #expect(await once.isEnded())
            let again = try RawClient(port: port)
            for _ in 0..<2 {
                await again.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                #expect(await again.reply()?.fields["connection"] == "keep-alive")
            }
        }
    }

    @Test func `a stream for HTTP 1.0 ends with the connection`() async throws {
        try await withServer(handler: { exchange in
            guard let stream = try? await exchange.stream(200) else { return }
            try? await stream.write(Array("one ".utf8))
            try? await stream.write([Array("two".utf8), Array(" three".utf8)])
            try? await stream.finish()
        }) { _, port in
            let client = try RawClient(port: port)
            await client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            let text = String(decoding: await client.receiveAll(), as: UTF8.self)
            #expect(text.hasSuffix("\r\n\r\none two three") && text.contains("Connection: close"))
            #expect(!text.contains("chunked"))
        }
    }

    @Test func `several pieces are one chunk`() async throws {
        try await withServer(handler: { exchange in
            guard let stream = try? await exchange.stream(200) else { return }
            try? await stream.write([[UInt8]]())
            try? await stream.write([Array("a".utf8), [], Array("bc".utf8)])
            try? await stream.write([UInt8](repeating: 120, count: 300))
            try? await stream.finish()
            try? await stream.finish()
        }) { _, port in
            let client = try RawClient(port: port)
            await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n")
            for _ in 0..<2 { #expect(await client.reply()?.chunks.map(\.count) == [3, 300]) }
        }
    }

    @Test func `a handler that says nothing answers 500`() async throws {
        try await withServer(handler: { _ in }) { _, port in
            let client = try RawClient(port: port)
            await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            let reply = try #require(await client.reply())
            #expect(reply.status == 500 && Problem(json: reply.body)?.kind == .internalError)
        }
    }

    @Test func `a stream that its handler leaves is cut, not ended`() async throws {
        try await withServer(handler: { exchange in
            guard let stream = try? await exchange.stream(200) else { return }
            try? await stream.write(Array("half".utf8))
        }) { server, port in
            let client = try RawClient(port: port)
            await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            let text = String(decoding: await client.receiveAll(), as: UTF8.self)
            #expect(text.hasSuffix("4\r\nhalf\r\n"))
            #expect(await client.isEnded())
            await eventually("the stream is counted as open") { server.statistics.openStreams == 0 }
        }
    }

    @Test func `a response that was begun cannot be begun again, nor a field break out of its line`() async throws {
        let codes = Mutex<[HTTPServerError.Code?]>([])
        try await withServer(handler: { exchange in
            func note(_ work: () async throws -> Void) async {
                do { try await work() } catch { codes.withLock { $0.append((error as? HTTPServerError)?.code) } }
            }
            await note { try await exchange.respond(200, fields: ["X-A": "a\r\nX-B: b"]) }
            await note { try await exchange.respond(200, fields: ["X A": "a"]) }
            await note { try await exchange.respond(200, fields: ["X-A": "a\0"]) }
            await note { try await exchange.respond(201, fields: ["Content-Length": "77", "Connection": "x"]) }
            await note { try await exchange.respond(200) }
            await note { _ = try await exchange.stream(200) }
        }) { _, port in
            let client = try RawClient(port: port)
            await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            let reply = try #require(await client.reply())
            #expect(reply.status == 201 && reply.fields["content-length"] == "0" && reply.fields["connection"] == nil)
            await eventually("not every call was refused") { codes.withLock { $0.count } == 5 }
            #expect(
                codes.withLock { $0 }
                    == [.invalidField, .invalidField, .invalidField, .alreadyResponded, .alreadyResponded])
        }
    }

    @Test func `an exchange that is over cannot write into the next`() async throws {
        let first = Mutex<Exchange?>(nil)
        let failed = Mutex<HTTPServerError.Code?>(nil)
        try await withServer(handler: { exchange in
            if let old = first.withLock({ $0 }) {
                do { try await old.respond(200, body: Array("stale".utf8)) } catch {
                    failed.withLock { $0 = (error as? HTTPServerError)?.code }
                }
            } else {
                first.withLock { $0 = exchange }
            }
            try? await exchange.respond(200, body: Array(exchange.request.path.utf8))
        }) { _, port in
            let client = try RawClient(port: port)
            for path in ["/a", "/b"] {
                await client.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(await client.reply()?.text == path)
            }
            #expect(failed.withLock { $0 } == .disconnected)
        }
    }

    @Test func `sends 100 only when the handler asks for the body`() async throws {
        try await withServer(handler: { exchange in
            if exchange.request.path == "/read" { return await echo(exchange) }
            try? await exchange.respond(403)
        }) { _, port in
            let reader = try RawClient(port: port)
            await reader.send("POST /read HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
            #expect(await reader.reply()?.status == 100)
            await reader.send("abc")
            #expect(await reader.reply()?.text == "abc")
            let refused = try RawClient(port: port)
            await refused.send("POST /no HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
            let reply = try #require(await refused.reply())
            #expect(reply.status == 403 && reply.fields["connection"] == "close")
            #expect(await refused.isEnded())
        }
    }

    @Test func `a small body that nobody read does not cost the connection`() async throws {
        try await withServer { _, port in
            let client = try RawClient(port: port)
            for framing in [
                "Content-Length: 5\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            ] {
                await client.send("POST / HTTP/1.1\r\nHost: x\r\n\(framing)")
                #expect(await client.reply()?.text == "ok")
            }
            // Its body comes after the answer.
            await client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345")
            #expect(await client.reply()?.text == "ok")
            await client.send("67890GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await client.reply()?.text == "ok")
        }
    }

    @Test("S29 a body over the limit gets its answer and the connection ends")
    func largeBody() async throws {
        try await withServer(handler: { exchange in
            do {
                _ = try await exchange.body(limit: 1000)
                try await exchange.respond(200)
            } catch {
                let isLimit = (error as? HTTPServerError)?.code == .bodyTooLarge
                try? await exchange.respond(isLimit ? 413 : 500)
            }
        }) { _, port in
            let body = [UInt8](repeating: 120, count: 1 << 20)
            for framing in ["Content-Length: \(body.count)\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n100000\r\n"] {
                let client = try RawClient(port: port)
                await client.send(Array("POST / HTTP/1.1\r\nHost: x\r\n\(framing)".utf8) + body)
                #expect(await client.reply()?.status == 413)
                #expect(await client.isEnded())
            }
        }
    }

    @Test("S29 every dubious request gets a problem document over a socket", arguments: Probes.all)
    func probe(_ probe: Probes.Probe) async throws {
        try await withServer(handler: echo) { _, port in
            let client = try RawClient(port: port)
            await client.send(probe.request)
            let reply = try #require(await client.reply())
            guard let status = probe.status else {
                #expect(reply.status == 200)
                return
            }
            #expect(reply.status == status)
            #expect(reply.fields["connection"] == "close")
            #expect(await client.isEnded())
            // A broken body is the handler's to answer; the echo does it without a document.
            if reply.fields["x-method"] == nil, !reply.body.isEmpty {
                #expect(reply.fields["content-type"] == "application/problem+json")
                let document = try JSONReader.parse(reply.body).object
                #expect(document?["type"]?.string == "/problems/invalid-request")
                #expect(document?["status"]?.integer == status)
            }
        }
    }

    @Test func `counts what it refuses by reason`() async throws {
        try await withServer { server, port in
            let client = try RawClient(port: port)
            await client.send("GET / HTTP/1.1\r\n\r\n")
            #expect(await client.reply()?.status == 400)
            #expect(server.statistics.refusals == [.missingHost: 1])
            #expect(server.statistics.requests == 0)
        }
    }

    @Test func `a client that leaves a silent stream has its task cancelled`() async throws {
        let cancelled = Atomic(false)
        let started = Atomic(false)
        try await withServer(handler: { exchange in
            _ = try? await exchange.stream(200)
            started.store(true, ordering: .relaxed)
            try? await Task.sleep(for: .seconds(60))
            cancelled.store(Task.isCancelled && exchange.isDisconnected, ordering: .relaxed)
        }) { server, port in
            let client = try RawClient(port: port)
            await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await eventually("the handler did not start") { started.load(ordering: .relaxed) }
            let start = ContinuousClock().now
            client.leave()
            await eventually("the task was not cancelled") { cancelled.load(ordering: .relaxed) }
            #expect(ContinuousClock().now - start < .seconds(2))
            await eventually("the connection is counted as open") {
                server.statistics.openConnections == 0 && server.statistics.openStreams == 0
            }
            #expect(server.statistics.abandonedRequests == 1)
        }
    }

    @Test func `a client that ends its sending side counts as gone`() async throws {
        let cancelled = Atomic(false)
        try await withServer(handler: { _ in
            try? await Task.sleep(for: .seconds(60))
            cancelled.store(Task.isCancelled, ordering: .relaxed)
        }) { _, port in
            let client = try RawClient(port: port)
            await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            client.endSending()
            #expect(await client.isEnded())
            await eventually("the task was not cancelled") { cancelled.load(ordering: .relaxed) }
        }
    }

    @Test func `a write to a client that has left throws`() async throws {
        let code = Mutex<HTTPServerError.Code?>(nil)
        try await withServer(handler: { exchange in
            do {
                let stream = try await exchange.stream(200)
                while true {
                    try await stream.write(Array("tick".utf8))
                    await Task.yield()
                }
            } catch {
                code.withLock { $0 = (error as? HTTPServerError)?.code }
            }
        }) { _, port in
            let client = try RawClient(port: port)
            await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await client.receive { $0.count > 1000 }
            client.leave()
            await eventually("the write did not fail") { code.withLock { $0 } == .disconnected }
        }
    }
}
