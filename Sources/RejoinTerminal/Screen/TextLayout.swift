import RejoinMarkdown

/// A plain text broken into lines of a width: prompts, and what there is to say about messages.
///
/// The text may come from anybody: it passes ``HarmlessText``. A paragraph from right to left stands at the right edge.
package struct TextLayout: Sendable {
    /// A line's place in the text that is shown.
    private struct Line {
        var range: Range<String.Index>
        var isRightToLeft: Bool
    }

    package let width: Int
    package let style: Style
    private let shown: String
    private var lines: [Line] = []

    /// Lays out a text.
    ///
    /// - Parameter width: columns of a line.
    package init(_ text: String, width: Int, style: Style = .plain) {
        self.width = max(width, 2)
        self.style = style
        shown = HarmlessText.whole(text).split(separator: "\t", omittingEmptySubsequences: false)
            .joined(separator: "    ")
        if shown.isEmpty { return }
        var start = shown.startIndex
        while true {
            let end = shown[start...].firstIndex(of: "\n")
            breakParagraph(start..<(end ?? shown.endIndex))
            guard let end else { return }
            start = shown.index(after: end)
        }
    }

    /// How many lines there are: none in an empty text.
    package var lineCount: Int { lines.count }

    /// The cells of a line, from left to right.
    package func cells(line number: Int) -> [Cell] {
        let line = lines[number]
        var characters = Array(shown[line.range])
        guard line.isRightToLeft else {
            return LineOfText.cells(of: characters, isRightToLeft: false, style: style)
        }
        while characters.last == " " { characters.removeLast() }
        let cells = LineOfText.cells(of: characters, isRightToLeft: true, style: style)
        return Array(repeating: Cell(), count: max(width - cells.count, 0)) + cells
    }

    /// The text of a line as it is read.
    package func text(line number: Int) -> String { String(shown[lines[number].range]) }

    private mutating func breakParagraph(_ paragraph: Range<String.Index>) {
        let isRightToLeft = LineDirection.isRightToLeft(shown[paragraph]) ?? false
        var breaker = LineBreaker(width: width)
        var start = paragraph.lowerBound
        var index = start
        // Characters are counted here; where a line begins is found again by walking from the last one.
        var (startNumber, number) = (0, 0)
        while index < paragraph.upperBound {
            let character = shown[index]
            if let next = breaker.append(character, columns: CharacterWidth.of(character), at: number) {
                let end = shown.index(start, offsetBy: next - startNumber)
                lines.append(Line(range: start..<end, isRightToLeft: isRightToLeft))
                (start, startNumber) = (end, next)
            }
            number += 1
            index = shown.index(after: index)
        }
        lines.append(Line(range: start..<paragraph.upperBound, isRightToLeft: isRightToLeft))
    }
}
