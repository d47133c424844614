/// A place in a line, with tabs counted as the columns that they reach over.
struct LineCursor: Sendable {
    var offset: Int
    var column = 0
    /// Whether a part of the tab at `offset` is behind.
    var isInsideTab = false
    /// Where the line ends.
    let end: Int
    /// The first byte at or after `offset` that is no blank, and its column; set by ``findText(in:)``.
    private(set) var text = 0
    private(set) var textColumn = 0

    init(from start: Int, to end: Int) {
        offset = start
        self.end = end
        text = start
    }

    /// How many columns of blanks come before the text.
    var indent: Int { textColumn - column }

    var isBlank: Bool { text >= end }

    mutating func findText(in source: [UInt8]) {
        var (position, reached) = (offset, column)
        loop: while position < end {
            switch source[position] {
            case Byte.space: reached += 1
            case Byte.tab: reached += 4 - reached % 4
            default: break loop
            }
            position += 1
        }
        (text, textColumn) = (position, reached)
    }

    /// Goes on by columns; a tab may be left half behind.
    mutating func advance(columns count: Int, in source: [UInt8]) {
        var left = count
        while left > 0, offset < end {
            guard source[offset] == Byte.tab else {
                offset += 1
                column += 1
                left -= 1
                isInsideTab = false
                continue
            }
            let width = 4 - column % 4
            isInsideTab = width > left
            column += min(width, left)
            if !isInsideTab { offset += 1 }
            left -= min(width, left)
        }
    }

    /// Goes on by bytes that are no tabs.
    mutating func advance(bytes count: Int) {
        isInsideTab = false
        offset += count
        column += count
    }

    mutating func advanceToText() {
        offset = text
        column = textColumn
        isInsideTab = false
    }

    /// What is left of the line.
    func rest() -> TextLine {
        guard isInsideTab else { return TextLine(start: UInt32(offset), end: UInt32(max(offset, end))) }
        return TextLine(start: UInt32(offset + 1), end: UInt32(max(offset + 1, end)), padding: UInt8(4 - column % 4))
    }
}
