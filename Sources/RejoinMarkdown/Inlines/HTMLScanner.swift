/// Finds where HTML inside a text ends.
enum HTMLScanner {
    /// The place behind an opening or closing tag that begins at a place.
    static func tag(_ bytes: [UInt8], from start: Int, to end: Int) -> Int? {
        var position = start + 1
        guard position < end else { return nil }
        let isClosing = bytes[position] == Byte.slash
        if isClosing { position += 1 }
        guard position < end, bytes[position].isLetter else { return nil }
        while position < end, bytes[position].isAlphanumeric || bytes[position] == Byte.hyphen { position += 1 }
        if isClosing {
            position = skipGap(bytes, from: position, to: end)
            return position < end && bytes[position] == Byte.greater ? position + 1 : nil
        }
        while true {
            let next = skipGap(bytes, from: position, to: end)
            guard next < end else { return nil }
            if bytes[next] == Byte.greater { return next + 1 }
            if bytes[next] == Byte.slash {
                return next + 1 < end && bytes[next + 1] == Byte.greater ? next + 2 : nil
            }
            guard next > position, let behind = attribute(bytes, from: next, to: end) else { return nil }
            position = behind
        }
    }

    private static func attribute(_ bytes: [UInt8], from start: Int, to end: Int) -> Int? {
        guard bytes[start].isLetter || bytes[start] == Byte.underscore || bytes[start] == Byte.colon else { return nil }
        var position = start
        while position < end, isNameByte(bytes[position]) { position += 1 }
        let equals = skipGap(bytes, from: position, to: end)
        guard equals < end, bytes[equals] == Byte.equals else { return position }
        position = skipGap(bytes, from: equals + 1, to: end)
        guard position < end else { return nil }
        let quote = bytes[position]
        if quote == Byte.quote || quote == Byte.apostrophe {
            position += 1
            while position < end, bytes[position] != quote { position += 1 }
            return position < end ? position + 1 : nil
        }
        let value = position
        while position < end, !endsValue(bytes[position]) { position += 1 }
        return position > value ? position : nil
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte == Byte.underscore || byte == Byte.dot || byte == Byte.colon || byte == Byte.hyphen
    }

    private static func endsValue(_ byte: UInt8) -> Bool {
        byte.isGap || byte == Byte.quote || byte == Byte.apostrophe || byte == Byte.equals || byte == Byte.less
            || byte == Byte.greater || byte == Byte.backtick
    }

    private static func skipGap(_ bytes: [UInt8], from start: Int, to end: Int) -> Int {
        var position = start
        while position < end, bytes[position].isGap { position += 1 }
        return position
    }

    /// The place behind the first occurrence of a text.
    static func behind(_ text: StaticString, in bytes: [UInt8], from start: Int, to end: Int) -> Int? {
        let length = text.utf8CodeUnitCount
        var position = start
        while position + length <= end {
            if bytes.hasText(text, at: position) { return position + length }
            position += 1
        }
        return nil
    }
}
