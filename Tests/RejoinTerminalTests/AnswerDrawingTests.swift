import RejoinTerminal
import SeededRandom
import Testing

@Suite struct AnswerDrawingTests {
    /// A terminal that scrolls: what has left it at the top cannot be reached any more.
    struct Roll {
        let rows: Int
        private(set) var lines = [""]
        private var row = 0

        init(rows: Int) { self.rows = rows }

        mutating func feed(_ output: String) {
            var rest = Substring(output)
            while let character = rest.popFirst() {
                switch character {
                case "\n":
                    row += 1
                    if row == lines.count { lines.append("") }
                case "\u{1B}":
                    rest.removeFirst()
                    let parameters = rest.prefix { !("@"..."~").contains($0) }
                    rest = rest.dropFirst(parameters.count)
                    switch rest.removeFirst() {
                    case "A": row = max(row - (Int(parameters) ?? 1), max(lines.count - rows, 0))
                    case "J":
                        lines.removeLast(lines.count - row)
                        lines.append("")
                    default: break
                    }
                default: lines[row].append(character)
                }
            }
        }
    }

    static let plain = TerminalAbility(environment: ["TERM": "xterm", "NO_COLOR": "1"])

    static func drawn(_ text: String, size: Size, seed: UInt64) -> (roll: Roll, bytes: Int) {
        var generator = SeededGenerator(seed: seed)
        var drawing = AnswerDrawing(size: size, ability: plain)
        var roll = Roll(rows: size.rows)
        var bytes = 0
        var rest = Substring(text)
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...9, using: &generator))
            rest = rest.dropFirst(piece.count)
            let output = drawing.add(String(piece), size: size)
            bytes += output.utf8.count
            roll.feed(output)
        }
        roll.feed(drawing.finish())
        return (roll, bytes)
    }

    static let text = """
        # Title

        Some **words** that go over more than one line of a screen, `code`, and more of them.

        1. one
        2. two

        | a | b |
        |---|---|
        | long cell | 1 |
        | x | 2 |

        ```swift
        let a = 1
        let b = 2
        let c = 3
        let d = 4
        let e = 5
        let f = 6
        ```

        The *end*.
        """

    @Test(arguments: 0..<20)
    func `what is on the screen at the end is the answer, once`(seed: UInt64) {
        for rows in [6, 12, 50] {
            let size = Size(columns: 41, rows: rows)
            let roll = Self.drawn(Self.text, size: size, seed: seed).roll
            let expected = AnswerLayoutTests.lines(Self.text, width: 40)
            #expect(roll.lines.dropLast().map { $0.trimmingEnd } == expected.map { $0.trimmingEnd }, "\(rows) rows")
        }
    }

    @Test("A67 lines that are settled are written once")
    func settled() {
        let long = (0..<200).map { "A paragraph with number \($0) in it.\n\n" }.joined()
        let (roll, bytes) = Self.drawn(long, size: Size(columns: 60, rows: 20), seed: 1)
        #expect(roll.lines.filter { $0.contains("number 7 in") }.count == 1)
        // Each piece writes its paragraph again, and no other.
        #expect(bytes < long.utf8.count * 20)
    }

    @Test func `something said in between stands above the open end`() {
        let size = Size(columns: 40, rows: 10)
        var drawing = AnswerDrawing(size: size, ability: Self.plain)
        var roll = Roll(rows: 10)
        roll.feed(drawing.add("first\n\nhalf a", size: size))
        roll.feed(drawing.lift())
        roll.feed("notice\n")
        roll.feed(drawing.draw())
        roll.feed(drawing.add(" line", size: size))
        roll.feed(drawing.finish())
        #expect(roll.lines == ["first", "notice", "", "half a line", ""])
    }

    @Test func `a screen that becomes narrower or wider loses nothing`() {
        var drawing = AnswerDrawing(size: Size(columns: 60, rows: 10), ability: Self.plain)
        var roll = Roll(rows: 10)
        roll.feed(drawing.add("first paragraph\n\nsecond one with some words", size: Size(columns: 60, rows: 10)))
        roll.feed(drawing.add(" and more of them", size: Size(columns: 12, rows: 10)))
        roll.feed(drawing.add(" until the end.\n", size: Size(columns: 80, rows: 10)))
        roll.feed(drawing.finish())
        #expect(roll.lines.first == "first paragraph")
        #expect(roll.lines.contains("second one with some words and more of them until the end."))
    }
}

extension String {
    fileprivate var trimmingEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
