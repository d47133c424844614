import Foundation
import RejoinMarkdown
import SeededRandom
import Testing

/// The extensions against GitHub's own program, which speaks an older CommonMark: what changed since is left out.
@Suite(
    .enabled(if: Python.path != nil && Examples.path != nil, "REJOIN_TEST_PYTHON names no interpreter with cmarkgfm."))
struct GitHubTests {
    private static let extensions: MarkdownExtensions = [
        .tables, .taskLists, .strikethrough, .autolinks, .footnotes,
    ]

    private static let handMade = [
        "| a | b |\n|---|---|\n| c | d |\n", "a | b\n-|-\nc\n", "| a |\n|:-:|\n| `\\|` |\n| \\| |\n",
        "| a | b |\n|--|\n",
        "| a | b |\n|--|--|\n| c | d | e |\n| f |\n", "text\n| a | b |\n|--|--|\n| c | d |\n\nafter\n",
        "| a |\n|---|\n| b |\n> quote\n", "| a |\n|---|\n- b\n", "| a |\n|---|\nb\n\nc\n",
        "- | a |\n  |---|\n  | b |\n",
        "> | a |\n> |---|\n> | b |\n", "| a | b |\n|:--|--:|\n|  | d |\n", "|a|b|\n|-|-|\n|**c**|~~d~~|\n",
        "~~a~~ ~b~ ~~~c~~~ ~~d~\n", "a~~b~~c ~~ d ~~\n", "~~a *b~~ c*\n",
        "- [ ] a\n- [x] b\n- [X] c\n- [] d\n- [ ]e\n- [ ]\n",
        "1. [ ] a\n2. [x] b\n", "- [ ] a\n  - [x] b\n\n  c\n", "www.a.com www.a.com/b_c) (www.a.com/b) www.a_b.com\n",
        "http://a.b https://a.b/c?d=e&f http://a.b/c&amp; http://a.b/(c)) http://a.b.\n",
        "a@b.c a.b-c_d@e.f. a@b.c- a@b_c.d\n",
        "**http://a.b/c** _www.a.com_ ~~http://a.b~~\n", "[www.a.com](http://b.c) `www.a.com` <www.a.com>\n",
        "xhttp://a.b ahttp://a.b ftp://a.b/c http://a http://\n", "http://a.b/c'd\"e http://a.b<c\n",
        "a[^1] b[^x]\n\n[^1]: one\n\n    two\n[^x]: three\n", ").https://f.gh_\n", "~a ~~b \\~~c~~\n",
        "a\n|--|--|\n|--|--|\n", "- [ ] \nb\n", "a[^none] [^1]\n\n[^1]: x\n", "[^1]: unused\n\na\n",
    ]

    /// Without what GitHub's program does otherwise than its rules say: addresses behind an open bracket, tasks whose line
    /// begins with other marks, marks beside tildes.
    private static let pieces = [
        "a", "b ", "|", " | ", "\n", "\n", "|---|---|\n", "| a | b |\n", "| c | `d` |\n", "-|-\n", ":-:", "~", "~~",
        "~~a~~",
        "*", "**", "`", "- [ ] ", "- [x] a\n", "www.a.com", "http://b.cd/e", "https://f.gh", "(", ")", ".", " x@y.za ",
        "\n\n", "(u)", "!", "  ",
    ]

    /// Leaves out the text of footnotes and what only links them to and fro.
    private static func plain(_ html: String) -> String {
        html.replacing(/<section class="footnotes"[\s\S]*/, with: "")
            .replacing(/<sup class="footnote-ref">(?:<a[^>]*>)?(\d+)(?:<\/a>)?<\/sup>/) { "<sup>\($0.output.1)</sup>" }
            .replacing("'", with: "&#x27;").replacing("&#x27;", with: "'")
    }

    @Test func `tables, tasks, strikes, addresses and footnotes come out as GitHub has them`() throws {
        var generator = SeededGenerator(seed: 41)
        var texts = Self.handMade
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 1...14, using: &generator)).map { _ in
                Self.pieces.randomElement(using: &generator) ?? ""
            }.joined()
            // GitHub's program looks through tildes for what stands beside a star, and keeps blanks before lines in code.
            if !text.contains("~*"), !text.contains("*~"), !text.contains("\n ") { texts.append(text) }
        }
        let output = try Python.run("cmarkgfm_html.py", input: try JSONEncoder().encode(texts))
        let wanted = try JSONDecoder().decode([String].self, from: output)
        var wrong: [String] = []
        for (number, (text, html)) in zip(texts, wanted).enumerated() {
            var ours = Self.plain(ReferenceWriter.html(of: text, extensions: Self.extensions))
            var theirs = Self.plain(html)
            if number >= Self.handMade.count {
                // It takes a task for done where a mark of one that is done stands anywhere on the line.
                ours.replace(" checked=\"\"", with: "")
                theirs.replace(" checked=\"\"", with: "")
            }
            if ours != theirs {
                wrong.append("\(text.debugDescription)\n--- wanted\n\(theirs)--- got\n\(ours)")
            }
        }
        #expect(wanted.count == texts.count)
        #expect(
            wrong.isEmpty, "\(wrong.count) of \(texts.count) wrong\n\(wrong.prefix(30).joined(separator: "\n=====\n"))")
    }
}
