/// Makes valid UTF-8 of bytes that come in pieces cut anywhere.
///
/// What is no UTF-8, and the byte 0, become U+FFFD; a character cut in two waits for the rest of it.
struct CleanBytes: Sendable {
    private var pending: [UInt8] = []

    /// Appends what is certain of a piece.
    mutating func append(_ piece: UnsafeBufferPointer<UInt8>, to result: inout [UInt8]) {
        var position = 0
        while position < piece.count {
            let start = position
            if pending.isEmpty { position = Self.cleanEnd(of: piece, from: position) }
            if start < position { result.append(contentsOf: UnsafeBufferPointer(rebasing: piece[start..<position])) }
            if position < piece.count {
                take(piece[position], to: &result)
                position += 1
            }
        }
    }

    /// Gives up on a character whose rest never came.
    mutating func finish(to result: inout [UInt8]) {
        if !pending.isEmpty { result.append(codePoint: 0xFFFD) }
        pending = []
    }

    /// Whether nothing has to be replaced in a text.
    static func areClean(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { cleanEnd(of: $0, from: 0) == bytes.count }
    }

    /// How far whole characters reach that can stay as they are.
    private static func cleanEnd(of bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var position = start
        while true {
            position = bytes.first(from: position, to: bytes.count) { $0.equal(0) | $0.others }
            guard position < bytes.count, bytes[position] >= 0xC2, bytes[position] <= 0xF4 else { return position }
            let end = position + length(of: bytes[position])
            guard end <= bytes.count else { return position }
            for place in (position + 1)..<end
            where !mayFollow(bytes[place], bytes[position], isSecond: place == position + 1) {
                return position
            }
            position = end
        }
    }

    private mutating func take(_ byte: UInt8, to result: inout [UInt8]) {
        if !pending.isEmpty {
            if Self.mayFollow(byte, pending[0], isSecond: pending.count == 1) {
                pending.append(byte)
                if pending.count == Self.length(of: pending[0]) {
                    result += pending
                    pending.removeAll(keepingCapacity: true)
                }
                return
            }
            result.append(codePoint: 0xFFFD)
            pending.removeAll(keepingCapacity: true)
        }
        switch byte {
        case 0x01...0x7F: result.append(byte)
        case 0xC2...0xF4: pending.append(byte)
        default: result.append(codePoint: 0xFFFD)
        }
    }

    private static func length(of first: UInt8) -> Int { first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4 }

    /// Whether a byte goes on with a character; the second byte has narrower bounds after some first ones.
    private static func mayFollow(_ byte: UInt8, _ first: UInt8, isSecond: Bool) -> Bool {
        guard byte & 0xC0 == 0x80 else { return false }
        guard isSecond else { return true }
        switch first {
        case 0xE0: return byte >= 0xA0
        case 0xED: return byte < 0xA0
        case 0xF0: return byte >= 0x90
        case 0xF4: return byte < 0x90
        default: return true
        }
    }
}
