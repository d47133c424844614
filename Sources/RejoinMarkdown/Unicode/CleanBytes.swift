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
            if pending.isEmpty {
                while position < piece.count, piece[position] < 0x80, piece[position] != 0 { position += 1 }
            }
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

    private mutating func take(_ byte: UInt8, to result: inout [UInt8]) {
        if !pending.isEmpty {
            if mayFollow(byte) {
                pending.append(byte)
                if pending.count == length(of: pending[0]) {
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

    private func length(of first: UInt8) -> Int { first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4 }

    /// Whether a byte goes on with the character at hand; the second byte has narrower bounds after some first ones.
    private func mayFollow(_ byte: UInt8) -> Bool {
        guard byte & 0xC0 == 0x80 else { return false }
        guard pending.count == 1 else { return true }
        switch pending[0] {
        case 0xE0: return byte >= 0xA0
        case 0xED: return byte < 0xA0
        case 0xF0: return byte >= 0x90
        case 0xF4: return byte < 0x90
        default: return true
        }
    }
}
