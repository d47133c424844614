/// Turns what a screen shall show into the bytes that change it there, and no others.
///
/// Each frame is one synchronised update (DEC mode 2026), so that no terminal that knows it shows half of one; the
/// others get so few bytes that there is nothing to see.
package struct Painter: Sendable {
    private let hasColour: Bool
    private var shown: Grid?

    /// Starts with a screen of which nothing is known.
    ///
    /// - Parameter hasColour: false paints with bold, dim, underline and reverse alone.
    package init(hasColour: Bool) { self.hasColour = hasColour }

    /// Forgets what the screen shows: the next frame is painted whole.
    package mutating func forget() { shown = nil }

    /// The bytes that turn what is shown into the next frame; empty when nothing changed.
    package mutating func paint(_ next: Grid) -> String {
        defer { shown = next }
        let previous = shown.flatMap { $0.size == next.size && $0.links.age == next.links.age ? $0 : nil }
        if let previous, previous == next { return "" }
        var brush = Brush(hasColour: hasColour, links: next.links)
        if previous == nil { brush.clear() }
        let blank = previous ?? Grid(size: next.size)
        for row in 0..<next.size.rows {
            let (old, new) = (blank.row(row), next.row(row))
            if old.elementsEqual(new) { continue }
            if old.contains(where: \.isDisputed) || new.contains(where: \.isDisputed) {
                // Nobody knows where a terminal has put the rest of such a row.
                brush.paint(new, row: row, from: 0, to: new.count)
            } else {
                Self.change(old, into: new, row: row, with: &brush)
            }
        }
        return brush.finish(cursor: next.cursor)
    }

    /// Paints the stretches that differ; what lies between two of them is painted along if that is cheaper.
    private static func change(_ old: ArraySlice<Cell>, into new: ArraySlice<Cell>, row: Int, with brush: inout Brush) {
        let count = new.count
        func differs(_ column: Int) -> Bool { old[old.startIndex + column] != new[new.startIndex + column] }
        // Blanks up to the end of the row can be erased at once.
        var written = count
        while written > 0, new[new.startIndex + written - 1] == Cell() { written -= 1 }
        if count - written < 4 { written = count }

        var column = 0
        while column < written {
            guard differs(column) else {
                column += 1
                continue
            }
            var end = column + 1
            var same = 0
            var scan = end
            while scan < written, same < 6 {
                if differs(scan) {
                    same = 0
                    end = scan + 1
                } else {
                    same += 1
                }
                scan += 1
            }
            // Whole characters: from a left half to a right half.
            var start = column
            while start > 0, new[new.startIndex + start].width == 0 { start -= 1 }
            while end < count, new[new.startIndex + end].width == 0 { end += 1 }
            brush.paint(new, row: row, from: start, to: end)
            column = end
        }
        if written < count, (written..<count).contains(where: differs) { brush.erase(row: row, from: written) }
    }
}

/// Writes the sequences of one frame, knowing where the cursor is and which style is set.
private struct Brush {
    private var output = "\u{1B}[?2026h\u{1B}[?25l"
    private var pen: Pen
    private var place: Place?

    init(hasColour: Bool, links: LinkTable) { pen = Pen(hasColour: hasColour, links: links) }

    mutating func clear() {
        set(.plain)
        output += "\u{1B}[2J"
    }

    mutating func paint(_ cells: ArraySlice<Cell>, row: Int, from start: Int, to end: Int) {
        var column = start
        while column < end {
            let cell = cells[cells.startIndex + column]
            let width = Int(max(cell.width, 1))
            move(to: Place(row: row, column: column))
            set(cell.style)
            if cell.isDisputed {
                // A terminal that takes it for narrower would leave what was there before.
                output += String(repeating: " ", count: width)
                place = nil
                move(to: Place(row: row, column: column))
                output.append(cell.character)
                place = nil
            } else {
                output.append(cell.character)
                place = Place(row: row, column: column + width)
            }
            column += width
        }
        // In the last column terminals differ about where the cursor is then.
        if column >= cells.count { place = nil }
    }

    mutating func erase(row: Int, from column: Int) {
        move(to: Place(row: row, column: column))
        set(.plain)
        output += "\u{1B}[K"
    }

    mutating func finish(cursor: Place?) -> String {
        set(.plain)
        if let cursor {
            move(to: cursor)
            output += "\u{1B}[?25h"
        }
        return output + "\u{1B}[?2026l"
    }

    private mutating func move(to target: Place) {
        if place == target { return }
        output += "\u{1B}[\(target.row + 1);\(target.column + 1)H"
        place = target
    }

    private mutating func set(_ wanted: Style) { pen.set(wanted, into: &output) }
}
