import RejoinCore
import RejoinMarkdown
import RejoinTerminal
import Testing

@Suite struct AnswerLayoutTests {
    static func layout(_ text: String, width: Int, showsAddresses: Bool = true) -> AnswerLayout {
        var layout = AnswerLayout(width: width, showsAddresses: showsAddresses)
        layout.update(GrowingText(text), isOver: true)
        return layout
    }

    static func rows(_ text: String, width: Int, showsAddresses: Bool = true) -> [[Cell]] {
        let layout = layout(text, width: width, showsAddresses: showsAddresses)
        var links = LinkTable()
        return (0..<layout.lineCount).map { layout.cells(line: $0, links: &links) }
    }

    static func lines(_ text: String, width: Int = 40) -> [String] {
        rows(text, width: width).map { String($0.filter { $0.width > 0 }.map(\.character)) }
    }

    @Test func `Markdown is drawn as what it means`() {
        #expect(Self.lines("# T\n\n**a** `b`\n\n- x\n- y") == ["T", "", "a b", "", "• x", "• y"])
        let rows = Self.rows("**a** *b* ~~c~~ `d`", width: 40)
        #expect(rows[0][0].style == Style(nil, .bold))
        #expect(rows[0][2].style == Style(nil, .italic))
        #expect(rows[0][4].style == Style(nil, .strikethrough))
        #expect(rows[0][6].style == Style(.cyan))
    }

    @Test func `text from right to left stands at the right edge, with its marks`() {
        #expect(Self.lines("שלום", width: 10) == ["      םולש"])
        #expect(Self.lines("> שלום", width: 10) == ["    םולש │"])
        #expect(Self.lines("- א ב", width: 10) == ["     ב א •"])
        // Code begins at the left; a number behind a word from right to left stands to its left, as it is read.
        #expect(Self.lines("```\nlet א = 12\n```", width: 20) == ["let 12 = א"])
    }

    @Test func `cells of a table keep their places whatever direction they have`() {
        #expect(
            Self.lines("| a | b |\n|---|---|\n| שלום | עולם |\n| x | 12 |")
                == [
                    "a    │ b   ", "─────┼─────", "םולש │ םלוע", "x    │ 12  ",
                ].map { line in String(line.reversed().drop { $0 == " " }.reversed()) })
    }

    @Test func `nothing of an answer steers the terminal`() {
        let text =
            "a\u{1B}[2Jb \u{9B}31m `\u{1B}]8;;x\u{07}` [l](https://x.y/\u{1B}]52;c;eA==\u{07})\n\n"
            + "```\n\u{1B}c\r\u{0}\n```\n"
        for row in Self.rows(text, width: 60, showsAddresses: false) {
            for scalar in row.flatMap(\.character.unicodeScalars) {
                #expect(scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value))
            }
        }
    }

    @Test func `links lead somewhere only where they may, and say where on terminals without them`() {
        var links = LinkTable()
        let layout = Self.layout("[l](https://x.y) [m](javascript:z)", width: 40, showsAddresses: false)
        let cells = layout.cells(line: 0, links: &links)
        #expect(links.address(cells[0].style.link) == "https://x.y")
        #expect(cells[2].style.link == 0)
        #expect(Self.lines("[l](https://x.y)") == ["l (https://x.y)"])
        // An address that shows another one is never taken at its word.
        let lying = Self.layout("[https://good.example](https://bad.example)", width: 80, showsAddresses: false)
        #expect(lying.picture.lines[0].text.contains("(https://bad.example)"))
    }

    @Test("A67 an answer that grows at its end is added to, and ends as if it had come whole")
    func growth() {
        let text = "# Title\n\nwords *and* more\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```swift\nlet x = 1\n```\n\nend"
        var growing = AnswerLayout(width: 30, showsAddresses: true)
        var source = GrowingText()
        for character in text {
            source.append(String(character))
            growing.update(source, isOver: false)
        }
        growing.update(source, isOver: true)
        #expect(growing.picture.lines == Self.layout(text, width: 30).picture.lines)
        growing.update(GrowingText("other"), isOver: false)
        #expect(growing.picture.lines.map(\.text) == ["other"])
    }
}
