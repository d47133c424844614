import HTTPServer
import SeededRandom
import Testing

@Suite struct RequestParserTests {
    /// What a parser made of some bytes: whole requests, and why it stopped.
    struct Outcome: Equatable {
        struct Request: Equatable {
            var head: RequestHead
            var body: [UInt8] = []
            var isWhole = false
        }

        var requests: [Request] = []
        var refusal: Refusal?

        mutating func drain(_ parser: inout RequestParser) {
            do {
                while let part = try parser.next() {
                    switch part {
                    case .head(let head): requests.append(Request(head: head))
                    case .body(let piece): requests[requests.count - 1].body += piece
                    case .end: requests[requests.count - 1].isWhole = true
                    }
                }
            } catch {
                refusal = error
            }
        }
    }

    static func parse(_ pieces: [some Collection<UInt8>]) -> Outcome {
        var parser = RequestParser()
        var outcome = Outcome()
        for piece in pieces {
            parser.feed(piece)
            outcome.drain(&parser)
            if outcome.refusal != nil { break }
        }
        return outcome
    }

    static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("S29 takes what is right and refuses every dubious request with its status", arguments: Probes.all)
    func probe(_ probe: Probes.Probe) {
        let outcome = Self.parse([Self.bytes(probe.request)])
        #expect(outcome.refusal?.status == probe.status)
        if probe.status == nil { #expect(outcome.requests.last?.isWhole == true) }
    }

    @Test(
        "A request cut at any byte is the same request", arguments: Probes.all.filter { $0.request.utf8.count < 1000 })
    func cutOnce(_ probe: Probes.Probe) {
        let bytes = Self.bytes(probe.request)
        let whole = Self.parse([bytes])
        for cut in 0...bytes.count {
            #expect(Self.parse([bytes[..<cut], bytes[cut...]]) == whole, "cut at \(cut)")
        }
    }

    @Test("A request byte by byte is the same request", arguments: Probes.all)
    func cutEverywhere(_ probe: Probes.Probe) {
        let bytes = Self.bytes(probe.request)
        #expect(Self.parse(bytes.map { [$0] }) == Self.parse([bytes]))
    }

    @Test func `reads the parts of a head`() throws {
        let outcome = Self.parse([
            Self.bytes(
                "PUT /v1/a?b=1&c HTTP/1.1\r\nHost: example.org:8080\r\nX-A: 1\r\nx-a:  two \r\nContent-Length: 3\r\n\r\nabc"
            )
        ])
        let request = try #require(outcome.requests.first)
        #expect(outcome.requests.count == 1 && outcome.refusal == nil)
        #expect(request.head.method == "PUT")
        #expect(request.head.target == "/v1/a?b=1&c")
        #expect(request.head.path == "/v1/a")
        #expect(request.head.query == "b=1&c")
        #expect(request.head.fields.all("X-A") == ["1", "two"])
        #expect(request.head.fields["HOST"] == "example.org:8080")
        #expect(request.head.framing == .length(3))
        #expect(request.head.keepsAlive && !request.head.expectsContinue)
        #expect(request.body == Self.bytes("abc"))
    }

    @Test(arguments: [
        ("1.1", "", true), ("1.1", "Connection: close\r\n", false), ("1.1", "Connection: a, CLOSE ,b\r\n", false),
        ("1.1", "Connection: closed\r\n", true), ("1.0", "", false), ("1.0", "Connection: Keep-Alive\r\n", true),
        ("1.0", "Connection: keep-alive, close\r\n", false),
        ("1.0", "Connection: close\r\nConnection: keep-alive\r\n", false),
    ])
    func `keeps the connection as the client asks`(version: String, field: String, keeps: Bool) throws {
        let outcome = Self.parse([Self.bytes("GET / HTTP/\(version)\r\nHost: x\r\n\(field)\r\n")])
        let request = try #require(outcome.requests.first)
        #expect(request.head.keepsAlive == keeps)
    }

    @Test func `an absolute target gives its path`() throws {
        let outcome = Self.parse([Self.bytes("GET HTTP://x?q=1 HTTP/1.1\r\nHost: X\r\n\r\n")])
        let head = try #require(outcome.requests.first).head
        #expect(head.path == "/" && head.query == "q=1")
    }

    @Test func `a connection that was refused stays refused`() {
        var parser = RequestParser()
        parser.feed(Self.bytes("GET / HTTP/1.1\n"))
        #expect(throws: Refusal.bareLineFeed) { try parser.next() }
        parser.feed(Self.bytes("GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
        #expect(throws: Refusal.bareLineFeed) { try parser.next() }
        #expect(parser.buffered == 0)
    }

    @Test func `a head of exactly the limit is taken and one byte more is not`() {
        func head(_ size: Int) -> [UInt8] {
            let frame = "GET / HTTP/1.1\r\nHost: x\r\nX-A: \r\n\r\n"
            return Self.bytes(
                "GET / HTTP/1.1\r\nHost: x\r\nX-A: \(String(repeating: "a", count: size - frame.utf8.count))\r\n\r\n")
        }
        #expect(Self.parse([head(16 << 10)]).refusal == nil)
        #expect(Self.parse([head((16 << 10) + 1)]).refusal == .headTooLarge)
    }

    @Test func `an unfinished head is never held beyond its limit`() {
        var parser = RequestParser()
        var held = 0
        var refusal: Refusal?
        parser.feed(Self.bytes("GET / HTTP/1.1\r\nX-A: "))
        for _ in 0..<100_000 where refusal == nil {
            parser.feed([UInt8(ascii: "a")])
            do { _ = try parser.next() } catch { refusal = error }
            held = max(held, parser.buffered)
        }
        #expect(refusal == .headTooLarge)
        #expect(held <= 16 << 10)
    }

    @Test("Random requests, chunked at random and cut at random, arrive as they were meant", arguments: 0..<40)
    func randomRequests(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var wire: [UInt8] = []
        var bodies: [[UInt8]] = []
        var targets: [String] = []
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            let body = (0..<Int.random(in: 0...3000, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let target = "/" + String(Int.random(in: 0...Int.max, using: &random), radix: 36)
            bodies.append(body)
            targets.append(target)
            wire += Self.bytes("POST \(target) HTTP/1.1\r\nHost: x\r\n")
            for field in 0..<Int.random(in: 0...20, using: &random) { wire += Self.bytes("X-\(field): \(field)\r\n") }
            if Bool.random(using: &random) {
                wire += Self.bytes("Content-Length: \(body.count)\r\n\r\n") + body
            } else {
                wire += Self.bytes("Transfer-Encoding: chunked\r\n\r\n") + Self.chunked(body, using: &random)
            }
        }
        var pieces: [ArraySlice<UInt8>] = []
        var rest = wire[...]
        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 1...400, using: &random))
            pieces.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        let outcome = Self.parse(pieces)
        #expect(outcome.refusal == nil)
        #expect(outcome.requests.map(\.body) == bodies)
        #expect(outcome.requests.map(\.head.target) == targets)
        #expect(!outcome.requests.contains { !$0.isWhole })
    }

    static func chunked(_ body: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        var wire: [UInt8] = []
        var rest = body[...]
        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 1...700, using: &random))
            let size = String(count, radix: 16, uppercase: Bool.random(using: &random))
            wire += bytes(size + "\r\n") + rest.prefix(count) + bytes("\r\n")
            rest = rest.dropFirst(count)
        }
        return wire + bytes("0\r\n\r\n")
    }

    @Test("Mutated requests never trap, and mean the same whole or in bytes", arguments: 0..<20)
    func mutations(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let corpus = Probes.all.map { Self.bytes($0.request) }.filter { $0.count < 2000 }
        for _ in 0..<200 {
            var bytes = corpus.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert([10, 13, 32, 58, 59, 48, 0].randomElement(using: &random) ?? 0, at: place)
                default: bytes.insert(contentsOf: bytes[place...].prefix(20), at: place)
                }
            }
            #expect(Self.parse([bytes]) == Self.parse(bytes.map { [$0] }))
        }
    }
}
