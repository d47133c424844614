import RejoinMarkdown

/// An answer drawn line by line on a terminal that goes on below it: what is settled is written for good, and the end
/// that is still open is drawn again as it changes.
///
/// What it gives is written as it is, and leaves the cursor at the beginning of the line below. Nothing is drawn over
/// but its own last lines, and of those no more than the screen holds.
package struct AnswerDrawing: Sendable {
    private let ability: TerminalAbility
    private var size: Size
    private var layout: AnswerLayout
    private var links = LinkTable()
    private var text = ""
    /// What stands before it has been written for good.
    private var kept = PicturePlace()
    /// The lines on the screen that may be drawn again, and the columns of the widest.
    private var tail: [String] = []
    private var tailColumns = 0

    /// An answer of which nothing has come.
    package init(size: Size, ability: TerminalAbility) {
        self.size = size
        self.ability = ability
        layout = Self.layout(size, ability)
    }

    private static func layout(_ size: Size, _ ability: TerminalAbility) -> AnswerLayout {
        // The last column is left free: a line that is taken for wider must not begin another.
        AnswerLayout(width: min(size.columns - 1, 100), showsAddresses: !ability.hasLinks)
    }

    /// Draws what a piece changes.
    ///
    /// - Parameter size: the screen's now.
    package mutating func add(_ piece: String, size: Size) -> String {
        fit(size)
        text += piece
        layout.add(piece)
        return draw()
    }

    /// Draws the end of the answer.
    package mutating func finish() -> String {
        layout.finish()
        return draw()
    }

    /// Takes the open end off the screen, so that something else can be said in its place; ``draw()`` brings it back.
    package mutating func lift() -> String {
        defer { (tail, tailColumns) = ([], 0) }
        return Self.up(tail.count)
    }

    /// Draws what is not as it should be.
    package mutating func draw() -> String {
        let picture = layout.picture
        let start = picture.line(at: kept)
        let count = picture.lines.count
        var next = picture.settled(of: layout.stream)
        if picture.line(at: next) <= start { next = kept }
        // What leaves the screen cannot be drawn again: blocks that are above it stay as they are.
        let room = max(size.rows - 1, 1)
        if count - picture.line(at: next) > room {
            let place = picture.place(notBehind: count - room)
            if picture.line(at: place) > picture.line(at: next) { next = place }
        }
        let end = max(picture.line(at: next), start)
        var lines: [String] = []
        for number in start..<end { lines.append(line(number).text) }
        var open: [String] = []
        var columns = 0
        for number in max(end, count - room)..<max(count, end) {
            let line = line(number)
            open.append(line.text)
            columns = max(columns, line.columns)
        }
        lines += open
        var same = 0
        while same < min(lines.count, tail.count), lines[same] == tail[same] { same += 1 }
        let isSame = same == tail.count && same == lines.count
        let output = Self.up(tail.count - same) + lines[same...].map { $0 + "\n" }.joined()
        (kept, tail, tailColumns) = (next, open, columns)
        links.trim()
        // Lines are in the order in which they are drawn: terminals that order by themselves are asked not to.
        return isSame ? "" : "\u{1B}[?2026h\u{1B}[8l" + output + "\u{1B}[8h\u{1B}[?2026l"
    }

    private mutating func line(_ number: Int) -> (text: String, columns: Int) {
        var cells = layout.cells(line: number, links: &links)
        while cells.last == Cell() { cells.removeLast() }
        return (Pen.text(of: cells, hasColour: ability.hasColour, links: links), cells.count)
    }

    /// Goes up by lines and clears what stands from there on.
    private static func up(_ lines: Int) -> String { lines > 0 ? "\u{1B}[\(lines)A\u{1B}[J" : "" }

    /// Follows a screen whose size has changed.
    private mutating func fit(_ new: Size) {
        if new == size { return }
        if tailColumns > new.columns {
            // Some terminals have broken these lines anew, others have cut them: they are left, and drawn again below.
            (tail, tailColumns) = ([], 0)
        } else if tail.count > new.rows - 1 {
            tail.removeFirst(tail.count - max(new.rows - 1, 0))
        }
        size.rows = new.rows
        // In the midst of a block the lines that were written have the old width.
        guard kept.isBetweenBlocks else { return }
        size = new
        layout = Self.layout(new, ability)
        layout.add(text)
    }
}
