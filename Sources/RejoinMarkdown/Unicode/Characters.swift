/// What the parsers ask about characters, from tables of our own: the browser's build has no others.
enum Characters {
    /// The code point that begins at a place in valid UTF-8, and its length in bytes.
    static func decode(_ bytes: [UInt8], at position: Int) -> (value: UInt32, length: Int) {
        let first = bytes[position]
        if first < 0x80 { return (UInt32(first), 1) }
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard position + length <= bytes.count, first >= 0xC0 else { return (0xFFFD, 1) }
        var value = UInt32(first) & (0xFF >> UInt32(length + 1))
        for index in 1..<length { value = value << 6 | UInt32(bytes[position + index] & 0x3F) }
        return (value, length)
    }

    /// The code point that ends before a place in valid UTF-8.
    static func decode(_ bytes: [UInt8], before position: Int) -> UInt32 {
        var start = position - 1
        while start > 0, bytes[start] & 0xC0 == 0x80, position - start < 4 { start -= 1 }
        return decode(bytes, at: start).value
    }

    static func isWhitespace(_ value: UInt32) -> Bool {
        switch value {
        case 0x09, 0x0A, 0x0C, 0x0D, 0x20, 0xA0, 0x1680, 0x202F, 0x205F, 0x3000: true
        case 0x2000...0x200A: true
        default: false
        }
    }

    /// Punctuation or a symbol.
    static func isPunctuation(_ value: UInt32) -> Bool {
        if value < 0x80 { return UInt8(value).isPunctuation }
        let runs = CharacterTables.punctuation
        var (low, high) = (0, runs.count / 2)
        while low < high {
            let middle = (low + high) / 2
            if runs[2 * middle + 1] < value { low = middle + 1 } else { high = middle }
        }
        return 2 * low < runs.count && runs[2 * low] <= value
    }

    /// Whether a code point decides the direction of its paragraph, and for which.
    ///
    /// - Returns: true for right to left, false for left to right, nil for neither.
    static func isRightToLeft(_ value: UInt32) -> Bool? {
        if value < 0x80 { return UInt8(value).isLetter ? false : nil }
        if isWhitespace(value) || isPunctuation(value) || value < 0xA0 { return nil }
        switch value {
        case 0x300...0x36F, 0x200B...0x200E, 0xFE00...0xFE0F, 0xFEFF, 0xE0000...0xE0FFF: return nil
        case 0x200F: return true
        case 0x591...0x5C7, 0x610...0x61A, 0x64B...0x669, 0x6F0...0x6F9, 0x6D6...0x6ED: return nil
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: return true
        default: return false
        }
    }

    /// Appends what a code point is compared by, without regard to case.
    static func appendFolded(_ value: UInt32, to bytes: inout [UInt8]) {
        if value < 0x80 {
            bytes.append(UInt8(value).lowercased)
            return
        }
        let long = CharacterTables.longFoldings
        var (low, high) = (0, long.count / 4)
        while low < high {
            let middle = (low + high) / 2
            if long[4 * middle] < value { low = middle + 1 } else { high = middle }
        }
        if 4 * low < long.count, long[4 * low] == value {
            for index in 1...3 where long[4 * low + index] != 0 { bytes.append(codePoint: long[4 * low + index]) }
            return
        }
        let runs = CharacterTables.foldings
        (low, high) = (0, runs.count / 4)
        while low < high {
            let middle = (low + high) / 2
            if runs[4 * middle + 1] < value { low = middle + 1 } else { high = middle }
        }
        let isFolded =
            4 * low < runs.count && runs[4 * low] <= value && (value - runs[4 * low]) % runs[4 * low + 3] == 0
        bytes.append(codePoint: isFolded ? value &+ runs[4 * low + 2] : value)
    }
}
