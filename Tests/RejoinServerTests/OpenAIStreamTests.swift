import RejoinCore
import TestSupport
import SeededRandom
import Testing

@testable import RejoinServer

@Suite struct OpenAIStreamTests {
    /// What a run of the machine came to.
    struct Run: Equatable {
        var text = ""
        var reasoning = ""
        var usage: Event.Usage?
        var end: ModelEnd

        init(
            _ parts: some Sequence<ArraySlice<UInt8>>, end bodyEnd: OpenAIStream.BodyEnd = .clean,
            contentType: String? = "text/event-stream"
        ) {
            var stream = OpenAIStream(contentType: contentType)
            end = .cancelled
            func collect() {
                for piece in stream.takePieces() {
                    switch piece {
                    case .text(let piece): text += piece
                    case .reasoning(let piece): reasoning += piece
                    default: Issue.record("an unexpected piece")
                    }
                }
            }
            for part in parts {
                stream.feed(part)
                collect()
            }
            stream.end(bodyEnd)
            collect()
            usage = stream.usage
            end = stream.outcome(now: Timestamp(milliseconds: 0))
        }

        init(
            _ text: String, end: OpenAIStream.BodyEnd = .clean, contentType: String? = "text/event-stream"
        ) {
            self.init([Array(text.utf8)[...]], end: end, contentType: contentType)
        }
    }

    private static func chunk(_ delta: String, finish: String = "null") -> String {
        #"{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","system_fingerprint":null,"#
            + #""choices":[{"index":0,"delta":{\#(delta)},"logprobs":null,"finish_reason":\#(finish)}],"usage":null}"#
    }

    /// A stream with everything in it that has ever split badly.
    private static let recorded: [String] = [
        "event: message", "data: " + chunk(#""role":"assistant","content":"""#), "",
        ": a comment", ":", "",
        "data: " + chunk(#""reasoning_content":"Hm — \u2026""#), "",
        "data:" + chunk(#""content":"Grüße, 世界 \ud83d\ude00""#), "",
        "id: 7", "retry: 1000", "data: " + chunk(#""content":"\ud83d""#), "",
        "data: " + chunk(#""content":"\udc4d\n\"quoted\" \\ \/ \t""#), "",
        "data: {\"choices\":", "data: [{\"delta\":", "data: {\"content\":\"many lines\"}}]}", "",
        "data: " + chunk(#""content":" 👩‍👩‍👧 end""#), "", "",
        "data: " + chunk("", finish: #""stop""#), "",
        #"data: {"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":34,"total_tokens":46}}"#, "",
        "data: [DONE]", "", "",
    ]

    private static let expected = "Grüße, 世界 😀👍\n\"quoted\" \\ / \tmany lines 👩‍👩‍👧 end"

    @Test("S08 a stream split at every byte equals the unsplit run", arguments: ["\n", "\r\n", "\r"])
    func splitsAnywhere(lineEnd: String) async {
        let bytes = Array(Self.recorded.joined(separator: lineEnd).utf8)
        let whole = Run([bytes[...]])
        #expect(whole.text == Self.expected)
        #expect(whole.reasoning == "Hm — …")
        #expect(whole.usage == .init(inputTokens: 12, outputTokens: 34, isEstimated: false))
        #expect(whole.end == .finished(.complete))
        for cut in 0...bytes.count {
            #expect(Run([bytes[..<cut], bytes[cut...]]) == whole, "cut at \(cut)")
            // Leaves the pool to tests that measure time.
            await Task.yield()
        }
        #expect(Run(bytes.indices.map { bytes[$0...$0] }) == whole)
        for size in [2, 3, 7, 64] {
            let parts = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
            #expect(Run(parts) == whole, "pieces of \(size)")
        }
    }

    @Test("S08 mixed line ends, a byte order mark and a missing final line end change nothing")
    func toleratesForms() {
        let ends = ["\n", "\r\n", "\r"]
        var mixed = ""
        for (position, line) in Self.recorded.enumerated() {
            // After a lone CR an empty line ended by LF would read as one CRLF.
            let isAmbiguous = line.isEmpty && mixed.hasSuffix("\r")
            mixed += line + (isAmbiguous ? "\r" : ends[position % 3])
        }
        #expect(Run("\u{FEFF}" + mixed).text == Self.expected)
        var unended = Self.recorded.joined(separator: "\n")
        while unended.hasSuffix("\n") { unended.removeLast() }
        #expect(Run(unended) == Run(Self.recorded.joined(separator: "\n")))
    }

    @Test("S08 half characters inside one token are held back until they are whole")
    func holdsHalfCharacters() {
        // Raw halves of the UTF-8 of 世, and then of an emoji in four tokens.
        let pieces: [[UInt8]] = [[0xE4, 0xB8], [0x96], [0xF0], [0x9F], [0x98], [0x80]]
        var bytes: [UInt8] = []
        for piece in pieces {
            bytes += Array(#"data: {"choices":[{"delta":{"content":""#.utf8) + piece + Array("\"}}]}\n\n".utf8)
        }
        var stream = OpenAIStream(contentType: "text/event-stream")
        var texts: [String] = []
        for byte in bytes {
            stream.feed([byte])
            for case .text(let text) in stream.takePieces() { texts.append(text) }
        }
        #expect(texts == ["世", "😀"])

        func content(_ pieces: String...) -> String {
            Run(pieces.map { "data: " + Self.chunk("\"content\":\"\($0)\"") + "\n\n" }.joined() + "data: [DONE]\n\n")
                .text
        }
        #expect(content(#"a\ud83d"#, #"\ude00b"#) == "a😀b")
        #expect(content(#"\ud83d"#, "x") == "\u{FFFD}x" || content(#"\ud83d"#, "x").hasSuffix("x"))
        #expect(content("done", #"\ud83d"#) == "done")
        #expect(content(#"\ude00"#, "y").hasSuffix("y"))
    }

    @Test("S08 one line of a mebibyte comes through")
    func takesLongLine() {
        let long = String(repeating: "0123456789abcdef", count: 1 << 16)
        let bytes = Array(("data: " + Self.chunk("\"content\":\"\(long)\"") + "\n\ndata: [DONE]\n\n").utf8)
        let parts = stride(from: 0, to: bytes.count, by: 1000).map { bytes[$0..<min($0 + 1000, bytes.count)] }
        let run = Run(parts)
        #expect(run.text == long)
        #expect(run.end == .finished(.complete))
    }

    @Test("S07 only a marker makes an answer done", arguments: [OpenAIStream.BodyEnd.clean, .cut, .timedOut, .stopped])
    func needsMarker(bodyEnd: OpenAIStream.BodyEnd) {
        let text = "data: " + Self.chunk(#""content":"half""#) + "\n\n"
        let reason: EndReason =
            switch bodyEnd {
            case .clean, .cut: .upstreamClosed
            case .timedOut: .upstreamTimeout
            case .stopped: .serverStopped
            }
        let open = Run(text, end: bodyEnd)
        #expect(open.text == "half")
        #expect(open.end == .interrupted(reason))
        #expect(
            Run(text + "data: " + Self.chunk("", finish: #""stop""#) + "\n\n", end: bodyEnd).end == .finished(.complete)
        )
        #expect(Run(text + "data: [DONE]\n\n", end: bodyEnd).end == .finished(.complete))
        // An event that broke off says nothing, and is no error of its own.
        #expect(Run(text + #"data: {"choices":[{"delta":{"content":"lo"#, end: bodyEnd) == open)
    }

    @Test("S07 finish reasons become ends of their own")
    func mapsFinishReasons() {
        func end(_ reason: String, text: String = "x") -> ModelEnd {
            Run("data: " + Self.chunk("\"content\":\"\(text)\"", finish: "\"\(reason)\"") + "\n\ndata: [DONE]\n\n").end
        }
        #expect(end("stop") == .finished(.complete))
        #expect(end("length") == .finished(.length))
        #expect(end("content_filter") == .refused(.contentFilter))
        #expect(end("content_filter", text: "") == .refused(.contentFilter))
        #expect(end("error") == .failed(.upstreamFailed))
        #expect(end("something_new") == .finished(.complete))
        #expect(end("stop", text: "") == .failed(.emptyAnswer))
        #expect(Run("data: [DONE]\n\n").end == .failed(.emptyAnswer))
    }

    @Test(
        "S07 an error inside the stream is one typed failure that keeps the text",
        arguments: [
            #"data: {"error":{"message":"canary","type":"server_error","code":null}}"# + "\n\n",
            #"data: {"error":"canary"}"# + "\n\n",
            #"data: {"error":{"message":"canary"}}"# + "\n\ndata: [DONE]\n\n",
            "event: error\ndata: {\"message\":\"canary\"}\n\n",
            "event: error\ndata: canary\n\n",
            #"data: {"object":"error","message":"canary","code":500}"# + "\n\n",
            #"{"error":{"message":"canary"}}"# + "\n",
            #"{"error":"canary"}"#,
            #"error: {"code":500,"error":{"message":"canary"}}"# + "\n\n",
            #"{"error":"canary"}"# + "\n\ndata: [DONE]\n\n",
            #"data: {"choices":[{"delta":{},"finish_reason":"error"}]}"# + "\n\n",
        ])
    func mapsErrorsInside(error: String) {
        let run = Run("data: " + Self.chunk(#""content":"kept""#) + "\n\n" + error)
        #expect(run.text == "kept")
        #expect(run.end == .failed(.upstreamFailed))
    }

    @Test("S08 a bare error counts up to the stream's own end, and not behind it, however the bytes are cut")
    func readsErrorsUpToTheEnd() {
        let answer = "data: " + Self.chunk(#""content":"kept""#) + "\n\n"
        let error = #"  {"error":{"message":"canary","code":500}}"# + "\n"
        let filling = String(repeating: ": nothing yet\n", count: 400)
        for (body, end) in [
            (answer + "data: [DONE]\n\n" + error, ModelEnd.finished(.complete)),
            (answer + error + filling + "data: [DONE]\n\n", .failed(.upstreamFailed)),
            (answer + error.dropLast(), .failed(.upstreamFailed)),
        ] {
            let bytes = Array(body.utf8)
            for size in [1, 2, 3, 7, 100, bytes.count] {
                let parts = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
                let run = Run(parts)
                #expect(run.text == "kept")
                #expect(run.end == end, "in parts of \(size)")
            }
        }
    }

    @Test("S07 a document in place of a stream is read as what it is")
    func readsDocuments() {
        let json = "application/json"
        #expect(Run(#"{"error":{"message":"canary"}}"#, contentType: json).end == .failed(.upstreamFailed))
        #expect(Run(#"{"error":"canary"}"#).end == .failed(.upstreamFailed))
        #expect(Run("<html>canary</html>", contentType: "text/html").end == .failed(.upstreamMalformed))
        #expect(Run("canary canary", contentType: "text/plain").end == .failed(.upstreamMalformed))
        #expect(Run("{\"error\":", contentType: json).end == .failed(.upstreamMalformed))
        #expect(Run("{\"choices\":", end: .cut, contentType: json).end == .interrupted(.upstreamClosed))
        let whole = Run(
            #"{"choices":[{"message":{"role":"assistant","content":"whole"},"finish_reason":"stop"}],"#
                + #""usage":{"prompt_tokens":1,"completion_tokens":2}}"#, contentType: json)
        #expect(whole.text == "whole")
        #expect(whole.end == .finished(.complete))
        #expect(whole.usage?.outputTokens == 2)
        let mislabelled = "data: " + Self.chunk(#""content":"a""#) + "\n\ndata: [DONE]\n\n"
        #expect(Run(mislabelled, contentType: "application/octet-stream").text == "a")
    }

    @Test("S07 a chunk that is not JSON fails, and keeps the text before it")
    func failsOnBrokenChunk() {
        for broken in ["{", "nonsense", #"{"choices":[}"#, #"{"choices":[]} x"#, #"{"a":"\x"}"#, "[1,2]"] {
            let run = Run("data: " + Self.chunk(#""content":"kept""#) + "\n\ndata: \(broken)\n\ndata: [DONE]\n\n")
            #expect(run.text == "kept", "\(broken)")
            if broken.contains("\\x") { continue }
            #expect(run.end == .failed(.upstreamMalformed), "\(broken)")
        }
    }

    @Test("S16 limits told inside the stream become refusals with a time, before and after the first piece")
    func mapsLimitsInside() {
        let errors: [(String, Int?)] = [
            (#"{"error":{"type":"rate_limit_error","code":429,"retry_after":12}}"#, 12),
            (#"{"error":{"code":"rate_limit_exceeded","message":"Please try again in 1m20.5s. Visit x"}}"#, 81),
            (#"{"error":{"code":"rate_limit_exceeded","message":"Please try again in 7 seconds"}}"#, 7),
            (#"{"error":{"type":"insufficient_quota","message":"canary"}}"#, nil),
            (#"{"error":{"code":429,"metadata":{"retry_after_seconds":3}}}"#, 3),
        ]
        for (error, seconds) in errors {
            let expected = ModelEnd.refused(
                .upstreamLimit, resetsAt: seconds.map { Timestamp(milliseconds: Int64($0) * 1000) }, retryAfter: seconds
            )
            #expect(Run("data: \(error)\n\n").end == expected, "\(error)")
            let after = Run("data: " + Self.chunk(#""content":"kept""#) + "\n\ndata: \(error)\n\n")
            #expect(after.end == expected, "\(error)")
            #expect(after.text == "kept")
        }
    }

    @Test func `text in parts, unknown members and other choices are no trouble`() {
        let run = Run(
            #"data: {"x":[{"y":[1.5e3,true,null,"}"]}],"choices":[{"index":0,"z":{},"delta":{"content":"#
                + #"[{"type":"text","text":"a"},{"type":"text","text":"b"},3]}},{"index":1,"delta":{"content":"no"}}]}"#
                + "\n\ndata: {}\n\ndata: {\"error\":null,\"choices\":[]}\n\ndata: [DONE]\n\n")
        #expect(run.text == "ab")
        #expect(run.end == .finished(.complete))
    }

    @Test func `never traps on bytes changed at random`() async {
        var random = SeededGenerator(seed: 20_261_130)
        let bytes = Array(Self.recorded.joined(separator: "\n").utf8)
        for _ in 0..<500 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = Int.random(in: 0..<changed.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: changed[place] = UInt8.random(in: 0...255, using: &random)
                case 1: changed.remove(at: place)
                default: changed.insert(contentsOf: #"\"{["#.utf8, at: place)
                }
            }
            let cut = Int.random(in: 0...changed.count, using: &random)
            let whole = Run([changed[...]])
            #expect(Run([changed[..<cut], changed[cut...]]).text == whole.text)
            await Task.yield()
        }
    }

}
