/// Draws the list of conversations.
enum ListPane {
    static func draw(_ view: ChatView, into grid: inout Grid, columns: Range<Int>) {
        let rows = view.size.rows
        let isAlone = !view.isWide
        let hasFocus = view.focus == .list
        grid.write("Conversations", row: 0, column: columns.lowerBound + 1, end: columns.upperBound, style: .bold)
        // Where the list is alone, its last rows are for what it is asked.
        let body = 1..<max(rows - (isAlone ? 2 : 0), 1)
        if view.list.isEmpty {
            grid.write(
                "none yet", row: min(2, rows - 1), column: columns.lowerBound + 2, end: columns.upperBound, style: .dim)
        }
        let position = hasFocus ? view.listPosition : view.list.firstIndex { $0.id == view.conversation } ?? 0
        let top = min(max(position - body.count / 2, 0), max(view.list.count - body.count, 0))
        for (offset, item) in view.list.dropFirst(top).prefix(body.count).enumerated() {
            let row = body.lowerBound + offset
            let isOpen = item.id == view.conversation
            var style = isOpen ? Style.bold : .plain
            if hasFocus, top + offset == view.listPosition {
                style.attributes.insert(.reverse)
                grid.fill(row: row, columns: columns, style: style)
            }
            let mark = item.unsent > 0 ? "◷" : item.isPinned ? "★" : isOpen ? "•" : " "
            grid.write(mark, row: row, column: columns.lowerBound, end: columns.upperBound, style: style)
            let title = item.title.isEmpty ? "(no title yet)" : HarmlessText.line(item.title)
            let cells = LineOfText.cells(
                of: Clipped.text(title, to: columns.count - 3), isRightToLeft: false,
                style: item.title.isEmpty ? Style(style.foreground, style.attributes.union(.dim)) : style)
            grid.put(cells, row: row, column: columns.lowerBound + 2, end: columns.upperBound)
        }
        if isAlone, rows > 3 { drawFoot(view, into: &grid, row: rows - 2, columns: columns) }
    }

    private static func drawFoot(_ view: ChatView, into grid: inout Grid, row: Int, columns: Range<Int>) {
        let (words, style) = StatusLine.words(view)
        grid.write(
            Clipped.text(words, to: columns.count - 2), row: row, column: columns.lowerBound + 1, style: style)
        if case .rename(_, let editor) = view.overlay {
            let start = grid.write("Title: ", row: row + 1, column: columns.lowerBound + 1, style: .bold)
            Field.draw(editor, into: &grid, row: row + 1, from: start, to: columns.upperBound - 1)
        }
    }
}
