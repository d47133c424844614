import RejoinCore
import SeededRandom
import Testing

@Suite struct EventWireTests {
    static let upload: UploadID = UploadID(high: 0x017F_22E2_79B0_7CC3, low: 0x98C4_DC0C_0C07_398F)
    static let attachment = Event.Attachment(upload: upload, mediaType: "image/png", name: "a \"b\".png")

    /// Every type with and without its optional members, and the very bytes of its data.
    static let golden: [(Event, String)] = [
        (.status(.init(.queued, position: 3)), #"{"phase":"queued","position":3}"#),
        (.status(.init(.searching, detail: "the web")), #"{"phase":"searching","detail":"the web"}"#),
        (.text("a\n\"b\"\\ é🦊\u{1}"), #"{"text":"a\n\"b\"\\ é🦊\u0001"}"#),
        (.text(""), #"{"text":""}"#),
        (.reasoning("hm"), #"{"text":"hm"}"#),
        (.source(.init(title: "T", url: "https://x", upload: nil)), #"{"title":"T","url":"https://x"}"#),
        (
            .source(.init(title: "T", url: nil, upload: upload)),
            #"{"title":"T","upload":"017f22e2-79b0-7cc3-98c4-dc0c0c07398f"}"#
        ),
        (
            .attachment(attachment),
            #"{"upload":"017f22e2-79b0-7cc3-98c4-dc0c0c07398f","media_type":"image/png","name":"a \"b\".png"}"#
        ),
        (
            .tool(.init(call: "c1", name: "search", phase: .progress, detail: "2 of 3")),
            #"{"call":"c1","name":"search","phase":"progress","detail":"2 of 3"}"#
        ),
        (
            .tool(.init(call: "c1", name: "search", phase: .finished, detail: nil)),
            #"{"call":"c1","name":"search","phase":"finished"}"#
        ),
        (.model(.init("small", placement: .device)), #"{"model":"small","placement":"device"}"#),
        (
            .model(.init("small", placement: .provider, reason: "limit")),
            #"{"model":"small","placement":"provider","reason":"limit"}"#
        ),
        (.compaction(droppedTurns: 4, summary: nil), #"{"dropped_turns":4}"#),
        (.compaction(droppedTurns: 4, summary: "s"), #"{"dropped_turns":4,"summary":"s"}"#),
        (.withdrawn(reason: "safety"), #"{"reason":"safety"}"#),
        (
            .usage(.init(inputTokens: 12, outputTokens: 7, isEstimated: true)),
            #"{"input_tokens":12,"output_tokens":7,"estimated":true}"#
        ),
        (
            .snapshot(.init(seq: 9, content: [.text("a"), .attachment(attachment)])),
            #"{"seq":9,"content":[{"type":"text","text":"a"},"#
                + #"{"type":"attachment","upload":"017f22e2-79b0-7cc3-98c4-dc0c0c07398f","media_type":"image/png","#
                + #""name":"a \"b\".png"}]}"#
        ),
        (
            .snapshot(.init(seq: 9, content: [], withdrawal: "safety")),
            #"{"seq":9,"content":[],"withdrawn":"safety"}"#
        ),
        (.end(.init(.done, .complete)), #"{"state":"done","reason":"complete"}"#),
        (.end(.init(.stopped, reason: nil)), #"{"state":"stopped"}"#),
        (
            .end(
                .init(
                    .refused, .limitReached, resetsAt: Timestamp(milliseconds: 1_796_021_135_120), retryAfter: 60)),
            #"{"state":"refused","reason":"limit-reached","resets_at":"2026-11-30T06:45:35.120Z","retry_after":60}"#
        ),
        (.end(.init(.failed, reason: "of-a-newer-server")), #"{"state":"failed","reason":"of-a-newer-server"}"#),
    ]

    @Test(arguments: golden.indices)
    func `each event has exactly these bytes and reads back from them`(index: Int) {
        let (event, data) = Self.golden[index]
        var bytes: [UInt8] = []
        event.appendData(to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == data)
        #expect(Event(type: event.type, data: Array(data.utf8)) == event)
    }

    @Test func `every type is in the golden list`() {
        let types = Set(Self.golden.map(\.0.type))
        #expect(
            types == [
                "status", "text", "reasoning", "source", "attachment", "tool", "model", "compaction", "withdrawn",
                "usage",
                "snapshot", "end",
            ])
    }

    @Test func `an event on the wire is its number, its type and one line`() {
        var bytes: [UInt8] = []
        NumberedEvent(seq: 12, event: .text("a\r\nb")).append(to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "id:12\nevent:text\ndata:{\"text\":\"a\\r\\nb\"}\n\n")
    }

    @Test(arguments: 0..<100)
    func `a log comes back through the stream however it is cut`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var log: [NumberedEvent] = []
        for seq in 1...Int.random(in: 1...30, using: &generator) {
            let known = Self.golden.randomElement(using: &generator)?.0 ?? .text("")
            let event: Event = Bool.random(using: &generator) ? known : .text(.random(upTo: 20, using: &generator))
            log.append(NumberedEvent(seq: seq, event: event))
        }
        var bytes: [UInt8] = []
        for event in log { event.append(to: &bytes) }
        var parser = EventStreamParser()
        var read: [NumberedEvent?] = []
        for piece in bytes.randomPieces(using: &generator) { parser.feed(piece) { read.append(NumberedEvent($0)) } }
        #expect(read == log)
    }

    @Test func `members that are not known are skipped`() {
        let data = Array(#"{"text":"a","colour":{"deep":[1]}}"#.utf8)
        #expect(Event(type: "text", data: data) == .text("a"))
    }

    @Test("A06 what a newer server says is skipped, not fatal")
    func newer() {
        for (type, data) in [
            ("hologram", #"{"x":1}"#), ("status", #"{"phase":"dreaming"}"#),
            ("tool", #"{"call":"1","name":"n","phase":"paused"}"#),
            ("model", #"{"model":"m","placement":"orbit"}"#),
        ] {
            #expect(Event(type: type, data: Array(data.utf8)) == .unknown(type: type))
        }
    }

    @Test(arguments: [
        ("text", "{}"), ("text", #"{"text":1}"#), ("text", #"["a"]"#), ("text", "a"), ("text", ""),
        ("status", #"{"phase":1}"#),
        ("source", "{}"), ("attachment", #"{"upload":"x","media_type":"a","name":"b"}"#),
        ("tool", #"{"call":"1","phase":"started"}"#),
        ("model", #"{"model":"m"}"#), ("compaction", #"{"dropped_turns":"4"}"#), ("withdrawn", "{}"),
        ("usage", #"{"input_tokens":1.5,"output_tokens":1,"estimated":true}"#), ("snapshot", #"{"seq":1}"#),
        ("snapshot", #"{"seq":1,"content":[{"type":"text"}]}"#), ("end", #"{"state":"over"}"#), ("end", "{}"),
    ])
    func `data that is not what its type asks for is refused`(type: String, data: String) {
        #expect(Event(type: type, data: Array(data.utf8)) == nil)
    }

    @Test(arguments: ["", "0", "-1", "x", "1.5", "99999999999999999999"])
    func `a number that no log has is refused`(id: String) {
        #expect(
            NumberedEvent(ServerSentEvent(type: "text", data: Array(#"{"text":"a"}"#.utf8), lastEventID: id)) == nil)
    }

    @Test(arguments: Problem.Kind.allCases)
    func `a problem comes back from its document`(kind: Problem.Kind) throws {
        let problem = Problem(kind, "why \"so\"", field: "content[0].text", retryAfter: 30)
        #expect(Problem(json: problem.json) == problem)
        let object = try JSONReader.parse(problem.json).object
        #expect(object?["type"]?.string == "/problems/\(kind.rawValue)")
        #expect(object?["status"]?.integer == kind.status)
        #expect(Problem(json: Problem(kind, "").json) == Problem(kind, ""))
    }

    @Test func `what is no problem document is none`() {
        for text in ["", "[]", "{}", #"{"type":"about:blank"}"#, #"{"type":"/problems/full-moon"}"#, #"{"type":1}"#] {
            #expect(Problem(json: Array(text.utf8)) == nil)
        }
    }
}
