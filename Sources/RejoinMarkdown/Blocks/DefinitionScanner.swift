/// Reads definitions of links, and the parts that they share with links: labels, destinations and titles.
enum DefinitionScanner {
    struct Definition {
        var labelStart: Int
        var labelEnd: Int
        var target: LinkTarget
        var end: Int
    }

    /// Reads a definition that begins at a place and ends at the end of a line.
    static func read(_ bytes: [UInt8], from start: Int, to end: Int) -> Definition? {
        guard let labelEnd = label(bytes, from: start, to: end), labelEnd < end, bytes[labelEnd] == Byte.colon else {
            return nil
        }
        guard References.normalized(bytes, from: start + 1, to: labelEnd - 1) != nil else { return nil }
        var position = gap(bytes, from: labelEnd + 1, to: end)
        guard let destination = destination(bytes, from: position, to: end), destination.end > position else {
            return nil
        }
        position = destination.end
        var target = LinkTarget(
            destination: unescaped(bytes, from: destination.textStart, to: destination.textEnd), title: nil)
        // A title that does not end its line is none; the definition may still end before it.
        let titleStart = gap(bytes, from: position, to: end)
        if titleStart > position, let titleEnd = title(bytes, from: titleStart, to: end),
            let next = lineEnd(bytes, from: titleEnd, to: end)
        {
            target.title = unescaped(bytes, from: titleStart + 1, to: titleEnd - 1)
            return Definition(labelStart: start + 1, labelEnd: labelEnd - 1, target: target, end: next)
        }
        guard let next = lineEnd(bytes, from: position, to: end) else { return nil }
        return Definition(labelStart: start + 1, labelEnd: labelEnd - 1, target: target, end: next)
    }

    /// The place behind the `]` of a label that begins at a place.
    static func label(_ bytes: [UInt8], from start: Int, to end: Int) -> Int? {
        guard start < end, bytes[start] == Byte.openBracket else { return nil }
        var position = start + 1
        while position < end, position - start - 1 <= References.longestLabel {
            switch bytes[position] {
            case Byte.backslash where position + 1 < end && bytes[position + 1].isPunctuation: position += 1
            case Byte.openBracket: return nil
            case Byte.closeBracket: return position + 1
            default: break
            }
            position += 1
        }
        return nil
    }

    /// The place behind blanks and at most one end of a line.
    static func gap(_ bytes: [UInt8], from start: Int, to end: Int) -> Int {
        var position = start
        var hasNewline = false
        while position < end {
            if bytes[position] == Byte.newline {
                if hasNewline { break }
                hasNewline = true
            } else if !bytes[position].isBlank {
                break
            }
            position += 1
        }
        return position
    }

    private static func lineEnd(_ bytes: [UInt8], from start: Int, to end: Int) -> Int? {
        var position = start
        while position < end, bytes[position].isBlank { position += 1 }
        if position == end { return end }
        return bytes[position] == Byte.newline ? position + 1 : nil
    }

    static func destination(
        _ bytes: [UInt8], from start: Int, to end: Int
    ) -> (textStart: Int, textEnd: Int, end: Int)? {
        guard start < end else { return nil }
        var position = start
        if bytes[start] == Byte.less {
            position += 1
            while position < end {
                switch bytes[position] {
                case Byte.greater: return (start + 1, position, position + 1)
                case Byte.newline, Byte.less: return nil
                case Byte.backslash: position += 1
                default: break
                }
                position += 1
            }
            return nil
        }
        var depth = 0
        loop: while position < end {
            let byte = bytes[position]
            switch byte {
            case Byte.backslash where position + 1 < end && bytes[position + 1].isPunctuation: position += 1
            case Byte.openParenthesis:
                depth += 1
                if depth > 32 { return nil }
            case Byte.closeParenthesis:
                if depth == 0 { break loop }
                depth -= 1
            case _ where byte <= 0x20 || byte == 0x7F: break loop
            default: break
            }
            position += 1
        }
        return depth == 0 ? (start, position, position) : nil
    }

    /// The place behind a title that begins at a place.
    static func title(_ bytes: [UInt8], from start: Int, to end: Int) -> Int? {
        guard start < end else { return nil }
        let opening = bytes[start]
        let closing: UInt8
        switch opening {
        case Byte.quote, Byte.apostrophe: closing = opening
        case Byte.openParenthesis: closing = Byte.closeParenthesis
        default: return nil
        }
        var position = start + 1
        while position < end {
            let byte = bytes[position]
            if byte == closing { return position + 1 }
            if byte == Byte.openParenthesis, opening == Byte.openParenthesis { return nil }
            position += byte == Byte.backslash && position + 1 < end ? 2 : 1
        }
        return nil
    }

    /// The text with its escapes and entities read.
    static func unescaped(_ bytes: [UInt8], from start: Int, to end: Int) -> [UInt8] {
        let plainEnd = bytes.withUnsafeBufferPointer {
            $0.first(from: start, to: end) { $0.equal(Byte.backslash) | $0.equal(Byte.ampersand) }
        }
        var result = Array(bytes[start..<plainEnd])
        var position = plainEnd
        while position < end {
            let byte = bytes[position]
            if byte == Byte.backslash, position + 1 < end, bytes[position + 1].isPunctuation {
                result.append(bytes[position + 1])
                position += 2
            } else if byte == Byte.ampersand, let entity = Entities.read(bytes, at: position, to: end) {
                result.append(codePoint: entity.first)
                if entity.second != 0 { result.append(codePoint: entity.second) }
                position = entity.end
            } else {
                result.append(byte)
                position += 1
            }
        }
        return result
    }
}
