import RejoinTerminal
import SeededRandom
import Testing

@Suite struct HarmlessTextTests {
    static func show(_ pieces: [String]) -> String {
        var harmless = HarmlessText()
        return pieces.map { harmless.append($0) }.joined() + harmless.finish()
    }

    static let cases: [(String, String)] = [
        ("plain\n\ttext", "plain\n\ttext"), ("naïve — ça… €", "naïve — ça… €"), ("👩‍👩‍👧 ש 漢", "👩‍👩‍👧 ש 漢"),
        ("\u{1B}]52;c;aGk=\u{7}", "␛]52;c;aGk=␇"), ("\u{1B}[2J\u{1B}[H", "␛[2J␛[H"), ("a\u{8}b\u{0}", "a␈b␀"),
        ("\u{7F}", "␡"),
        ("\u{9B}31m\u{85}", "\u{FFFD}31m\u{FFFD}"), ("a\r\nb\r\n", "a\nb\n"), ("100%\rgone", "100%␍gone"),
        ("a\r", "a␍"),
        ("\r\r\n", "␍\n"), ("a\u{202E}b\u{2066}c\u{2028}", "a\u{FFFD}b\u{FFFD}c\u{FFFD}"),
        ("a\u{200F}b\u{A0}", "a\u{200F}b\u{A0}"),
    ]

    @Test(arguments: cases.indices)
    func `nothing that a terminal obeys comes through`(index: Int) {
        let (text, shown) = Self.cases[index]
        #expect(HarmlessText.whole(text) == shown)
        #expect(Self.show(text.unicodeScalars.map { String($0) }) == shown)
    }

    @Test(arguments: 0..<200)
    func `any text in any pieces holds no control character afterwards`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var pieces: [String] = []
        for _ in 0..<20 {
            var scalars = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                let limit: UInt32 = Bool.random(using: &generator) ? 0xA0 : 0x2100
                scalars.append(Unicode.Scalar(UInt32.random(in: 0..<limit, using: &generator)) ?? "a")
            }
            pieces.append(String(scalars))
        }
        let shown = Self.show(pieces)
        #expect(shown == Self.show([pieces.joined()]))
        for scalar in shown.unicodeScalars where scalar != "\n" && scalar != "\t" {
            #expect(scalar.properties.generalCategory != .control)
        }
    }

    @Test func `a title is one line`() { #expect(HarmlessText.line("a\nb\tc\u{1B}") == "a b c␛") }
}
