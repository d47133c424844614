/// Draws the prompt that is being written, or the one line that is asked for in its place.
enum ComposerPane {
    static func draw(_ view: ChatView, into grid: inout Grid, rows: Range<Int>, columns: Range<Int>) {
        if case .rename(_, let editor) = view.overlay {
            let label = "Title: "
            let start = grid.write(label, row: rows.lowerBound, column: columns.lowerBound + 1, style: .bold)
            Field.draw(editor, into: &grid, row: rows.lowerBound, from: start, to: columns.upperBound - 1)
            return
        }
        let mark = view.editing == nil ? "›" : "✎"
        grid.write(
            mark, row: rows.lowerBound, column: columns.lowerBound, style: view.focus == .composer ? .bold : .dim)
        let start = columns.lowerBound + 2
        let hasKeys = view.focus == .composer && view.overlay == nil
        if view.composer.isEmpty {
            grid.write(
                Clipped.text("Ask", to: columns.count - 3), row: rows.lowerBound, column: start, style: .dim)
        }
        let layout = view.composer.layout(width: view.composerWidth)
        let top = min(max(layout.cursorLine - rows.count / 2, 0), max(layout.lines.count - rows.count, 0))
        for (offset, line) in layout.lines.dropFirst(top).prefix(rows.count).enumerated() {
            let row = rows.lowerBound + offset
            let characters = view.composer.characters[line.characters].map(EditorLayout.drawn)
            let cells = LineOfText.cells(of: characters, isRightToLeft: line.isRightToLeft, style: .plain)
            let margin = line.isRightToLeft ? max(layout.width - cells.count, 0) : 0
            grid.put(cells, row: row, column: start + margin, end: columns.upperBound)
        }
        if hasKeys {
            grid.cursor = Place(
                row: rows.lowerBound + layout.cursorLine - top,
                column: min(start + layout.cursorColumn, columns.upperBound - 1))
        }
    }
}

/// A text of one line that is being edited.
enum Field {
    /// Draws the part around the cursor, and the cursor, where there is room for them.
    static func draw(_ editor: LineEditor, into grid: inout Grid, row: Int, from start: Int, to end: Int) {
        let room = end - start
        guard room > 2 else { return }
        // What stands before the cursor and does not fit is left out at its start.
        var first = editor.cursor
        var used = 1
        while first > 0 {
            let width = EditorLayout.columns(of: editor.characters[first - 1])
            if used + width > room { break }
            used += width
            first -= 1
        }
        let characters = editor.characters[first...].map(EditorLayout.drawn)
        let cells = Cell.cells(of: characters, style: .plain)
        grid.put(cells, row: row, column: start, end: end)
        grid.cursor = Place(row: row, column: start + used - 1)
    }
}
