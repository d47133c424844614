import RejoinMarkdown
import SeededRandom

/// Texts to try things with.
enum Corpus {
    /// What models write, with every kind of block in it.
    static let answer = """
        # A short *answer*

        Here is **bold**, *emphasis*, ~~struck~~, `code` and [a link](https://example.com/a "title").
        It goes on here; see also https://example.com/b_c and <https://example.com>.

        - one
        - two with **bold text**
          - inner `code`
          - inner again
        - three

        1. first

        2. second
           with more

        ```swift
        let a = "text" // comment
        /* over
           lines */ func b() -> Int { 1 }
        ```

        | Name | Value |
        |:-----|------:|
        | a    | **1** |
        | b \\| c | `2` |

        > [!NOTE]
        > Look at this.

        > A quote
        > that goes on
        and is lazy.

        - [ ] to do
        - [x] done

        The sum is $a + b$ and

        $$
        \\sum_i x_i
        $$

        A footnote[^1] and a [reference][ref], and ![a picture](https://example.com/p.png).

        Heading two
        -----------

        [ref]: https://example.com/ref "there"
        [^1]: What it says.

        ***

            indented code

            goes on

        مرحبا بالعالم and so on.

        The end, with <b>raw</b> HTML.

        <div>
        block
        </div>

        """

    /// Pieces of which random texts are made: all that means something, and some that does not.
    static let pieces = [
        "a", "word ", "two words", "\n", "\n", "\n\n", " ", "  ", "    ", "\t", "- ", "* ", "+ ", "1. ", "2) ", "10. ",
        "> ", ">", "# ", "## ", "#", "---", "***", "===", "```", "```\n", "~~~", "`", "``", "*", "**", "***", "_", "__",
        "~~", "~", "[", "]", "(", ")", "](", "](/u)", "![", "[a]", "[a]: /u\n", "[b]: <x y> 'tt'\n", "[^1]",
        "[^1]: n\n",
        "<", ">", "<b>", "</b>", "<div>\n", "<!--", "-->", "<http://x.y>", "http://x.yz/a_b", "www.a.bc", "m@n.op",
        "&amp;",
        "&#35;", "&", "\\", "\\*", "| a | b |\n", "|---|:-:|\n", "| c | d |\n", "|", "-|-\n", "- [ ] ", "- [x] t\n",
        "[!NOTE]\n", "> [!TIP]\n", "$", "$$", "$$\n", "\\(", "\\)", "\\[\n", "\\]\n", "é", "漢字", "مر", "\u{A0}", "😀",
        "\r\n",
        "\r", "\u{0}", "\"", "'", "(\"t\")", "!", ":", ".", "x=y",
    ]

    static func random(_ count: Int, using generator: inout SeededGenerator) -> String {
        (0..<count).reduce(into: "") { text, _ in text += pieces.randomElement(using: &generator) ?? "" }
    }

    /// Cuts bytes into pieces of random sizes, characters cut too.
    static func cut(_ text: String, longest: Int, using generator: inout SeededGenerator) -> [ArraySlice<UInt8>] {
        let bytes = Array(text.utf8)
        var pieces: [ArraySlice<UInt8>] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + Int.random(in: 1...longest, using: &generator))
            pieces.append(bytes[start..<end])
            start = end
        }
        return pieces
    }

    static var all: [String] { Examples.all.map(\.markdown) + [answer] }
}
