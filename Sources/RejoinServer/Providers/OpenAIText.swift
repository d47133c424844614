/// Makes whole characters of pieces that may begin or end in the middle of one.
///
/// A model's token can be half a character: servers send it as the first bytes of its UTF-8, or as half of a
/// surrogate pair. The half is held back until the rest comes; without a rest it is no character and is dropped.
struct OpenAIText {
    private var held: [UInt8] = []

    /// Takes a piece; gives what is whole, if anything is.
    mutating func append(_ piece: [UInt8]) -> String? {
        if piece.isEmpty { return nil }
        var bytes = piece
        if !held.isEmpty {
            if let high = Self.surrogate(held[...]), let low = Self.surrogate(piece.prefix(3)), low >= 0xDC00 {
                bytes = Self.bytes(of: 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)) + piece.dropFirst(3)
            } else {
                bytes = held + piece
            }
            held = []
        }
        let whole = bytes.count - Self.unfinished(bytes)
        held = Array(bytes[whole...])
        return whole == 0 ? nil : String(decoding: bytes[..<whole], as: UTF8.self)
    }

    /// The bytes of a character, or of half a surrogate pair as if it were one.
    static func bytes(of code: UInt32) -> [UInt8] {
        func following(_ shift: UInt32) -> UInt8 { UInt8(0x80 | code >> shift & 0x3F) }
        switch code {
        case ..<0x80: return [UInt8(code)]
        case ..<0x800: return [UInt8(0xC0 | code >> 6), following(0)]
        case ..<0x10000: return [UInt8(0xE0 | code >> 12), following(6), following(0)]
        default: return [UInt8(0xF0 | code >> 18 & 7), following(12), following(6), following(0)]
        }
    }

    /// The half of a surrogate pair that three bytes stand for.
    private static func surrogate(_ bytes: ArraySlice<UInt8>) -> UInt32? {
        guard bytes.count == 3, let first = bytes.first, first == 0xED, bytes[bytes.startIndex + 1] >= 0xA0 else {
            return nil
        }
        return 0xD000 | UInt32(bytes[bytes.startIndex + 1] & 0x3F) << 6 | UInt32(bytes[bytes.startIndex + 2] & 0x3F)
    }

    /// How many bytes at the end wait for others.
    private static func unfinished(_ bytes: [UInt8]) -> Int {
        guard let last = bytes.last, last >= 0x80 else { return 0 }
        if let half = surrogate(bytes.suffix(3)), half < 0xDC00 { return 3 }
        for back in 1...min(3, bytes.count) {
            let byte = bytes[bytes.count - back]
            if byte & 0xC0 == 0x80 { continue }
            let length =
                switch byte {
                case 0xC2...0xDF: 2
                case 0xE0...0xEF: 3
                case 0xF0...0xF4: 4
                default: 1
                }
            return length > back ? back : 0
        }
        return 0
    }
}
