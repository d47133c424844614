import RejoinCore
import SeededRandom
import Testing

@Suite struct EventStreamParserTests {
    typealias Sent = ServerSentEvent

    static func parse(_ pieces: [[UInt8]], maximumEventSize: Int = 4 << 20) -> [Sent] {
        var parser = EventStreamParser(maximumEventSize: maximumEventSize)
        var events: [Sent] = []
        for piece in pieces { parser.feed(piece) { events.append($0) } }
        return events
    }

    static func parse(_ text: String) -> [Sent] { parse([Array(text.utf8)]) }

    static func event(_ data: String, type: String = "message", id: String = "") -> Sent {
        Sent(type: type, data: Array(data.utf8), lastEventID: id)
    }

    /// Each rule of the standard as a stream and what it dispatches.
    static let rules: [(String, [Sent])] = [
        // Line ends, alone and mixed.
        ("data: a\n\n", [event("a")]),
        ("data: a\r\n\r\n", [event("a")]),
        ("data: a\r\r", [event("a")]),
        ("data: a\r\n\rdata: b\n\r\ndata: c\r\n\n", [event("a"), event("b"), event("c")]),
        ("data: a\n\r\n", [event("a")]),
        // A byte order mark, once, at the start alone.
        ("\u{FEFF}data: a\n\n", [event("a")]),
        ("\u{FEFF}\u{FEFF}data: a\n\n", []),
        ("data: a\n\n\u{FEFF}data: b\n\n", [event("a")]),
        // Comments.
        (": hello\n\n:\n\ndata: a\n: inside\ndata: b\n\n", [event("a\nb")]),
        // Fields: one space after the colon goes, no more; without a colon the value is empty.
        ("data:a\n\n", [event("a")]),
        ("data:  a \n\n", [event(" a ")]),
        ("data: a:b\n\n", [event("a:b")]),
        ("data\n\n", [event("")]),
        ("data\ndata\n\n", [event("\n")]),
        ("data:\n\n", [event("")]),
        ("data: a\ndata\ndata: b\n\n", [event("a\n\nb")]),
        ("DATA: a\n\n", []),
        (" data: a\n\n", []),
        ("dat: a\ndataa: b\n\n", []),
        ("other: x\ndata: a\n\n", [event("a")]),
        // Types belong to one event; an event without data is none, and its type is forgotten.
        ("event: t\ndata: a\n\ndata: b\n\n", [event("a", type: "t"), event("b")]),
        ("event: t\n\ndata: b\n\n", [event("b")]),
        ("event: t\nevent: u\ndata: a\n\n", [event("a", type: "u")]),
        ("event\ndata: a\n\n", [event("a")]),
        ("\n\n\n", []),
        // Ids stay, are set without data too, are reset by an empty one, and may not hold NUL.
        ("id: 1\ndata: a\n\ndata: b\n\n", [event("a", id: "1"), event("b", id: "1")]),
        ("id: 1\n\ndata: b\n\n", [event("b", id: "1")]),
        ("id: 1\ndata: a\n\nid\ndata: b\n\n", [event("a", id: "1"), event("b")]),
        ("id: 1\ndata: a\n\nid: 2\u{0}\ndata: b\n\n", [event("a", id: "1"), event("b", id: "1")]),
        ("id: 1\nid: 2\ndata: a\n\n", [event("a", id: "2")]),
        // The end of the stream throws away what is not finished.
        ("data: a\n\ndata: b\n", [event("a")]),
        ("data: a\n\ndata: b", [event("a")]),
        ("data: a", []),
        // Terminators of other protocols are data like any other.
        ("data: [DONE]\n\n", [event("[DONE]")]),
        // Characters of several bytes.
        ("event: é\nid: 漢\ndata: 🦊\n\n", [event("🦊", type: "é", id: "漢")]),
    ]

    @Test("A10 the stream parses as the standard says", arguments: rules.indices)
    func rule(index: Int) {
        let (stream, expected) = Self.rules[index]
        #expect(Self.parse(stream) == expected)
    }

    @Test("A10 one byte at a time gives the same events", arguments: rules.indices)
    func singleBytes(index: Int) {
        let (stream, expected) = Self.rules[index]
        #expect(Self.parse(stream.utf8.map { [$0] }) == expected)
        // With empty reads between them, too.
        #expect(Self.parse(stream.utf8.flatMap { [[], [$0], []] }) == expected)
    }

    @Test("S08 events split at every byte equal the unsplit run", arguments: rules.indices)
    func everySplit(index: Int) {
        let (stream, expected) = Self.rules[index]
        let bytes = Array(stream.utf8)
        for split in 0...bytes.count {
            #expect(Self.parse([Array(bytes[..<split]), Array(bytes[split...])]) == expected, "split at \(split)")
        }
    }

    /// The standard's rules once more, the slow and obvious way, over a whole stream.
    static func reference(_ bytes: [UInt8]) -> [Sent] {
        var lines: [[UInt8]] = []
        var line: [UInt8] = []
        var position = 0
        while position < bytes.count {
            switch bytes[position] {
            case 0x0D:
                if position + 1 < bytes.count, bytes[position + 1] == 0x0A { position += 1 }
                fallthrough
            case 0x0A:
                lines.append(line)
                line = []
            default: line.append(bytes[position])
            }
            position += 1
        }
        if lines.first?.starts(with: [0xEF, 0xBB, 0xBF]) == true { lines[0].removeFirst(3) }
        var events: [Sent] = []
        var data: [UInt8] = []
        var type = ""
        var buffer = ""
        for line in lines {
            if line.isEmpty {
                if !data.isEmpty {
                    data.removeLast()
                    events.append(Sent(type: type.isEmpty ? "message" : type, data: data, lastEventID: buffer))
                }
                data = []
                type = ""
                continue
            }
            let colon = line.firstIndex(of: 0x3A) ?? line.count
            let name = String(decoding: line[..<colon], as: UTF8.self)
            var value = colon < line.count ? Array(line[(colon + 1)...]) : []
            if value.first == 0x20 { value.removeFirst() }
            switch name {
            case "data": data += value + [0x0A]
            case "event": type = String(decoding: value, as: UTF8.self)
            case "id": if !value.contains(0) { buffer = String(decoding: value, as: UTF8.self) }
            default: break
            }
        }
        return events
    }

    @Test("A10 any stream, cut at random, parses as an independent reading of the rules", arguments: 0..<400)
    func randomStreams(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let fragments: [[UInt8]] =
            [
                "data", "event", "id", "retry", ":", " ", "\n", "\n", "\r", "\r\n", "\n\n", "\u{FEFF}", "x", "é", "🦊",
                "\u{0}",
                "1", "data: ", "data:", "id: ", "event: ", ": c",
            ].map { Array($0.utf8) } + [[0xFF], [0xC3]]
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...80, using: &generator) {
            bytes += fragments.randomElement(using: &generator) ?? []
        }
        let expected = Self.reference(bytes)
        #expect(Self.parse([bytes]) == expected)
        #expect(Self.parse(bytes.randomPieces(using: &generator)) == expected)
        #expect(Self.parse(bytes.map { [$0] }) == expected)
    }

    @Test func `broken characters become replacement characters`() {
        let event = Self.parse([Array("data: a".utf8), [0xFF, 0xC3], Array("b\n\n".utf8)]).first
        #expect(event?.text == "a\u{FFFD}\u{FFFD}b")
    }

    @Test func `the reconnection time is digits alone`() {
        var parser = EventStreamParser()
        func feed(_ text: String) { parser.feed(Array(text.utf8)) { _ in Issue.record("dispatched") } }
        feed("retry: 1500\n\n")
        #expect(parser.retry == 1500)
        for bad in ["1.5", "-1", "+1", " 1", "1 ", "", "x", "0x10", "99999999999999999999"] {
            feed("retry: \(bad)\n\n")
            #expect(parser.retry == 1500, "\(bad)")
        }
        feed("retry:0\n")
        #expect(parser.retry == 0)
    }

    @Test func `the last id is committed by the blank line`() {
        var parser = EventStreamParser()
        parser.feed(Array("id: 7\n".utf8)) { _ in }
        #expect(parser.lastEventID == "")
        parser.feed(Array("\n".utf8)) { _ in }
        #expect(parser.lastEventID == "7")
    }

    @Test("S08 a line of 1 MiB is one event", arguments: [1, 4096, 1 << 20, 3 << 20])
    func longLine(size: Int) {
        let value = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        let bytes = Array("data: ".utf8) + value + Array("\n\ndata: after\n\n".utf8)
        var parser = EventStreamParser()
        var events: [Sent] = []
        var start = 0
        while start < bytes.count {
            let end = min(start + size, bytes.count)
            parser.feed(bytes[start..<end]) { events.append($0) }
            start = end
        }
        #expect(events.count == 2)
        #expect(events.first?.data == value)
        #expect(!parser.isOverflowing)
    }

    @Test(arguments: [1, 7, 5000])
    func `what outgrows its bound is refused, in whatever pieces it comes`(size: Int) {
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 2000)
        let field = Array("data: ".utf8)
        var many: [UInt8] = []
        for _ in 0..<10 { many += field + line.prefix(200) + [0x0A] }
        let attacks: [[UInt8]] = [field + line, line, many]
        for attack in attacks {
            var parser = EventStreamParser(maximumEventSize: 1000)
            var count = 0
            var rest = attack[...]
            while !rest.isEmpty {
                parser.feed(rest.prefix(size)) { _ in count += 1 }
                rest = rest.dropFirst(size)
            }
            #expect(parser.isOverflowing)
            parser.feed(Array("\n\ndata: after\n\n".utf8)) { _ in count += 1 }
            #expect(count == 0)
        }
    }

    @Test func `many events that are each within the bound pass`() {
        let one = Array(("data: " + String(repeating: "x", count: 900) + "\n\n").utf8)
        let events = Self.parse(Array(repeating: one, count: 50), maximumEventSize: 1000)
        #expect(events.count == 50)
    }
}
