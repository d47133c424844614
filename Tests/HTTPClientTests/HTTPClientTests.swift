import HTTPClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct HTTPClientTests {
    let client = HTTPClient()
    let upstream: ScriptedUpstream

    init() throws { upstream = try ScriptedUpstream() }

    private func request(_ method: String = "POST", body: String? = "{}") -> HTTPClientRequest {
        HTTPClientRequest(
            method, url: "http://127.0.0.1:\(upstream.port)/v1/chat/completions",
            fields: [("Content-Type", "application/json")], body: body.map { Array($0.utf8) })
    }

    @Test func `gives the head first and then the body as it comes`() async throws {
        upstream.playNext(Script([.send("one"), .hold("middle"), .send("two"), .end]))
        let response = try await client.send(request())
        #expect(response.status == 200)
        #expect(response.field("content-TYPE") == "text/event-stream; charset=utf-8")
        #expect(response.field("absent") == nil)
        #expect(try await response.nextPiece() == Array("one".utf8)[...])
        upstream.release("middle")
        #expect(try await response.collect(limit: 100) == Array("two".utf8))
        #expect(try await response.nextPiece() == nil)
    }

    @Test(arguments: [400, 401, 403, 429, 500, 503])
    func `sends a request once whatever the status`(status: Int) async throws {
        upstream.playNext(Script(status: status, json: #"{"error":"no"}"#, fields: [("Retry-After", "7")]))
        let response = try await client.send(request())
        #expect(response.status == status)
        #expect(response.field("Retry-After") == "7")
        #expect(try await response.collect(limit: 1000) == Array(#"{"error":"no"}"#.utf8))
        #expect(upstream.started == 1)
    }

    @Test func `sends the method, the fields and the body as given`() async throws {
        for method in ["POST", "PUT", "PATCH", "DELETE"] {
            var request = request(method, body: "{\"model\":\"é\"}")
            request.fields += [("X-Empty", ""), ("Authorization", "Bearer k")]
            _ = try await client.send(request).collect(limit: 10_000)
            let seen = try #require(upstream.requests.last)
            #expect(seen.method == method)
            #expect(seen.body == Array("{\"model\":\"é\"}".utf8))
            #expect(seen.field("x-empty") == "")
            #expect(seen.field("authorization") == "Bearer k")
            #expect(seen.field("content-type") == "application/json")
            #expect(seen.field("expect") == nil)
            #expect(seen.field("accept-encoding") == nil)
        }
        _ = try await client.send(self.request("POST", body: nil)).collect(limit: 10_000)
        #expect(upstream.requests.last?.field("content-length") == "0")
        _ = try await client.send(HTTPClientRequest(url: "http://127.0.0.1:\(upstream.port)/x")).collect(limit: 10_000)
        #expect(upstream.requests.last?.method == "GET")
        #expect(upstream.requests.last?.field("accept") == nil)
    }

    @Test func `sends a large body whole`() async throws {
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: 3 << 20)
        var request = request()
        request.body = body
        _ = try await client.send(request).collect(limit: 10_000)
        #expect(upstream.requests.last?.body == body)
    }

    @Test func `does not follow a redirect`() async throws {
        upstream.playNext(
            Script(status: 302, json: "{}", fields: [("Location", "http://127.0.0.1:\(upstream.port)/elsewhere")]))
        let response = try await client.send(request("GET", body: nil))
        #expect(response.status == 302)
        _ = try await response.collect(limit: 100)
        #expect(upstream.started == 1)
    }

    @Test func `keeps a connection for the next request`() async throws {
        for _ in 0..<5 { _ = try await client.send(request()).collect(limit: 10_000) }
        #expect(upstream.started == 5)
        #expect(upstream.connections == 1)
    }

    @Test func `leaves a reply that is over to its connection`() async throws {
        for _ in 0..<3 {
            upstream.playNext(Script([.send("data"), .wait(milliseconds: 20), .send("rest"), .end]))
            let response = try await client.send(request())
            _ = try await response.nextPiece()
            response.leave()
            let finished = upstream.finished
            #expect(await upstream.wait { $0.finished > finished || $0.finished == $0.started })
        }
        #expect(await upstream.wait { $0.finished == 3 })
        #expect(upstream.aborted == 0)
    }

    // MARK: Broken replies

    @Test func `tells a reply cut in its middle from one that ended, and keeps the bytes before`() async throws {
        for ending in [Script.Step.close, .cut] {
            upstream.playNext(Script([.send("partial"), .wait(milliseconds: 30), ending]))
            let response = try await client.send(request())
            #expect(try await response.nextPiece() == Array("partial".utf8)[...])
            let error = await #expect(throws: HTTPClientError.self) { try await response.nextPiece() }
            #expect(error?.code == .connectionClosed)
        }
        upstream.playNext(Script([.send("whole"), .close], framing: .untilClose))
        #expect(try await client.send(request()).collect(limit: 100) == Array("whole".utf8))
    }

    @Test func `never sends a body twice on a connection that died`() async throws {
        _ = try await client.send(request()).collect(limit: 10_000)
        upstream.playNext(Script([.close], framing: .raw))
        let error = await #expect(throws: HTTPClientError.self) { try await client.send(request()) }
        #expect(error?.code == .connectionClosed)
        #expect(upstream.started == 2)
    }

    @Test func `never sends a POST without a body twice`() async throws {
        _ = try await client.send(request()).collect(limit: 10_000)
        upstream.playNext(Script([.close], framing: .raw))
        await #expect(throws: HTTPClientError.self) { try await client.send(request("POST", body: nil)) }
        #expect(upstream.started == 2)
    }

    @Test func `refuses what is not HTTP`() async throws {
        upstream.playNext(Script([.send("no status line here\r\n\r\n"), .close], framing: .raw))
        let error = await #expect(throws: HTTPClientError.self) { try await client.send(request()) }
        #expect(error?.code == .malformedReply)
    }

    @Test func `refuses a head without end`() async throws {
        let field = "X-Long: " + String(repeating: "x", count: 900) + "\r\n"
        upstream.playNext(
            Script(
                [.send("HTTP/1.1 200 OK\r\n" + String(repeating: field, count: 100) + "\r\n"), .hold("never")],
                framing: .raw))
        let error = await #expect(throws: HTTPClientError.self) { try await client.send(request()) }
        #expect(error?.code == .malformedReply)
    }

    @Test func `says unreachable when nobody listens`() async throws {
        let port = upstream.port
        upstream.stop()
        try await Task.sleep(for: .milliseconds(50))
        let error = await #expect(throws: HTTPClientError.self) {
            try await client.send(HTTPClientRequest(url: "http://127.0.0.1:\(port)/"))
        }
        #expect(error?.code == .unreachable)
        let name = await #expect(throws: HTTPClientError.self) {
            try await client.send(HTTPClientRequest(url: "http://nowhere.invalid/"))
        }
        #expect(name?.code == .unreachable)
    }

    @Test(arguments: [
        "file:///etc/passwd", "ftp://host/", "no url", "http://host/a b", "http://host/\r\nX: y", "",
    ])
    func `refuses a URL that is none of its kind`(url: String) async throws {
        let error = await #expect(throws: HTTPClientError.self) { try await client.send(HTTPClientRequest(url: url)) }
        #expect(error?.code == .invalidRequest)
    }

    @Test func `refuses fields that would become others on the wire`() async throws {
        for field in [("X", "a\r\nY: b"), ("X: y", "z"), ("", "v"), ("X", "nul\0")] {
            var request = request()
            request.fields.append((name: field.0, value: field.1))
            let error = await #expect(throws: HTTPClientError.self) { try await client.send(request) }
            #expect(error?.code == .invalidRequest)
        }
        #expect(upstream.started == 0)
    }

    @Test func `stops at the limit of a body`() async throws {
        upstream.playNext(Script([.send(String(repeating: "x", count: 2000)), .hold("never")]))
        let response = try await client.send(request())
        let error = await #expect(throws: HTTPClientError.self) { try await response.collect(limit: 1000) }
        #expect(error?.code == .tooLarge)
        #expect(await upstream.wait { $0.aborted == 1 })
    }

    // MARK: Time

    @Test func `gives up when the first byte does not come`() async throws {
        upstream.playNext(Script([.hold("never")]))
        var request = request()
        request.timeouts = .init(firstByte: .milliseconds(80), idle: .seconds(20))
        let start = ContinuousClock.now
        let response = try await client.send(request)
        let error = await #expect(throws: HTTPClientError.self) { try await response.nextPiece() }
        #expect(error?.code == .timedOut)
        #expect(start.duration(to: .now) >= .milliseconds(80))
        #expect(await upstream.wait { $0.aborted == 1 })
    }

    @Test func `gives up on silence, counted from the last byte`() async throws {
        upstream.playNext(
            Script([
                .send("a"), .wait(milliseconds: 60), .send("b"), .wait(milliseconds: 60), .send("c"), .hold("never"),
            ]))
        var request = request()
        request.timeouts = .init(firstByte: .seconds(20), idle: .milliseconds(100))
        let response = try await client.send(request)
        var text = ""
        let error = await #expect(throws: HTTPClientError.self) {
            while let piece = try await response.nextPiece() { text += String(decoding: piece, as: UTF8.self) }
        }
        #expect(error?.code == .timedOut)
        #expect(text == "abc")
    }

    @Test func `gives up when the whole takes too long, and when told later`() async throws {
        upstream.play(Script([.paced(pieces: 10_000, perSecond: 100), .end]), for: "endless")
        var request = request(body: #"{"model":"endless"}"#)
        request.timeouts = .init(total: .milliseconds(100))
        let error = await #expect(throws: HTTPClientError.self) {
            try await client.send(request).collect(limit: 1 << 20)
        }
        #expect(error?.code == .timedOut)
        request.timeouts = .init()
        let response = try await client.send(request)
        _ = try await response.nextPiece()
        response.limitRest(to: .milliseconds(50))
        let later = await #expect(throws: HTTPClientError.self) { try await response.collect(limit: 1 << 20) }
        #expect(later?.code == .timedOut)
    }

    // MARK: Cancelling

    @Test("S05 a cancelled reader closes the connection within milliseconds")
    func cancelsReader() async throws {
        upstream.playNext(Script([.send("a"), .hold("never")]))
        let response = try await client.send(request())
        _ = try await response.nextPiece()
        let reader = Task { try await response.nextPiece() }
        try await Task.sleep(for: .milliseconds(10))
        let start = ContinuousClock.now
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        #expect(await upstream.wait { $0.aborted == 1 })
        let seen = try #require(upstream.requests.first?.abortedAt)
        #expect(start.duration(to: seen) < .milliseconds(200))
    }

    @Test func `a task cancelled before the head sends no more and closes`() async throws {
        upstream.playNext(Script([.hold("never")], framing: .raw))
        let client = client
        let request = request()
        let sender = Task { try await client.send(request).status }
        #expect(await upstream.wait { $0.started == 1 })
        sender.cancel()
        await #expect(throws: CancellationError.self) { try await sender.value }
        #expect(await upstream.wait { $0.aborted == 1 })

        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.send(request).status
        }
        await #expect(throws: CancellationError.self) { try await early.value }
    }

    @Test func `letting go of a response closes its connection`() async throws {
        upstream.playNext(Script([.send("a"), .hold("never")]))
        var response: HTTPClientResponse? = try await client.send(request())
        #expect(try await response?.nextPiece() != nil)
        response = nil
        #expect(await upstream.wait { $0.aborted == 1 })
    }

    @Test func `shutting down ends every call`() async throws {
        let client = HTTPClient()
        upstream.play(Script([.send("a"), .hold("never")]), for: "held")
        let response = try await client.send(request(body: #"{"model":"held"}"#))
        _ = try await response.nextPiece()
        client.shutdown()
        let error = await #expect(throws: HTTPClientError.self) { try await response.nextPiece() }
        #expect(error?.code == .cancelled)
        let late = await #expect(throws: HTTPClientError.self) { try await client.send(request()) }
        #expect(late?.code == .cancelled)
    }

    // MARK: Many

    @Test func `holds a fast sender back while the reader is slow, and loses nothing`() async throws {
        let size = 8 << 20
        upstream.playNext(Script([.bytes([UInt8](repeating: 7, count: size)), .end], framing: .untilClose))
        let response = try await client.send(request())
        var received = 0
        var largest = 0
        while let piece = try await response.nextPiece() {
            received += piece.count
            largest = max(largest, piece.count)
            if received < 1 << 20 { try await Task.sleep(for: .milliseconds(2)) }
        }
        #expect(received == size)
        #expect(largest <= 64 << 10 + 16 << 10)
    }

    @Test func `runs hundreds of streams at once and lets go of all of them`() async throws {
        let client = client
        let upstream = upstream
        let texts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<300 {
                group.addTask {
                    let request = HTTPClientRequest(
                        "POST", url: upstream.baseURL + "/chat/completions",
                        body: Array(#"{"model":"paced-10-200"}"#.utf8))
                    let body = try await client.send(request).collect(limit: 1 << 20)
                    return String(decoding: body, as: UTF8.self).split(separator: "\n").count
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts == [Int](repeating: 13, count: 300))
        #expect(client.activity == .init(started: 300, ended: 300))
    }
}
