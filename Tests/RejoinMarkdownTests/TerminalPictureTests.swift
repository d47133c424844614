import RejoinMarkdown
import SeededRandom
import Testing

@Suite struct TerminalPictureTests {
    private func makePicture(_ width: Int) -> TerminalPicture {
        TerminalPicture(width: width, alertName: { "\($0)" }) { character in
            guard let value = character.unicodeScalars.first?.value else { return 0 }
            return value >= 0x1100 && value < 0x1F000 && !(0x2000...0x2BFF).contains(value) ? 2 : 1
        }
    }

    private func lines(_ text: String, width: Int = 40) -> [String] {
        var stream = MarkdownStream()
        var picture = makePicture(width)
        picture.apply(stream.append(text), of: stream)
        picture.apply(stream.finish(), of: stream)
        return picture.lines.map(\.text)
    }

    @Test func `lays out blocks with their marks`() {
        #expect(
            lines("# T\n\na b\n\n- x\n- y\n  - z\n\n1. p\n\n2. q\n\n> quote\n> more\n\n---\n", width: 20) == [
                "T", "", "a b", "", "• x", "• y", "  • z", "", "1. p", "", "2. q", "", "│ quote more", "",
                String(repeating: "─", count: 20),
            ])
        #expect(lines("- [ ] a\n- [x] b\n") == ["☐ a", "☑ b"])
        #expect(lines("> [!TIP]\n> do it\n") == ["│ tip", "│ do it"])
        #expect(lines("- a\n\n      code\n") == ["• a", "", "  code"])
    }

    @Test func `breaks lines by display width`() {
        #expect(lines("one two three four", width: 9) == ["one two", "three", "four"])
        #expect(lines("漢字漢字漢字", width: 8) == ["漢字漢字", "漢字"])
        #expect(lines("abcdefghijkl", width: 8) == ["abcdefgh", "ijkl"])
        #expect(lines("a  \nb", width: 8) == ["a", "b"])
        #expect(lines("```\nabcdefghijkl\n```", width: 8) == ["abcdefgh", "ijkl"])
    }

    @Test func `tables fit, fold, or stand one cell below the other`() {
        let table = "| Name | Value |\n|:-----|------:|\n| a | 1 |\n| long name | 22 |\n"
        #expect(lines(table) == ["Name      │ Value", "──────────┼──────", "a         │     1", "long name │    22"])
        let folded = lines("| A | B |\n|---|---|\n| some words here | other words there |\n", width: 24)
        #expect(folded.count > 3)
        #expect(folded.allSatisfy { $0.count <= 24 })
        let stacked = lines(
            "| A | B | C | D |\n|---|---|---|---|\n| aaaaaaaaaa | bbbbbbbbbb | cccccccccc | dddddddddd |\n", width: 16)
        #expect(stacked.contains("A: aaaaaaaaaa") && stacked.contains("D: dddddddddd"))
    }

    @Test func `says what text means, and where links go`() {
        var stream = MarkdownStream()
        var picture = makePicture(80)
        picture.apply(
            stream.append("**b** `c` [l](https://x.y) [m](javascript:z)\n\n```swift\nlet a\n```\n"), of: stream)
        let runs = picture.lines.flatMap(\.runs)
        #expect(runs.contains { $0.text == "b" && $0.style == .strong })
        #expect(runs.contains { $0.text == "c" && $0.style == .code })
        #expect(runs.contains { $0.text == "l" && $0.style == .link && $0.link == "https://x.y" })
        #expect(!runs.contains { $0.link?.contains("javascript") == true })
        #expect(runs.contains { $0.text == "let" && $0.style == [.code, .block] && $0.role == .keyword })
    }

    @Test func `control characters do not reach the terminal`() {
        for line in lines("a\u{1B}[31mb `c\u{9B}d` \u{202E}e\n\n```\n\u{1B}]0;x\u{07}\n```\n") {
            #expect(
                !line.unicodeScalars.contains {
                    $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) || $0.value == 0x202E
                })
        }
    }

    @Test func `pieces leave the same lines as the whole, and only what changed is drawn again`() {
        var generator = SeededGenerator(seed: 11)
        let texts = Corpus.all + (0..<400).map { _ in Corpus.random(30, using: &generator) }
        for text in texts {
            for width in [12, 40] {
                var stream = MarkdownStream()
                var picture = makePicture(width)
                var shown: [StyledLine] = []
                for piece in Corpus.cut(text, longest: 9, using: &generator) {
                    let first = picture.apply(stream.append(piece), of: stream)
                    #expect(shown.prefix(first) == picture.lines.prefix(first), "\(text.debugDescription)")
                    shown = picture.lines
                }
                picture.apply(stream.finish(), of: stream)
                #expect(picture.lines.map(\.text) == lines(text, width: width), "\(text.debugDescription)")
            }
        }
    }
}
