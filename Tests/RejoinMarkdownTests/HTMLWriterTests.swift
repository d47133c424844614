import RejoinMarkdown
import SeededRandom
import Testing

@Suite struct HTMLWriterTests {
    private func html(_ text: String) -> String {
        var stream = MarkdownStream()
        _ = stream.append(text)
        _ = stream.finish()
        var writer = HTMLWriter()
        return String(decoding: writer.html(of: stream), as: UTF8.self)
    }

    private static let elements: Set<String> = [
        "p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "div", "span", "ul", "ol", "li", "input", "pre", "code",
        "hr",
        "br", "table", "tbody", "tr", "th", "td", "em", "strong", "del", "a", "sup", "button",
    ]
    private static let attributes: Set<String> = [
        "class", "dir", "data-block", "data-inside", "data-language", "data-alert", "data-source", "role", "start",
        "type",
        "disabled", "checked", "scope", "href", "rel", "target", "title", "id",
    ]

    private func expectSafe(_ page: Page, _ text: String) {
        for element in page.elements where element !== page.root {
            #expect(Self.elements.contains(element.name), "\(element.name) from \(text.debugDescription)")
            for (name, value) in element.attributes {
                #expect(Self.attributes.contains(name), "\(name) from \(text.debugDescription)")
                if name == "href" || name == "data-source" {
                    let isAllowed =
                        value.hasPrefix("#footnote-")
                        || ["http://", "https://", "mailto:"].contains { value.lowercased().hasPrefix($0) }
                    #expect(isAllowed, "\(value) from \(text.debugDescription)")
                }
                if name == "type" { #expect(value == "button" || value == "checkbox") }
            }
        }
    }

    @Test(
        "S35 no script, no dangerous scheme and no picture by itself comes out, at any prefix",
        arguments: [
            "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a <svg/onload=alert(1)> b",
            "[a](javascript:alert(1))",
            "[a](JaVaScRiPt:alert(1))", "[a](&#106;avascript:alert(1))", "[a](java\tscript:alert(1))",
            "[a]( javascript:x)",
            "[a](<java\nscript:x>)", "[a](data:text/html,<script>)", "[a](vbscript:x)",
            "![a](https://evil.example/p.png)",
            "![a](data:image/svg+xml,x)", "<https://x.y\"onclick=a>", "[a][b]\n\n[b]: javascript:x",
            "<javascript:alert(1)>",
            "```\"><script>\nx\n```", "```js onload=\nx\n```", "[a](https://x.y \"t\\\" onclick=x\")",
            "[a](//evil.example)",
            "| <b onclick=x> |\n|---|\n| <script> |", "[^<x>]\n\n[^<x>]: <img src=x>", "<style>*{}</style>",
            "![a][b]\n\n[b]: javascript:x",
            "[a](file:///etc/passwd)", "[a](/relative)", "[a](#top)", "www.<script>.com", "http://x.y/\"><script>",
            "a\u{202E}b `c\u{2066}d`",
            "<a href=\"javascript:x\">y</a>", "<iframe src=//x>", "- <details open ontoggle=x>", "> <base href=//x>",
            "[x](mailto:)", "[x](http://)",
        ])
    func safe(text: String) {
        var stream = MarkdownStream()
        var writer = HTMLWriter()
        let page = Page()
        for byte in text.utf8 {
            for patch in writer.patches(for: stream.append([byte]), in: stream) { page.apply(patch) }
            expectSafe(page, text)
        }
        for patch in writer.patches(for: stream.finish(), in: stream) { page.apply(patch) }
        expectSafe(page, text)
        #expect(
            !page.text.unicodeScalars.contains {
                (0x202A...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value)
            })
    }

    @Test("S35 random texts come out safe, and patch for patch as at once")
    func patched() {
        var generator = SeededGenerator(seed: 7)
        let texts = Corpus.all + (0..<600).map { _ in Corpus.random(30, using: &generator) }
        for text in texts {
            var stream = MarkdownStream()
            var writer = HTMLWriter()
            let page = Page()
            for piece in Corpus.cut(text, longest: 9, using: &generator) {
                for patch in writer.patches(for: stream.append(piece), in: stream) { page.apply(patch) }
                var other = HTMLWriter()
                #expect(page.html == Page(other.html(of: stream)).html, "\(text.debugDescription)")
            }
            for patch in writer.patches(for: stream.finish(), in: stream) { page.apply(patch) }
            var other = HTMLWriter()
            let whole = Page(other.html(of: stream))
            #expect(page.html == whole.html, "\(text.debugDescription)")
            #expect(page.missing.isEmpty, "\(page.missing) \(text.debugDescription)")
            expectSafe(whole, text)
        }
    }

    @Test func `a paragraph has the direction of its first strong character, code goes from left to right`() {
        #expect(html("مرحبا abc").contains("<p dir=\"rtl\""))
        #expect(html("1. שלום").contains("<p dir=\"rtl\""))
        #expect(html("abc مرحبا").contains("<p dir=\"ltr\""))
        #expect(html("123 …").contains("<p data-block"))
        #expect(html("`x` مرحبا").contains("<code dir=\"ltr\""))
        #expect(html("```\nمرحبا\n```").contains("<pre dir=\"ltr\""))
    }

    @Test func `a picture is a button, inside a link only its description`() {
        #expect(
            html("![a *b*](https://x.y/p.png)").contains(
                "<button type=\"button\" class=\"image\" data-source=\"https://x.y/p.png\">a b</button>"))
        #expect(html("[![a](https://x.y/p.png)](https://z.w)").contains("<span class=\"image\">a</span></a>"))
    }

    @Test func `a long address that is named often does not make much of little`() {
        let text =
            String(repeating: "[a] ", count: 20_000) + "\n\n[a]: https://x.y/" + String(repeating: "b", count: 20_000)
        #expect(html(text).utf8.count < 2_000_000)
    }

    @Test func `code that grows is told line by line`() {
        var stream = MarkdownStream()
        _ = stream.append("```swift\nlet a = 1\nlet b")
        let change = stream.append(" = 2\nlet c")
        #expect(change.extended == [MarkdownChange.ExtendedBlock(id: 1, kept: 1)])
        #expect(change.changed.isEmpty && change.replaced.isEmpty)
        var writer = HTMLWriter()
        let patches = writer.patches(for: stream.append("\n/* x"), in: stream)
        #expect(
            patches == [
                .lines(
                    1, kept: 3,
                    html: Array(
                        "<span class=\"line\"><span class=\"comment\">/* x</span>\n</span>"
                            .utf8))
            ])
    }
}
