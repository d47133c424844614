package import RejoinCore
package import RejoinMarkdown

/// An answer laid out as what its Markdown means, kept up to date at the cost of what is new or still open.
package struct AnswerLayout: Sendable {
    package let width: Int
    private let showsAddresses: Bool
    /// The text as it came, to see whether the next one only adds to it.
    private var source = GrowingText()
    package private(set) var stream = MarkdownStream()
    package private(set) var picture: TerminalPicture

    /// An empty answer.
    ///
    /// - Parameters:
    ///   - width: columns of a line.
    ///   - showsAddresses: whether the address of a link is written behind it, for terminals without links.
    package init(width: Int, showsAddresses: Bool) {
        self.width = max(width, 2)
        self.showsAddresses = showsAddresses
        picture = TerminalPicture(width: self.width, showsAddresses: showsAddresses) { kind in
            switch kind {
            case .note: "Note"
            case .tip: "Tip"
            case .important: "Important"
            case .warning: "Warning"
            case .caution: "Caution"
            }
        } measure: {
            Cell.columns(of: $0)
        }
    }

    /// Lays out the text as it is now.
    ///
    /// What it has more than the last one is added; a text that is another is laid out from the start.
    package mutating func update(_ text: GrowingText, isOver: Bool) {
        if !source.isEmpty, text.begins(with: source), !stream.isFinished, let rest = text.rest(after: source.utf8Count)
        {
            add(rest)
        } else if !stream.isFinished || text.utf8Count != source.utf8Count || !text.begins(with: source) {
            self = AnswerLayout(width: width, showsAddresses: showsAddresses)
            if isOver {
                stream = MarkdownStream(whole: text.string.utf8)
                picture.draw(stream)
            } else {
                add(text.string)
            }
        }
        source = text
        if isOver, !stream.isFinished { picture.apply(stream.finish(), of: stream) }
    }

    /// Adds a piece to a text that is not compared with another.
    package mutating func add(_ piece: String) {
        if !piece.isEmpty { picture.apply(stream.append(piece), of: stream) }
    }

    /// Ends a text to which only pieces were added.
    package mutating func finish() {
        if !stream.isFinished { picture.apply(stream.finish(), of: stream) }
    }

    /// How many lines there are: none in an empty text.
    package var lineCount: Int { picture.lines.count }

    /// The cells of a line, from left to right.
    package func cells(line number: Int, links: inout LinkTable) -> [Cell] {
        StyledCells.cells(of: picture.lines[number], width: width, hasLinks: !showsAddresses, links: &links)
    }
}
