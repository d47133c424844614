import BenchCore

/// The bytes of a chat-completions stream, made once and patched for each piece.
struct CompletionFrames {
    private var piece: [UInt8]
    private let stampPosition: Int

    static let head = Array(
        """
        HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nCache-Control: no-cache\r\n\
        X-Accel-Buffering: no\r\nTransfer-Encoding: chunked\r\n\r\n
        """.utf8)
    static let opening = chunk(event(delta: #"{"role":"assistant","content":""}"#, reason: "null"))

    init(pieceSize: Int) {
        let text =
            String(repeating: "A", count: PieceStamp.size)
            + String(repeating: ".", count: pieceSize - PieceStamp.size)
        piece = Self.chunk(Self.event(delta: #"{"content":"\#(text)"}"#, reason: "null"))
        stampPosition = piece[...].first(Array(text.utf8)) ?? 0
    }

    /// The frame of one piece; valid until the next is made.
    mutating func frame(index: Int, now: Int64) -> [UInt8] {
        PieceStamp(index: index, nanoseconds: now).write(into: &piece, at: stampPosition)
        return piece
    }

    static func closing(pieces: Int, withUsage: Bool) -> [UInt8] {
        var text = event(delta: "{}", reason: #""stop""#)
        if withUsage {
            text += """
                data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1700000000,"model":"bench",\
                "choices":[],"usage":{"prompt_tokens":8,"completion_tokens":\(pieces),"total_tokens":\(pieces + 8)}}


                """
        }
        return chunk(text + "data: [DONE]\n\n") + Array("0\r\n\r\n".utf8)
    }

    static func json(_ body: String) -> [UInt8] {
        Array(
            """
            HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
            """.utf8)
    }

    private static func event(delta: String, reason: String) -> String {
        """
        data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1700000000,"model":"bench",\
        "system_fingerprint":null,"choices":[{"index":0,"delta":\(delta),"logprobs":null,"finish_reason":\(reason)}]}


        """
    }

    private static func chunk(_ text: String) -> [UInt8] {
        Array("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n".utf8)
    }
}
