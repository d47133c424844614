/// A size in columns and rows.
package struct Size: Equatable, Hashable, Sendable {
    package var columns: Int
    package var rows: Int

    /// Names a size; what is too small to hold a wide character counts as just large enough, and what no screen has
    /// as the largest.
    package init(columns: Int, rows: Int) {
        self.columns = min(max(columns, 2), 1000)
        self.rows = min(max(rows, 1), 500)
    }
}

/// A place on the screen, from 0.
package struct Place: Equatable, Sendable {
    package var row: Int
    package var column: Int

    /// Names a place.
    package init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }
}

/// What a screen shows at one moment.
///
/// Writing outside of it is cut off, and a wide character is never shown by half: whoever overwrites one half blanks the
/// other.
package struct Grid: Equatable, Sendable {
    package let size: Size
    /// Row after row.
    package private(set) var cells: [Cell]
    /// Where the cursor stands; nil hides it.
    package var cursor: Place?
    /// The addresses that the links of its cells lead to.
    package var links = LinkTable()

    /// An empty screen.
    package init(size: Size) {
        self.size = size
        cells = Array(repeating: Cell(), count: size.columns * size.rows)
    }

    /// The cells of a row.
    package func row(_ row: Int) -> ArraySlice<Cell> {
        cells[row * size.columns..<(row + 1) * size.columns]
    }

    /// Puts cells beside each other from a place on, up to `end` (a column, not written any more).
    ///
    /// - Returns: the column after the last cell that was put.
    @discardableResult
    package mutating func put(
        _ new: some Collection<Cell>, row: Int, column: Int, end: Int? = nil
    ) -> Int {
        let end = min(end ?? size.columns, size.columns)
        guard row >= 0, row < size.rows, column >= 0, column < end else { return column }
        let start = row * size.columns
        var next = column
        var previousWidth: UInt8 = 0
        separate(row: row, column: column)
        for cell in new {
            if cell.width == 0, previousWidth != 2 {
                // The right half of something that was cut away.
                previousWidth = 0
                continue
            }
            guard next < end, next + Int(max(cell.width, 1)) <= end else { break }
            cells[start + next] = cell
            next += 1
            previousWidth = cell.width
        }
        // A wide character whose right half did not come is none.
        if previousWidth == 2, next > column { cells[start + next - 1] = Cell(style: cells[start + next - 1].style) }
        if next < size.columns, cells[start + next].width == 0 {
            cells[start + next] = Cell(style: cells[start + next].style)
        }
        return next
    }

    /// Writes a text on one line; see ``put(_:row:column:end:)``.
    @discardableResult
    package mutating func write(
        _ text: some Sequence<Character>, row: Int, column: Int, end: Int? = nil, style: Style = .plain
    ) -> Int {
        put(Cell.cells(of: text, style: style), row: row, column: column, end: end)
    }

    /// Fills columns of a row with blanks.
    package mutating func fill(row: Int, columns: Range<Int>, style: Style = .plain) {
        let columns = columns.clamped(to: 0..<size.columns)
        put(repeatElement(Cell(style: style), count: columns.count), row: row, column: columns.lowerBound)
    }

    /// Changes the style of columns of a row without changing what is written there.
    package mutating func restyle(row: Int, columns: Range<Int>, _ change: (inout Style) -> Void) {
        guard row >= 0, row < size.rows else { return }
        for column in columns.clamped(to: 0..<size.columns) { change(&cells[row * size.columns + column].style) }
    }

    /// Blanks a wide character that a column would cut in two.
    private mutating func separate(row: Int, column: Int) {
        let index = row * size.columns + column
        guard cells[index].width == 0, column > 0 else { return }
        cells[index - 1] = Cell(style: cells[index - 1].style)
        cells[index] = Cell(style: cells[index].style)
    }

    /// The screen as text, a line a row, with blanks at the ends of lines left out: what tests look at.
    package var text: String {
        (0..<size.rows).map { row in
            var line = String(self.row(row).filter { $0.width > 0 }.map(\.character))
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }
}
