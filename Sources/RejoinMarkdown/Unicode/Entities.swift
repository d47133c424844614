/// Character references: `&amp;`, `&#35;`, `&#x22;`.
enum Entities {
    /// The longest name that HTML has.
    private static let longestName = 31

    /// Reads a reference that begins at a place.
    ///
    /// - Returns: its code points (the second may be 0) and where it ends, or nil where there is none.
    static func read(_ bytes: [UInt8], at start: Int, to end: Int) -> (first: UInt32, second: UInt32, end: Int)? {
        guard start + 2 < end, bytes[start] == Byte.ampersand else { return nil }
        var position = start + 1
        if bytes[position] == Byte.hash { return readNumber(bytes, at: position + 1, to: end) }
        while position < end, bytes[position].isAlphanumeric, position - start <= longestName { position += 1 }
        guard position < end, bytes[position] == Byte.semicolon, position > start + 1 else { return nil }
        guard let (first, second) = lookUp(bytes, from: start + 1, to: position) else { return nil }
        return (first, second, position + 1)
    }

    private static func readNumber(
        _ bytes: [UInt8], at start: Int, to end: Int
    ) -> (first: UInt32, second: UInt32, end: Int)? {
        var position = start
        var value: UInt32 = 0
        let isHexadecimal = position < end && bytes[position] | 0x20 == 0x78
        if isHexadecimal { position += 1 }
        let digits = position
        while position < end, isHexadecimal ? bytes[position].isHexDigit : bytes[position].isDigit {
            guard position - digits < (isHexadecimal ? 6 : 7) else { return nil }
            let byte = bytes[position]
            value = value * (isHexadecimal ? 16 : 10) + UInt32(byte.isDigit ? byte - 0x30 : (byte | 0x20) - 0x61 + 10)
            position += 1
        }
        guard position > digits, position < end, bytes[position] == Byte.semicolon else { return nil }
        // Zero and what is no character become the mark of what could not be read.
        return (value == 0 || Unicode.Scalar(value) == nil ? 0xFFFD : value, 0, position + 1)
    }

    private static func lookUp(_ bytes: [UInt8], from start: Int, to end: Int) -> (UInt32, UInt32)? {
        EntityTable.text.withUTF8Buffer { table in
            var (low, high) = (0, table.count)
            while low < high {
                var entry = (low + high) / 2
                while entry > low, table[entry - 1] != Byte.space { entry -= 1 }
                var index = 0
                while start + index < end, table[entry + index] == bytes[start + index] { index += 1 }
                let byte = table[entry + index]
                if start + index == end, byte == Byte.colon { return value(in: table, at: entry + index + 1) }
                // A name that ends sooner comes first.
                let isBefore = byte == Byte.colon || (start + index < end && byte < bytes[start + index])
                if isBefore {
                    while entry < high, table[entry] != Byte.space { entry += 1 }
                    low = entry + 1
                } else {
                    high = entry
                }
            }
            return nil
        }
    }

    private static func value(in table: UnsafeBufferPointer<UInt8>, at start: Int) -> (UInt32, UInt32) {
        var values: (UInt32, UInt32) = (0, 0)
        var position = start
        while position < table.count, table[position] != Byte.space {
            let byte = table[position]
            if byte == Byte.plus {
                values = (values.1, 0)
            } else {
                values.1 = values.1 * 16 + UInt32(byte.isDigit ? byte - 0x30 : byte - 0x41 + 10)
            }
            position += 1
        }
        return values.0 == 0 ? (values.1, 0) : values
    }
}
