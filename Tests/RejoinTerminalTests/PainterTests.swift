import Foundation
import RejoinTerminal
import SeededRandom
import Testing

@Suite struct PainterTests {
    static func look(_ style: Style) -> String {
        var codes: [String] = []
        if style.attributes.contains(.bold) { codes.append("1") }
        if style.attributes.contains(.dim) { codes.append("2") }
        if style.attributes.contains(.reverse) { codes.append("7") }
        switch style.foreground {
        case .red: codes.append("31")
        case .brightCyan: codes.append("96")
        default: break
        }
        if style.background == .blue { codes.append("44") }
        return codes.joined(separator: ";")
    }

    @Test(arguments: 0..<120)
    func `a terminal shows each frame, whatever it showed before`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let size = Size(
            columns: Int.random(in: 2...40, using: &generator), rows: Int.random(in: 1...8, using: &generator))
        var terminal = TinyTerminal(size: size)
        var painter = Painter(hasColour: true)
        var grid = Grid.random(size: size, disputed: true, using: &generator)
        for _ in 0..<8 {
            terminal.feed(painter.paint(grid))
            for row in 0..<size.rows {
                for (column, cell) in grid.row(row).enumerated() {
                    let spot = terminal.spots[row][column]
                    #expect(spot.text == (cell.width == 0 ? "" : String(cell.character)), "\(row), \(column)")
                    #expect(spot.look == Self.look(cell.style))
                }
            }
            #expect(terminal.isCursorVisible == (grid.cursor != nil))
            if let cursor = grid.cursor {
                #expect(terminal.cursor.row == cursor.row)
                #expect(terminal.cursor.column == cursor.column)
            }
            #expect(!terminal.isInsideUpdate)
            #expect(terminal.unknown == [])
            let changed = Bool.random(using: &generator) ? grid : nil
            grid = Grid.random(size: size, changing: changed, disputed: true, using: &generator)
        }
    }

    @Test(arguments: 0..<120)
    func `a terminal of another opinion shows the same after a change as when painted fresh`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed &+ 5000)
        let size = Size(columns: Int.random(in: 4...30, using: &generator), rows: 4)
        let first = Grid.random(size: size, disputed: true, using: &generator)
        let second = Grid.random(size: size, changing: first, disputed: true, using: &generator)
        var changed = TinyTerminal(size: size, opinion: .codePoints)
        var painter = Painter(hasColour: true)
        changed.feed(painter.paint(first))
        changed.feed(painter.paint(second))
        var fresh = TinyTerminal(size: size, opinion: .codePoints)
        var other = Painter(hasColour: true)
        fresh.feed(other.paint(second))
        #expect(changed.spots == fresh.spots)
    }

    @Test func `nothing is written for a frame that is shown already`() {
        var painter = Painter(hasColour: true)
        var grid = Grid(size: Size(columns: 20, rows: 4))
        grid.write("hello", row: 1, column: 2)
        let (first, again) = (painter.paint(grid), painter.paint(grid))
        painter.forget()
        #expect(!first.isEmpty)
        #expect(again.isEmpty)
        let third = painter.paint(grid)
        #expect(third == first)
    }

    @Test func `a changed letter costs a few bytes`() {
        var painter = Painter(hasColour: true)
        var grid = Grid(size: Size(columns: 200, rows: 60))
        for row in 0..<60 { grid.write(String(repeating: "x", count: 200), row: row, column: 0, style: Style(.red)) }
        _ = painter.paint(grid)
        grid.write("y", row: 30, column: 100, style: Style(.red))
        let count = painter.paint(grid).utf8.count
        #expect(count < 60)
    }

    @Test func `another size is painted whole`() {
        var painter = Painter(hasColour: true)
        _ = painter.paint(Grid(size: Size(columns: 20, rows: 4)))
        let output = painter.paint(Grid(size: Size(columns: 30, rows: 4)))
        #expect(output.contains("\u{1B}[2J"))
    }

    @Test func `without colour the rest of a style stays`() {
        var painter = Painter(hasColour: false)
        var grid = Grid(size: Size(columns: 20, rows: 1))
        grid.write("a", row: 0, column: 0, style: Style(.red, on: .blue, [.bold, .underline]))
        let output = painter.paint(grid)
        #expect(output.contains("\u{1B}[0;1;4m"))
        #expect(!output.contains("31"))
        #expect(!output.contains("44"))
    }

    @Test(
        .enabled(if: ProcessInfo.processInfo.environment["REJOIN_TEST_PYTHON"] != nil),
        arguments: 0..<4)
    func `an independent terminal shows what a frame says`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var cases: [[String: Any]] = []
        for _ in 0..<40 {
            let size = Size(columns: Int.random(in: 4...60, using: &generator), rows: 6)
            let first = Grid.random(size: size, disputed: false, using: &generator)
            let second = Grid.random(size: size, changing: first, disputed: false, using: &generator)
            var painter = Painter(hasColour: true)
            let output = painter.paint(first) + painter.paint(second)
            cases.append([
                "columns": size.columns, "rows": size.rows, "output": output, "text": second.text,
                "cursor": second.cursor.map { [$0.row, $0.column] } ?? [],
            ])
        }
        let wrong = try Python.run("pyte_shows.py", input: JSONSerialization.data(withJSONObject: cases))
        #expect(wrong == "")
    }
}
