/// Draws the page of help.
enum HelpPane {
    static func draw(top: Int, into grid: inout Grid, rows: Range<Int>, columns: Range<Int>) {
        let top = min(top, max(Help.lines.count - rows.count, 0))
        // On a narrow screen the words come closer to the keys.
        let indent = columns.count >= 60 ? 24 : 15
        for (row, line) in zip(rows, Help.lines.dropFirst(top)) {
            let start = columns.lowerBound + 2
            let end = columns.upperBound - 1
            if line.words.isEmpty {
                grid.write(line.key, row: row, column: start, end: end, style: Style(.cyan, .bold))
                continue
            }
            let column = grid.write(line.key, row: row, column: start, end: end, style: .bold)
            let next = max(start + indent, column + 1)
            grid.write(Clipped.text(line.words, to: end - next), row: row, column: next, end: end)
        }
    }
}
