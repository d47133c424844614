import RejoinMarkdown
import Testing

/// What a person sees while a text comes in.
@Suite struct PrefixTests {
    private func shown(_ text: String) -> String {
        var stream = MarkdownStream()
        for byte in text.utf8 { _ = stream.append([byte]) }
        var writer = HTMLWriter()
        return String(decoding: writer.html(of: stream), as: UTF8.self)
    }

    private func text(_ prefix: String) -> String { Page(Array(shown(prefix).utf8)).text }

    @Test(arguments: [
        ("**bo", "<strong>bo</strong>"), ("a *b", "<em>b</em>"), ("**bold*", "<strong>bold</strong>"),
        ("~~de", "<del>de</del>"),
        ("`cod", "<code dir=\"ltr\">cod</code>"), ("***b", "<em><strong>b</strong></em>"), ("# He", "<h1"),
        ("- on", "<ul"),
        ("```py\npri", "<pre"), ("| a | b", "<table"), ("| a | b |\n|--", "<table"),
        ("| a |\n|---|\n| **c", "<strong>c</strong>"),
        ("$$\nx", "class=\"math\""), ("> [!NOTE]\n> a", "data-alert=\"note\""), ("- [x] d", "checked"),
    ])
    func `half a thing is shown as what it will be`(text: String, part: String) {
        #expect(shown(text).contains(part), "\(shown(text))")
    }

    @Test(arguments: [
        ("**bo", "bo"), ("**", ""), ("a **", "a "), ("x [te", "x te"), ("x [text", "x text"), ("x [text]", "x text"),
        ("x [text](", "x text"), ("x [text](http://a", "x text"), ("x [text](http://a \"ti", "x text"), ("![al", "al"),
        ("![alt](htt", "alt"), ("#", ""), ("##", ""), ("-", ""), ("- ", ""), ("1", ""), ("1.", ""), ("``", ""),
        ("```", ""),
        ("a\n-", "a"), ("a\n---", "a"), ("a\n==", "a"), ("> ", ""), ("[ref]: htt", ""), ("[ref]: http://a 'b", ""),
        ("a &am", "a "), ("a \\", "a "), ("a <htt", "a "), ("a <http://b", "a http://b"), ("[^1", ""), ("a[^1", "a"),
        ("- [", ""), ("- [ ", ""), ("- [x]", ""), ("> [!NO", ""), ("```\na\n``", "a\n"), ("```\na\n```", "a\n"),
        ("2 * 3", "2 * 3"), ("5*3 is", "5*3 is"), ("| a |\n|", "a"), ("snake_case", "snake_case"), ("a\n*", "a"),
    ])
    func `no mark flashes as text`(prefix: String, wanted: String) {
        #expect(text(prefix) == wanted)
    }

    @Test("A65 the text that is shown only grows while an answer comes in")
    func growing() {
        let answer =
            "Here is **bold**, *em*, ~~gone~~, `code`, [a link](https://example.com \"t\") and ***both***.\n"
            + "And **more *nested* text**, see [this][ref] too.\n\n- one **b**\n- two\n\n1. x\n2. y\n\n```swift\nlet a = 1\n```\n\n"
            + "| A | B |\n|---|---|\n| **c** | d |\n\nThe end.\n"
        let whole = text(answer + "\n[ref]: https://r.example\n\n")
        var stream = MarkdownStream()
        _ = stream.append("[ref]: https://r.example\n\n")
        var longest = 0
        for (count, byte) in answer.utf8.enumerated() {
            _ = stream.append([byte])
            var writer = HTMLWriter()
            let now = Page(writer.html(of: stream)).text
            #expect(
                whole.hasPrefix(now.trimmingSuffix { $0 == " " || $0 == "\n" }),
                "after \(count): \(now.suffix(40).debugDescription)")
            // A mark that may close something takes at most a few characters back.
            #expect(now.count >= longest - 2, "after \(count): \(now.suffix(40).debugDescription)")
            longest = max(longest, now.count)
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(while condition: (Character) -> Bool) -> String {
        var end = endIndex
        while end > startIndex, condition(self[index(before: end)]) { end = index(before: end) }
        return String(self[..<end])
    }
}
