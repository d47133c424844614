/// What it takes to forget the last line again: half a line is taken as if it were whole, looked at, and taken back.
struct Speculation: Sendable {
    fileprivate let blockCount: Int
    fileprivate let lineCount: Int
    fileprivate let open: [BlockID]
    fileprivate let openBlocks: [Block]
    fileprivate let isAfterBlank: Bool
}

extension BlockParser {
    /// Takes what there is of a line, and what the blocks at the end most probably are, until ``forget(_:)``.
    mutating func speculate(from start: Int, to end: Int) -> Speculation {
        let speculation = Speculation(
            blockCount: blocks.count, lineCount: lines.count, open: open, openBlocks: open.map { blocks[$0] },
            isAfterBlank: isAfterBlank)
        isSpeculating = true
        certainLines = lines.count
        if end > start { take(from: start, to: end) }
        guessTip()
        isSpeculating = false
        return speculation
    }

    /// Goes back to before a speculation.
    mutating func forget(_ speculation: Speculation) {
        for id in speculation.blockCount..<max(blocks.count, speculation.blockCount) { touch(id) }
        blocks.removeLast(blocks.count - speculation.blockCount)
        lines.removeLast(lines.count - speculation.lineCount)
        open = speculation.open
        for (id, block) in zip(open, speculation.openBlocks) where blocks[id] != block {
            blocks[id] = block
            touch(id)
        }
        isAfterBlank = speculation.isAfterBlank
    }

    /// Shows an open paragraph as what it is about to become: a table's heading, or nothing but definitions.
    private mutating func guessTip() {
        let id = tip
        let block = blocks[id]
        guard block.kind == .paragraph, block.firstLine < block.endLine else { return }
        let first = lines[Int(block.firstLine)]
        guard first.start < first.end else { return }
        switch source[Int(first.start)] {
        case Byte.pipe where extensions.contains(.tables) && block.endLine - block.firstLine == 1:
            let columns = TableScanner.cellCount(source, from: Int(first.start), to: Int(first.end))
            matched = open.count
            if columns > 0 { makeTable(of: id, columns: columns, rule: TextLine(start: first.end, end: first.end)) }
        case Byte.openBracket:
            takeDefinitions(of: id)
            if !blocks[id].isHidden, isHalfDefinition(blocks[id]) {
                blocks[id].isHidden = true
                touch(id)
            }
        default: break
        }
    }

    /// Whether the text may be a definition whose end has not come.
    private func isHalfDefinition(_ block: Block) -> Bool {
        let text = text(of: block)
        guard text.start < text.end, text.bytes[text.start] == Byte.openBracket,
            let colon = DefinitionScanner.label(text.bytes, from: text.start, to: text.end),
            colon < text.end, text.bytes[colon] == Byte.colon
        else { return false }
        let address = DefinitionScanner.gap(text.bytes, from: colon + 1, to: text.end)
        guard address < text.end else { return true }
        guard let behind = DefinitionScanner.destination(text.bytes, from: address, to: text.end)?.end else {
            return !text.bytes[address..<text.end].contains(Byte.newline)
        }
        let title = DefinitionScanner.gap(text.bytes, from: behind, to: text.end)
        guard title < text.end else { return true }
        let byte = text.bytes[title]
        return (byte == Byte.quote || byte == Byte.apostrophe || byte == Byte.openParenthesis)
            && DefinitionScanner.title(text.bytes, from: title, to: text.end) == nil
            && !text.bytes[title..<text.end].contains(Byte.newline)
    }

    /// Whether the rest of half a line may still begin several things, so that showing it would show a marker.
    func isUndecided(in container: Block) -> Bool {
        let (start, end) = (cursor.text, cursor.end)
        switch source[start] {
        case Byte.less:
            return isOnly(from: start + 1, to: end) {
                $0.isAlphanumeric || $0 == Byte.hyphen || $0 == Byte.exclamation || $0 == Byte.slash
                    || $0 == Byte.question
            }
        case Byte.backslash:
            return end - start == 1 || (end - start == 2 && source[start + 1] == Byte.openBracket)
        case Byte.openBracket:
            if container.kind == .item, !container.hasChildren, end - start <= 4 {
                return isOnly(from: start + 1, to: end) {
                    $0 == Byte.space || $0 | 0x20 == UInt8(ascii: "x") || $0 == Byte.closeBracket
                }
            }
            if container.kind == .quote, !container.hasChildren {
                if end - start == 1 { return true }
                if source[start + 1] == Byte.exclamation, end - start <= 12 {
                    return isOnly(from: start + 2, to: end) { $0.isLetter || $0 == Byte.closeBracket || $0.isBlank }
                }
            }
            if extensions.contains(.footnotes), source.hasText("[^", at: start), end - start < References.longestLabel {
                var position = start + 2
                while position < end, source[position] != Byte.closeBracket { position += 1 }
                return position + 1 >= end && isOnly(from: start, to: end) { !$0.isBlank }
            }
            return end - start == 1
        case let byte where byte.isDigit:
            var position = start
            while position < end, source[position].isDigit { position += 1 }
            if position - start > 9 { return false }
            if position < end, source[position] == Byte.dot || source[position] == Byte.closeParenthesis {
                position += 1
            }
            return isOnly(from: position, to: end) { $0.isBlank }
        default:
            return isOnly(from: start, to: end, where: Self.isMarker)
        }
    }

    private func isOnly(from start: Int, to end: Int, where condition: (UInt8) -> Bool) -> Bool {
        for position in start..<max(start, end) where !condition(source[position]) { return false }
        return true
    }

    private static func isMarker(_ byte: UInt8) -> Bool {
        switch byte {
        case Byte.hyphen, Byte.equals, Byte.star, Byte.underscore, Byte.plus, Byte.hash, Byte.backtick, Byte.tilde,
            Byte.greater, Byte.colon, Byte.pipe, Byte.dollar, Byte.space, Byte.tab:
            true
        default: false
        }
    }
}
