import RejoinTerminal
import SeededRandom
import Testing

@Suite struct TextLayoutTests {
    static func lines(_ text: String, width: Int) -> [String] {
        lines(TextLayout(text, width: width))
    }

    static func lines(_ layout: TextLayout) -> [String] {
        (0..<layout.lineCount).map { number in
            String(layout.cells(line: number).filter { $0.width > 0 }.map(\.character))
        }
    }

    static let cases: [(String, Int, [String])] = [
        ("", 10, []), ("one two three", 8, ["one two ", "three"]), ("one  two", 4, ["one  ", "two"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]), ("a\nb\n", 10, ["a", "b", ""]), ("a\n\nb", 10, ["a", "", "b"]),
        ("well-known thing", 7, ["well-", "known ", "thing"]), ("漢字仮名交じり文", 6, ["漢字仮", "名交じ", "り文"]),
        ("漢字、仮名", 4, ["漢", "字、", "仮名"]), ("「漢字」", 5, ["「漢", "字」"]), ("a\tb", 10, ["a    b"]),
        ("e\u{301}e\u{301}e\u{301}", 2, ["e\u{301}e\u{301}", "e\u{301}"]), ("👩‍👩‍👧👩‍👩‍👧", 3, ["👩‍👩‍👧", "👩‍👩‍👧"]),
        ("\u{1B}[2Jx", 10, ["␛[2Jx"]), ("a b", 1, ["a ", "b"]), ("    code", 20, ["    code"]),
        ("שלום", 8, ["    םולש"]), ("a) xxxxxxx)", 8, ["a) ", "xxxxxxx)"]), ("a xxxxxxx漢）", 9, ["a xxxxxxx", "漢）"]),
    ]

    @Test(arguments: cases.indices)
    func `lines end where a reader would end them`(index: Int) {
        let (text, width, lines) = Self.cases[index]
        #expect(Self.lines(text, width: width) == lines)
    }

    static let alphabet: [String] = [
        "a", "b", "word", " ", " ", "  ", "\n", "-", "漢", "、", "（", "e\u{301}", "\u{301}", "ש", "لا", "12", "👩",
        "\u{200D}",
        "👧", "\u{FE0F}", "❤", "🇩", "🇪", "\u{1B}[", "\t", "\r", "\r\n", ".", ")", "क", "\u{94D}", "ष",
    ]

    @Test(arguments: 0..<80)
    func `no line is wider than the screen, and nothing is lost`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed &+ 1000)
        let width = Int.random(in: 2...24, using: &generator)
        let text = (0..<80).map { _ in Self.alphabet.randomElement(using: &generator) ?? "" }.joined()
        let layout = TextLayout(text, width: width)
        var read = ""
        for number in 0..<layout.lineCount {
            let line = layout.text(line: number)
            read += line
            var drawn = line[...]
            while drawn.last == " " { drawn.removeLast() }
            #expect(CharacterWidth.of(drawn) <= width)
        }
        let shown = HarmlessText.whole(text)
        #expect(
            read
                == shown.filter { $0 != "\n" }.split(separator: "\t", omittingEmptySubsequences: false)
                .joined(separator: "    "))
    }
}
