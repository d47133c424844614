/// Reads HTTP/1.1 requests from bytes, strictly, whatever way the bytes are cut.
///
/// A value without I/O: bytes go in by ``feed(_:)``, parts come out by ``next()``. Whoever drives it decides when to ask,
/// which is how pipelined requests wait their turn and how an upload is held back. Nothing that RFC 9112 calls
/// tolerable but risky is tolerated: bare line feeds, folded lines, blanks before a colon, repeated lengths, chunk
/// extensions. Behind a proxy each of them is a way to smuggle a request.
package struct RequestParser: Sendable {
    /// The bounds of a head, in bytes and lines.
    package struct Limits: Sendable {
        package var head = 16 << 10
        package var fields = 100
        package var target = 8 << 10
        package var method = 32

        /// The defaults.
        package init() {}
    }

    /// What a request is made of, in order: a head, pieces of the body, the end.
    package enum Part: Sendable, Equatable {
        case head(RequestHead)
        case body(ArraySlice<UInt8>)
        case end
    }

    private enum Position: Sendable {
        case requestLine
        case fields
        case body(remaining: Int)
        case chunkSize
        case chunk(remaining: Int)
        case chunkEnd
        case trailer
        case end
        case refused(Refusal)
    }

    /// A size of eight digits is 4 GB: no sender makes such a chunk, and no arithmetic can overflow.
    private static let maximumChunkDigits = 8
    private static let maximumPiece = 64 << 10

    private let limits: Limits
    private var position = Position.requestLine
    private var buffer: [UInt8] = []
    private var start = 0
    /// Where the search for the next line feed goes on, so that a head sent byte by byte costs no more.
    private var searched = 0
    private var headBytes = 0
    private var fieldLines = 0
    private var head = RequestHead()

    /// Starts before the first request of a connection.
    package init(limits: Limits = Limits()) { self.limits = limits }

    /// How many bytes were fed and not yet handed out.
    package var buffered: Int { buffer.count - start }

    /// Whether the head of a request has begun to arrive and is not whole.
    package var isInsideHead: Bool {
        switch position {
        case .requestLine: buffered > 0
        case .fields: true
        default: false
        }
    }

    /// Takes the next bytes of the connection.
    package mutating func feed(_ bytes: some Collection<UInt8>) {
        if case .refused = position { return }
        if start > 0, start == buffer.count { reset() }
        buffer.append(contentsOf: bytes)
    }

    /// The next part that is whole, or nil until more bytes are fed.
    ///
    /// - Throws: what makes the rest of the connection unreadable; the same again on every later call.
    package mutating func next() throws(Refusal) -> Part? {
        do {
            return try advance()
        } catch {
            position = .refused(error)
            buffer = []
            reset()
            throw error
        }
    }

    private mutating func advance() throws(Refusal) -> Part? {
        while true {
            switch position {
            case .requestLine:
                guard let line = try line(within: limits.head, else: .targetTooLong) else { return nil }
                head = try RequestHead(requestLine: line, limits: limits)
                headBytes = line.count + 2
                fieldLines = 0
                position = .fields
            case .fields:
                guard let line = try line(within: limits.head - headBytes, else: .headTooLarge) else { return nil }
                headBytes += line.count + 2
                guard line.isEmpty else {
                    fieldLines += 1
                    guard fieldLines <= limits.fields else { throw .tooManyFields }
                    try head.take(fieldLine: line)
                    continue
                }
                try head.finish()
                switch head.framing {
                case .none: position = .end
                case .length(let length): position = .body(remaining: length)
                case .chunked: position = .chunkSize
                }
                defer { head = RequestHead() }
                return .head(head)
            case .body(let remaining):
                guard let piece = take(atMost: remaining) else { return nil }
                position = piece.count == remaining ? .end : .body(remaining: remaining - piece.count)
                return .body(piece)
            case .chunkSize:
                // One byte more than the longest size that is right: enough to see that it is wrong.
                guard let line = try line(within: Self.maximumChunkDigits + 2, else: .malformedChunk) else {
                    return nil
                }
                let size = try Self.chunkSize(line)
                headBytes = 0
                fieldLines = 0
                position = size == 0 ? .trailer : .chunk(remaining: size)
            case .chunk(let remaining):
                guard let piece = take(atMost: remaining) else { return nil }
                position = piece.count == remaining ? .chunkEnd : .chunk(remaining: remaining - piece.count)
                return .body(piece)
            case .chunkEnd:
                guard let line = try line(within: 2, else: .malformedChunk) else { return nil }
                guard line.isEmpty else { throw .malformedChunk }
                position = .chunkSize
            case .trailer:
                guard let line = try line(within: limits.head - headBytes, else: .headTooLarge) else { return nil }
                headBytes += line.count + 2
                guard line.isEmpty else {
                    fieldLines += 1
                    guard fieldLines <= limits.fields else { throw .tooManyFields }
                    try Self.checkTrailer(line)
                    continue
                }
                position = .end
            case .end:
                position = .requestLine
                return .end
            case .refused(let refusal): throw refusal
            }
        }
    }

    /// The next line without its end; nil if it is not whole yet.
    ///
    /// The bound is looked at before the bytes are, so that the answer is the same however they were cut.
    private mutating func line(within bound: Int, else tooLong: Refusal) throws(Refusal) -> ArraySlice<UInt8>? {
        let end = min(buffer.count, start + max(bound, 0))
        guard let lineFeed = buffer[max(searched, start)..<max(end, searched, start)].firstIndex(of: Grammar.lineFeed)
        else {
            searched = max(end, start)
            if end == start + max(bound, 0) { throw tooLong }
            if start > 0 { compact() }
            return nil
        }
        guard lineFeed > start, buffer[lineFeed - 1] == Grammar.carriageReturn else { throw .bareLineFeed }
        let line = buffer[start..<(lineFeed - 1)]
        start = lineFeed + 1
        searched = start
        return line
    }

    /// The next bytes of a body; nil if there are none yet.
    private mutating func take(atMost limit: Int) -> ArraySlice<UInt8>? {
        guard start < buffer.count else {
            reset()
            return nil
        }
        if start == 0, buffer.count <= limit {
            // The whole buffer is body: handed over as it is, without a copy.
            let piece = buffer[...]
            buffer = []
            reset()
            return piece
        }
        let count = min(limit, buffer.count - start, Self.maximumPiece)
        let piece = ArraySlice(Array(buffer[start..<(start + count)]))
        start += count
        searched = start
        if start == buffer.count { reset() }
        return piece
    }

    private mutating func compact() {
        buffer.removeSubrange(..<start)
        searched -= start
        start = 0
        if buffer.isEmpty { reset() }
    }

    /// Lets the memory of an empty buffer go: thousands of quiet connections must cost little.
    private mutating func reset() {
        buffer = []
        start = 0
        searched = 0
    }

    private static func chunkSize(_ line: ArraySlice<UInt8>) throws(Refusal) -> Int {
        guard !line.isEmpty, line.count <= maximumChunkDigits else { throw .malformedChunk }
        var size = 0
        for byte in line {
            guard let digit = Grammar.hexadecimal(byte) else { throw .malformedChunk }
            size = size << 4 | Int(digit)
        }
        return size
    }

    /// Trailers are checked and dropped; those that would change what came before are refused.
    private static func checkTrailer(_ line: ArraySlice<UInt8>) throws(Refusal) {
        guard let (name, _) = try? RequestHead.field(line),
            !["content-length", "transfer-encoding", "host"].contains(where: { HTTPFields.equal(name, $0) })
        else { throw .malformedTrailer }
    }
}
