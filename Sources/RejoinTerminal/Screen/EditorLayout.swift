import RejoinMarkdown

/// Where the characters of an editor stand at a width, and where its cursor is.
package struct EditorLayout: Sendable {
    /// A line on the screen: characters by number, without a line feed at its end.
    package struct Line: Equatable, Sendable {
        package var characters: Range<Int>
        package var isRightToLeft: Bool
    }

    package let width: Int
    package let lines: [Line]
    /// The line of the cursor.
    package let cursorLine: Int
    /// The column at which the cursor is drawn.
    package let cursorColumn: Int

    /// Breaks an editor's text into lines.
    init(_ characters: [Character], cursor: Int, width: Int) {
        let width = max(width, 2)
        var lines: [Line] = []
        var start = 0
        while true {
            let end = characters[start...].firstIndex(of: "\n") ?? characters.count
            let isRightToLeft = LineDirection.isRightToLeft(String(characters[start..<end].prefix(16))) ?? false
            var breaker = LineBreaker(width: width)
            for position in start..<end {
                let columns = Self.columns(of: characters[position])
                if let next = breaker.append(characters[position], columns: columns, at: position) {
                    lines.append(Line(characters: start..<next, isRightToLeft: isRightToLeft))
                    start = next
                }
            }
            lines.append(Line(characters: start..<end, isRightToLeft: isRightToLeft))
            if end == characters.count { break }
            start = end + 1
        }
        self.width = width
        self.lines = lines
        // At a soft break the cursor stands at the beginning of the next line.
        let line = lines.lastIndex { $0.characters.lowerBound <= cursor } ?? 0
        cursorLine = line
        cursorColumn = Self.column(of: cursor, in: lines[line], of: characters, width: width)
    }

    /// The column of a character, in the order in which the line is drawn.
    private static func column(of position: Int, in line: Line, of characters: [Character], width: Int) -> Int {
        let text = characters[line.characters]
        let number = position - line.characters.lowerBound
        guard let ordered = LineOfText.ordered(Array(text), isRightToLeft: line.isRightToLeft) else {
            return min(columns(of: text.prefix(number)), width - 1)
        }
        let total = ordered.reduce(0) { $0 + columns(of: $1.0) }
        let margin = line.isRightToLeft ? max(width - total, 0) : 0
        if number == text.count { return min(max(line.isRightToLeft ? margin - 1 : total, 0), width - 1) }
        var column = margin
        for (character, index) in ordered {
            if index == number { break }
            column += columns(of: character)
        }
        return min(column, width - 1)
    }

    /// The columns that a character takes when it is drawn: one for a tab, which is drawn as an arrow.
    static func columns(of character: Character) -> Int { character == "\t" ? 1 : Cell.columns(of: character) }

    /// How a character is drawn: a tab must be seen to be deleted.
    static func drawn(_ character: Character) -> Character { character == "\t" ? "→" : character }

    private static func columns(of characters: some Sequence<Character>) -> Int {
        characters.reduce(0) { $0 + columns(of: $1) }
    }
}
