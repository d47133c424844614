import RejoinTerminal
import Testing

@Suite struct CharacterWidthTests {
    static let cases: [(String, Int)] = [
        ("a", 1), (" ", 1), ("é", 1), ("e\u{301}", 1), ("漢", 2), ("が", 2), ("ｶ", 1), ("Ａ", 2), ("한", 2),
        ("\u{1112}\u{1161}\u{11AB}", 2), ("😀", 2), ("👩‍👩‍👧", 2), ("👍🏽", 2), ("🇩🇪", 2), ("🇩", 1), ("❤", 1),
        ("❤\u{FE0F}", 2), ("1\u{FE0F}\u{20E3}", 2), ("\u{200B}", 0), ("\u{200D}", 0), ("\u{301}", 0), ("\u{AD}", 1),
        ("ש", 1), ("שׁ", 1), ("ن", 1), ("क", 1), ("का", 2), ("\u{1F6D8}", 2), ("\u{20000}", 2), ("\u{FFFD}", 1), ("…", 1),
        ("\u{7F}", 0), ("\u{E000}", 1),
    ]

    @Test(arguments: cases.indices)
    func `columns are those of newer terminals`(index: Int) throws {
        let (text, columns) = Self.cases[index]
        let character = try #require(text.count == 1 ? text.first : nil)
        #expect(CharacterWidth.of(character) == columns)
    }

    @Test func `cells hold whole characters and nothing without a width`() {
        let cells = Cell.cells(of: "a\u{200B}漢\u{7}e\u{301}", style: .bold)
        #expect(cells.map(\.width) == [1, 2, 0, 1])
        #expect(cells.map(\.character) == ["a", "漢", " ", "é"])
        #expect(cells.allSatisfy { $0.style == .bold })
    }

    @Test func `a mark without a base stands on a circle`() {
        #expect(Cell.cells(of: "\u{301}", style: .plain).map(\.character) == ["\u{25CC}\u{301}"])
    }

    @Test func `a character of a thousand marks is cut to what a script needs`() {
        let cells = Cell.cells(of: "a" + String(repeating: "\u{301}", count: 1000), style: .plain)
        #expect(cells.count == 1)
        #expect(cells[0].character.unicodeScalars.count < 30)
    }
}
