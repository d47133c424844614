import RejoinCore
import RejoinTerminal
import SeededRandom
import Testing

@Suite struct TextLayoutTests {
    static func lines(_ text: String, width: Int) -> [String] {
        var layout = TextLayout(width: width)
        layout.update(text)
        return lines(layout)
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

    @Test(arguments: 0..<120)
    func `text that grows by pieces has the lines of the whole`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let width = Int.random(in: 2...24, using: &generator)
        var text = ""
        var growing = TextLayout(width: width)
        for _ in 0..<60 {
            text += Self.alphabet.randomElement(using: &generator) ?? ""
            if Int.random(in: 0..<3, using: &generator) > 0 { continue }
            growing.update(text)
            #expect(Self.lines(growing) == Self.lines(text, width: width), "\(text.debugDescription) at \(width)")
        }
    }

    @Test(arguments: 0..<80)
    func `no line is wider than the screen, and nothing is lost`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed &+ 1000)
        let width = Int.random(in: 2...24, using: &generator)
        // A carriage return at the very end waits for what follows.
        let text = (0..<80).map { _ in Self.alphabet.randomElement(using: &generator) ?? "" }.joined() + "."
        var layout = TextLayout(width: width)
        layout.update(text)
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

    @Test func `a text that is replaced is laid out anew`() {
        var layout = TextLayout(width: 10)
        layout.update("one two three four")
        layout.update("other")
        #expect(Self.lines(layout) == ["other"])
        layout.update("")
        #expect(Self.lines(layout) == [])
    }

    @Test("A67 the work for a piece does not depend on the length of the text")
    func growth() {
        func cost(of length: Int) -> Duration {
            var layout = TextLayout(width: 80)
            var text = GrowingText()
            for _ in 0..<(length / 43) { text.append("some words that make a line, and then some\n") }
            layout.update(text)
            var best = Duration.seconds(1)
            for _ in 0..<20 {
                text.append("piece ")
                best = min(best, ContinuousClock().measure { layout.update(text) })
            }
            return best
        }
        _ = cost(of: 2_000)
        let (short, long) = (cost(of: 2_000), cost(of: 200_000))
        // Laying it out again, or only comparing it, would take a hundred times.
        #expect(long < short * 3 + .microseconds(50), "\(short) at 2 KB, \(long) at 200 KB")
    }
}
