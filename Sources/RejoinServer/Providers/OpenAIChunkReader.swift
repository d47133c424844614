/// Walks over one JSON document, handing members and elements to closures that read or skip each.
///
/// Tolerant where a tree would not help (numbers and literals are skipped by their look), strict where the end of
/// things is concerned: a document that breaks off is never taken for a whole one.
struct OpenAIChunkReader {
    typealias Malformed = OpenAIChunk.Malformed

    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0
    private static let maximumDepth = 64

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads an object, giving each member's name to `member`, which must read or skip its value.
    mutating func object(
        _ member: (StaticName, inout OpenAIChunkReader) throws(Malformed) -> Void
    ) throws(Malformed) {
        try open("{")
        if try close("}") { return }
        while true {
            skipSpace()
            let name = try skipString()
            try expect(":")
            skipSpace()
            try member(StaticName(bytes: name), &self)
            if try close("}") { return }
            try expect(",")
        }
    }

    /// Reads an array, giving each element's position to `element`, which must read or skip it.
    mutating func array(_ element: (Int, inout OpenAIChunkReader) throws(Malformed) -> Void) throws(Malformed) {
        try open("[")
        if try close("]") { return }
        var count = 0
        while true {
            skipSpace()
            try element(count, &self)
            count += 1
            if try close("]") { return }
            try expect(",")
        }
    }

    /// Reads a string; nil for a value that is none, which is skipped.
    mutating func string() throws(Malformed) -> [UInt8]? {
        guard nextIs("\"") else {
            _ = try skipValue()
            return nil
        }
        let raw = try skipString()
        return raw.contains(UInt8(ascii: "\\")) ? try Self.unescape(raw) : Array(raw)
    }

    /// Steps over a value of any kind.
    ///
    /// - Returns: its bytes.
    mutating func skipValue() throws(Malformed) -> ArraySlice<UInt8> {
        skipSpace()
        let start = position
        var open = 0
        repeat {
            skipSpace()
            guard position < bytes.count else { throw Malformed() }
            switch bytes[position] {
            case UInt8(ascii: "\""): _ = try skipString()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard open > 0 else { throw Malformed() }
                open -= 1
                position += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                guard open > 0 else { throw Malformed() }
                position += 1
            default:
                while position < bytes.count, Self.isScalar(bytes[position]) { position += 1 }
                guard position < bytes.count || open == 0, position > start else { throw Malformed() }
                if position < bytes.count, !Self.isBoundary(bytes[position]) { throw Malformed() }
            }
        } while open > 0
        return bytes[start..<position]
    }

    /// Whether the next byte that counts is this one.
    mutating func nextIs(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        return position < bytes.count && bytes[position] == UInt8(ascii: character)
    }

    /// Makes sure that nothing follows.
    mutating func finish() throws(Malformed) {
        skipSpace()
        guard position == bytes.count else { throw Malformed() }
    }

    /// A member's name, compared without making a string of it.
    struct StaticName {
        let bytes: ArraySlice<UInt8>

        static func ~= (literal: StaticString, name: StaticName) -> Bool { name == literal }

        static func == (name: StaticName, literal: StaticString) -> Bool {
            guard name.bytes.count == literal.utf8CodeUnitCount else { return false }
            return name.bytes.elementsEqual(
                UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
        }
    }

    // MARK: Bytes

    private static func isScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func isBoundary(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"): true
        default: false
        }
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(Malformed) {
        guard nextIs(character) else { throw Malformed() }
        position += 1
    }

    private mutating func open(_ character: Unicode.Scalar) throws(Malformed) {
        try expect(character)
        depth += 1
        guard depth <= Self.maximumDepth else { throw Malformed() }
    }

    private mutating func close(_ character: Unicode.Scalar) throws(Malformed) -> Bool {
        guard nextIs(character) else { return false }
        position += 1
        depth -= 1
        return true
    }

    /// Steps over a string; gives what is between its quotes.
    private mutating func skipString() throws(Malformed) -> ArraySlice<UInt8> {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { throw Malformed() }
        let start = position + 1
        var end = start
        while end < bytes.count {
            switch bytes[end] {
            case UInt8(ascii: "\""):
                position = end + 1
                return bytes[start..<end]
            case UInt8(ascii: "\\"): end += 2
            default: end += 1
            }
        }
        throw Malformed()
    }

    private static func unescape(_ raw: ArraySlice<UInt8>) throws(Malformed) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(raw.count)
        var position = raw.startIndex
        while position < raw.endIndex {
            let byte = raw[position]
            position += 1
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            guard position < raw.endIndex else { throw Malformed() }
            let kind = raw[position]
            position += 1
            switch kind {
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(kind)
            case UInt8(ascii: "u"):
                guard let unit = unit(raw, at: &position) else { throw Malformed() }
                if (0xD800..<0xDC00).contains(unit), position + 1 < raw.endIndex, raw[position] == UInt8(ascii: "\\"),
                    raw[position + 1] == UInt8(ascii: "u")
                {
                    var next = position + 2
                    if let low = Self.unit(raw, at: &next), (0xDC00..<0xE000).contains(low) {
                        position = next
                        text.append(contentsOf: OpenAIText.bytes(of: 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)))
                        continue
                    }
                }
                text.append(contentsOf: OpenAIText.bytes(of: unit))
            default: throw Malformed()
            }
        }
        return text
    }

    /// Reads four hexadecimal digits.
    private static func unit(_ raw: ArraySlice<UInt8>, at position: inout Int) -> UInt32? {
        guard position + 4 <= raw.endIndex else { return nil }
        var unit: UInt32 = 0
        for byte in raw[position..<position + 4] {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
            default: return nil
            }
        }
        position += 4
        return unit
    }
}
