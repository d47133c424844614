extension BlockParser {
    /// Finds out how many of the open blocks the line goes on with.
    ///
    /// - Returns: false where the line ended a block and says nothing else.
    mutating func matchContainers() -> Bool {
        matched = 1
        firstNew = blocks.count
        while matched < open.count {
            let id = open[matched]
            cursor.findText(in: source)
            steps += 1
            switch blocks[id].kind {
            case .quote, .alert:
                guard cursor.indent < 4, !cursor.isBlank, source[cursor.text] == Byte.greater else { return true }
                takeQuoteMark()
            case .list:
                break
            case .item:
                let wanted = Int(blocks[id].indent)
                if cursor.isBlank {
                    guard blocks[id].hasChildren else { return true }
                    cursor.advanceToText()
                } else if cursor.indent >= wanted {
                    cursor.advance(columns: wanted, in: source)
                } else {
                    return true
                }
            case .footnote:
                if cursor.isBlank {
                    cursor.advanceToText()
                } else if cursor.indent >= 4 {
                    cursor.advance(columns: 4, in: source)
                } else {
                    return true
                }
            case .code where blocks[id].isFenced:
                if cursor.indent < 4, closesFence(blocks[id]) {
                    matched += 1
                    return endFence()
                }
                var left = Int(blocks[id].indent)
                while left > 0, cursor.offset < cursor.end, source[cursor.offset].isBlank || cursor.isInsideTab {
                    cursor.advance(columns: 1, in: source)
                    left -= 1
                }
            case .code:
                if cursor.indent >= 4 {
                    cursor.advance(columns: 4, in: source)
                } else if cursor.isBlank {
                    cursor.advanceToText()
                } else {
                    return true
                }
            case .math:
                if closesMath(blocks[id]) {
                    matched += 1
                    return endFence()
                }
            case .html:
                if cursor.isBlank, blocks[id].detail >= 6 { return true }
            case .paragraph:
                if cursor.isBlank { return true }
            case .table:
                if cursor.isBlank || isLoneBar { return true }
            case .document, .heading, .rule, .row:
                return true
            }
            matched += 1
        }
        return true
    }

    /// Whether the line is a bar alone, which is no row.
    private var isLoneBar: Bool {
        guard source[cursor.text] == Byte.pipe else { return false }
        for position in (cursor.text + 1)..<cursor.end where !source[position].isBlank { return false }
        return true
    }

    mutating func takeQuoteMark() {
        cursor.advanceToText()
        cursor.advance(bytes: 1)
        if cursor.offset < cursor.end, source[cursor.offset].isBlank { cursor.advance(columns: 1, in: source) }
    }

    /// Closes the fence that the line ends, unless the line may still become something else.
    private mutating func endFence() -> Bool {
        if !isSpeculating { closeTip() }
        return false
    }

    private func closesFence(_ fence: Block) -> Bool {
        var position = cursor.text
        while position < cursor.end, source[position] == fence.marker { position += 1 }
        let length = position - cursor.text
        // Half a line may become a whole end of the fence.
        guard isSpeculating ? length > 0 : length >= fence.detail else { return false }
        while position < cursor.end, source[position].isBlank { position += 1 }
        return position == cursor.end
    }

    private func closesMath(_ math: Block) -> Bool {
        let isDollar = math.marker == Byte.dollar
        var position = cursor.end
        while position > cursor.text, source[position - 1].isBlank { position -= 1 }
        if isSpeculating {
            let length = position - cursor.text
            return length > 0 && length <= 2 && source[cursor.text] == (isDollar ? Byte.dollar : Byte.backslash)
        }
        return position == cursor.text + 2 && source.hasText(isDollar ? "$$" : "\\]", at: cursor.text)
    }
}
