/// Draws a search and what it found.
enum SearchPane {
    static func draw(_ search: SearchView, into grid: inout Grid, rows: Range<Int>, columns: Range<Int>) {
        guard !rows.isEmpty else { return }
        let start = grid.write("Search: ", row: rows.lowerBound, column: columns.lowerBound + 1, style: .bold)
        Field.draw(search.words, into: &grid, row: rows.lowerBound, from: start, to: columns.upperBound - 1)
        let hits = rows.dropFirst(2)
        let room = hits.count / 2
        guard room > 0 else { return }
        if search.hits.isEmpty {
            let words =
                search.words.isEmpty
                ? "type words that were said; the last may be unfinished"
                : search.found == search.words.text ? "nothing found" : ""
            grid.write(
                Clipped.text(words, to: columns.count - 3), row: hits.lowerBound, column: columns.lowerBound + 2,
                style: .dim)
            return
        }
        let top = min(max(search.position - room / 2, 0), max(search.hits.count - room, 0))
        for (offset, hit) in search.hits.dropFirst(top).prefix(room).enumerated() {
            let row = hits.lowerBound + offset * 2
            if top + offset == search.position {
                for row in [row, row + 1] {
                    grid.write("▌", row: row, column: columns.lowerBound, style: Style(.cyan, .bold))
                }
            }
            let title = hit.title.isEmpty ? "(no title yet)" : HarmlessText.line(hit.title)
            grid.write(
                Clipped.text(title, to: columns.count - 3), row: row, column: columns.lowerBound + 2,
                style: .bold)
            var column = columns.lowerBound + 2
            for (number, piece) in hit.snippet.enumerated() {
                let style = number % 2 == 1 ? Style(.yellow, .underline) : Style.dim
                column = grid.write(
                    HarmlessText.line(piece), row: row + 1, column: column, end: columns.upperBound - 1, style: style)
            }
        }
    }
}
