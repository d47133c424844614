extension BlockParser {
    /// Opens the blocks that the rest of the line begins, until only text is left.
    mutating func openBlocks() -> Opening {
        if blocks[open[matched - 1]].keepsLines {
            cursor.findText(in: source)
            return .text
        }
        while true {
            cursor.findText(in: source)
            steps += 1
            if cursor.isBlank { return isSpeculating && cursor.end > cursor.offset ? .held : .text }
            let container = blocks[open[matched - 1]].kind
            if cursor.indent >= 4 {
                guard blocks[tip].kind != .paragraph, container != .table else { return .text }
                cursor.advance(columns: 4, in: source)
                add(.code)
                return .text
            }
            let byte = source[cursor.text]
            if isSpeculating, isUndecided(in: blocks[open[matched - 1]]) { return .held }
            guard Self.mayOpen.contains(byte) || container == .paragraph else { return .text }
            switch openBlock(byte, in: container) {
            case .nothing: return .text
            case .text: return .text
            case .line: return .taken
            case .container: continue
            }
        }
    }

    private enum Opened {
        /// No block begins here.
        case nothing
        /// A block that takes the rest of the line as its text.
        case text
        /// A block that has taken all of the line.
        case line
        /// A block inside which others may begin.
        case container
    }

    /// The bytes that a block may begin with.
    private static let mayOpen = ByteSet(">#`~<-*_+$\\[0123456789")

    private mutating func openBlock(_ byte: UInt8, in container: BlockKind) -> Opened {
        let isDeep = open.count >= Self.deepest
        switch byte {
        case Byte.greater:
            if isDeep { return .nothing }
            takeQuoteMark()
            add(.quote)
            return .container
        case Byte.hash:
            if openHeading() { return .line }
        case Byte.backtick, Byte.tilde:
            if openFence(byte) { return .line }
        case Byte.less:
            let mayInterrupt = container != .paragraph && (isEverythingMatched || blocks[tip].kind != .paragraph)
            if let kind = htmlKind(mayBeAnyTag: mayInterrupt) {
                let id = add(.html)
                blocks[id].detail = kind
                return .text
            }
        case Byte.dollar, Byte.backslash:
            if extensions.contains(.math), openMath(byte) { return .line }
        case Byte.openBracket:
            if extensions.contains(.footnotes), !isDeep, openFootnote() { return .container }
        default:
            break
        }
        if container == .paragraph {
            if byte == Byte.equals || byte == Byte.hyphen, underline(open[matched - 1]) { return .line }
            if byte == Byte.pipe || byte == Byte.hyphen || byte == Byte.colon, extensions.contains(.tables),
                openTable(open[matched - 1])
            {
                return .line
            }
        }
        if byte == Byte.star || byte == Byte.hyphen || byte == Byte.underscore, isRule(byte) {
            add(.rule)
            closeTip()
            return .line
        }
        if byte == Byte.star || byte == Byte.hyphen || byte == Byte.plus || byte.isDigit, !isDeep {
            return openItem(in: container) ? .container : .nothing
        }
        return .nothing
    }

    private mutating func openHeading() -> Bool {
        var position = cursor.text
        while position < cursor.end, source[position] == Byte.hash { position += 1 }
        let level = position - cursor.text
        guard level <= 6, position == cursor.end || source[position].isBlank else { return false }
        while position < cursor.end, source[position].isBlank { position += 1 }
        var end = cursor.end
        while end > position, source[end - 1].isBlank { end -= 1 }
        var closing = end
        while closing > position, source[closing - 1] == Byte.hash { closing -= 1 }
        if closing == position {
            end = closing
        } else if closing < end, source[closing - 1].isBlank {
            end = closing
            while end > position, source[end - 1].isBlank { end -= 1 }
        }
        let id = add(.heading)
        blocks[id].detail = Int32(level)
        append(TextLine(start: UInt32(position), end: UInt32(end)), to: id)
        closeTip()
        return true
    }

    private mutating func openFence(_ marker: UInt8) -> Bool {
        var position = cursor.text
        while position < cursor.end, source[position] == marker { position += 1 }
        let length = position - cursor.text
        guard length >= 3 else { return false }
        var start = position
        while start < cursor.end, source[start].isBlank { start += 1 }
        var end = cursor.end
        while end > start, source[end - 1].isBlank { end -= 1 }
        if marker == Byte.backtick {
            for index in start..<end where source[index] == Byte.backtick { return false }
        }
        let indent = cursor.indent
        let id = add(.code)
        blocks[id].isFenced = true
        blocks[id].marker = marker
        blocks[id].detail = Int32(truncatingIfNeeded: length)
        blocks[id].indent = Int32(indent)
        (blocks[id].infoStart, blocks[id].infoEnd) = (UInt32(start), UInt32(end))
        return true
    }

    private mutating func openMath(_ byte: UInt8) -> Bool {
        var end = cursor.end
        while end > cursor.text, source[end - 1].isBlank { end -= 1 }
        guard end == cursor.text + 2, source.hasText(byte == Byte.dollar ? "$$" : "\\[", at: cursor.text) else {
            return false
        }
        let id = add(.math)
        blocks[id].marker = byte
        return true
    }

    private mutating func openFootnote() -> Bool {
        guard source.hasText("[^", at: cursor.text) else { return false }
        let start = cursor.text + 2
        var position = start
        while position < cursor.end, position - start <= References.longestLabel {
            let byte = source[position]
            if byte == Byte.closeBracket { break }
            if byte == Byte.openBracket || byte.isBlank { return false }
            position += 1
        }
        guard position > start, position + 1 < cursor.end, source[position] == Byte.closeBracket,
            source[position + 1] == Byte.colon
        else { return false }
        cursor.advanceToText()
        cursor.advance(bytes: position + 2 - cursor.offset)
        let id = add(.footnote)
        (blocks[id].infoStart, blocks[id].infoEnd) = (UInt32(start), UInt32(position))
        define(.footnote(id), label: start - 1, to: position, in: source)
        cursor.findText(in: source)
        cursor.advanceToText()
        return true
    }

    private func isRule(_ byte: UInt8) -> Bool {
        var count = 0
        for position in cursor.text..<cursor.end {
            if source[position] == byte { count += 1 } else if !source[position].isBlank { return false }
        }
        return count >= 3
    }

    private mutating func underline(_ paragraph: BlockID) -> Bool {
        let byte = source[cursor.text]
        var position = cursor.text
        while position < cursor.end, source[position] == byte { position += 1 }
        while position < cursor.end, source[position].isBlank { position += 1 }
        guard position == cursor.end else { return false }
        takeDefinitions(of: paragraph)
        if blocks[paragraph].isHidden {
            // Definitions only: what looks like an underline is text of its own.
            blocks[paragraph].isHidden = false
            blocks[paragraph].firstLine = blocks[paragraph].endLine
            return false
        }
        blocks[paragraph].kind = .heading
        blocks[paragraph].detail = byte == Byte.equals ? 1 : 2
        touch(paragraph)
        closeTip()
        return true
    }

    private mutating func openItem(in container: BlockKind) -> Bool {
        var probe = cursor
        probe.advanceToText()
        let indent = cursor.indent
        var position = probe.offset
        var marker = source[position]
        var number = 0
        if marker.isDigit {
            while position < probe.end, source[position].isDigit, position - probe.offset < 9 {
                number = number * 10 + Int(source[position] - 0x30)
                position += 1
            }
            guard position < probe.end, source[position] == Byte.dot || source[position] == Byte.closeParenthesis
            else { return false }
            if container == .paragraph, number != 1 { return false }
            marker = source[position]
        }
        position += 1
        guard position == probe.end || source[position].isBlank else { return false }
        if container == .paragraph {
            var next = position
            while next < probe.end, source[next].isBlank { next += 1 }
            if next == probe.end { return false }
        }
        let width = position - probe.offset
        probe.advance(bytes: width)
        probe.findText(in: source)
        let blanks = probe.indent
        let padding: Int
        if blanks < 1 || blanks > 4 || probe.isBlank {
            padding = width + 1
            if !probe.isBlank || probe.offset < probe.end { probe.advance(columns: 1, in: source) }
        } else {
            padding = width + blanks
            probe.advance(columns: blanks, in: source)
        }
        cursor = probe
        closeUnmatched()
        if blocks[tip].kind != .list || blocks[tip].marker != marker {
            let list = add(.list)
            blocks[list].marker = marker
            blocks[list].detail = Int32(number)
        }
        let item = add(.item)
        blocks[item].indent = Int32(indent + padding)
        return true
    }
}
