package import RejoinCore

/// A plain text broken into lines of a width, which grows with the text at the cost of what is new.
///
/// The text may come from anybody: it passes ``HarmlessText``. A paragraph from right to left stands at the right edge.
package struct TextLayout: Sendable {
    /// A line's bytes in the text that is shown.
    private struct Line: Equatable {
        var start: Int
        var end: Int
        var isRightToLeft: Bool
    }

    package let width: Int
    package let style: Style
    /// The text as it came, to see whether the next one only adds to it.
    private var source = GrowingText()
    private var harmless = HarmlessText()
    private var shown = ""
    private var lines: [Line] = []
    /// Where the last paragraph begins, while it is too short for its direction to be settled.
    private var unsettled: Int?

    /// An empty text.
    ///
    /// - Parameter width: columns of a line.
    package init(width: Int, style: Style = .plain) {
        self.width = max(width, 2)
        self.style = style
    }

    /// Lays out the text as it is now.
    ///
    /// What it has more than the last one is added; a text that is another is laid out from the start.
    package mutating func update(_ text: GrowingText) {
        let held = source.utf8Count
        let piece: String
        if text.begins(with: source), let rest = text.rest(after: held) {
            if rest.isEmpty { return }
            piece = rest
        } else {
            self = TextLayout(width: width, style: style)
            piece = text.string
        }
        source = text
        let safe = harmless.append(piece)
        if safe.utf8.contains(UInt8(ascii: "\t")) {
            shown += safe.split(separator: "\t", omittingEmptySubsequences: false).joined(separator: "    ")
        } else {
            shown += safe
        }
        extend()
    }

    /// Lays out a text that does not grow.
    package mutating func update(_ text: String) { update(GrowingText(text)) }

    /// How many lines there are: none in an empty text.
    package var lineCount: Int { shown.isEmpty ? 0 : lines.count }

    /// The cells of a line, from left to right.
    package func cells(line number: Int) -> [Cell] {
        let line = lines[number]
        var characters = Array(characters(of: line))
        guard line.isRightToLeft else {
            return LineOfText.cells(of: characters, isRightToLeft: false, style: style)
        }
        while characters.last == " " { characters.removeLast() }
        let cells = LineOfText.cells(of: characters, isRightToLeft: true, style: style)
        return Array(repeating: Cell(), count: max(width - cells.count, 0)) + cells
    }

    /// The text of a line as it is read.
    package func text(line number: Int) -> String { String(characters(of: lines[number])) }

    private func characters(of line: Line) -> Substring {
        shown[index(line.start)..<index(line.end)]
    }

    private func index(_ offset: Int) -> String.Index { shown.utf8.index(shown.startIndex, offsetBy: offset) }

    /// Breaks what is not broken yet.
    ///
    /// The last line may go on, and where it began may have been decided by a character that has changed since: marks
    /// join the one before them. So the last two are made again.
    private mutating func extend() {
        var start = 0
        if let unsettled {
            start = unsettled
            while let last = lines.last, last.start >= start { lines.removeLast() }
        } else if let again = lines.dropLast().last ?? lines.last {
            start = again.start
            lines.removeLast(min(2, lines.count))
        }
        var isContinued = start > 0 && shown.utf8[shown.utf8.index(before: index(start))] != UInt8(ascii: "\n")
        // A paragraph that goes on keeps the direction it began with.
        let inherited = isContinued ? lines.last?.isRightToLeft : nil
        while true {
            let rest = shown[index(start)...]
            let newline = rest.utf8.firstIndex(of: UInt8(ascii: "\n"))
            let paragraph = rest[..<(newline ?? rest.endIndex)]
            breakParagraph(paragraph, at: start, direction: isContinued ? inherited : nil)
            guard newline != nil else {
                let isShort = paragraph.prefix(Self.directionReach).count < Self.directionReach
                unsettled = isShort && !isContinued ? start : nil
                return
            }
            isContinued = false
            start += paragraph.utf8.count + 1
        }
    }

    private mutating func breakParagraph(_ paragraph: Substring, at offset: Int, direction: Bool?) {
        var breaker = LineBreaker(width: width)
        var start = offset
        var position = offset
        let isRightToLeft = direction ?? LineDirection.isRightToLeft(paragraph.prefix(Self.directionReach)) ?? false
        for character in paragraph {
            if let next = breaker.append(character, columns: CharacterWidth.of(character), at: position) {
                lines.append(Line(start: start, end: next, isRightToLeft: isRightToLeft))
                start = next
            }
            position += character.utf8.count
        }
        lines.append(Line(start: start, end: position, isRightToLeft: isRightToLeft))
    }

    /// How far the first strong character of a paragraph is looked for: its direction must not change once lines of it
    /// are settled.
    private static let directionReach = 16
}
