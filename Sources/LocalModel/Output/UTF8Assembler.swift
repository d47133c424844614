/// Puts bytes together to whole characters: a token may end in the middle of one.
struct UTF8Assembler: Sendable {
    /// The beginning of a character that is not there whole.
    private var held: [UInt8] = []

    /// Takes bytes and gives back what is whole by now.
    ///
    /// Bytes that can never become a character come out as U+FFFD. What is still held when an answer ends was half a
    /// character, and is dropped with this value.
    mutating func append(_ bytes: [UInt8]) -> String {
        held += bytes
        let whole = held.count - unfinishedTail
        defer { held.removeFirst(whole) }
        return String(decoding: held.prefix(whole), as: UTF8.self)
    }

    /// How many of the last bytes begin a character without ending it.
    private var unfinishedTail: Int {
        for (distance, byte) in held.reversed().prefix(3).enumerated() {
            let length: Int
            switch byte {
            case 0x80...0xBF: continue
            case 0xC2...0xDF: length = 2
            case 0xE0...0xEF: length = 3
            case 0xF0...0xF4: length = 4
            default: return 0
            }
            return distance + 1 < length ? distance + 1 : 0
        }
        return 0
    }
}
