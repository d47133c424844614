import SeededRandom
import Testing

@testable import RejoinMarkdown

/// Twice the text takes twice the steps, whatever the text; counted, not timed.
@Suite struct GrowthTests {
    private static let hostile: [(String, @Sendable (Int) -> String)] = [
        ("nested emphasis", { String(repeating: "*a **a ", count: $0) }),
        ("closing marks", { String(repeating: "a_ ", count: $0) }),
        ("marks of three", { String(repeating: "a***b* c*", count: $0) }),
        ("open brackets", { String(repeating: "[", count: $0) + "a" }),
        ("brackets in brackets", { String(repeating: "[", count: $0) + "a" + String(repeating: "]", count: $0) }),
        ("links in open brackets", { String(repeating: "[", count: $0) + String(repeating: "[a](b)", count: $0) }),
        ("half links", { String(repeating: "[a](<b", count: $0) }),
        ("half titles", { String(repeating: "[a](b \"c", count: $0) }),
        ("parentheses", { String(repeating: "[a](((", count: $0) }),
        (
            "backticks of all lengths",
            { (1...max(2, Int(Double($0).squareRoot()))).map { String(repeating: "`", count: $0) + "a" }.joined() }
        ),
        ("half comments", { String(repeating: "<!-- a ", count: $0) }),
        ("half instructions", { String(repeating: "<? a ", count: $0) }),
        ("half declarations", { String(repeating: "<!A ", count: $0) }),
        ("half tags", { String(repeating: "<a b=\"c ", count: $0) }),
        ("entities", { String(repeating: "&amp", count: $0) }),
        ("addresses", { String(repeating: "_www._", count: $0) }),
        ("mail", { String(repeating: "a@", count: $0) }),
        ("formulas", { String(repeating: "$$a \\(b ", count: $0) }),
        ("quotes", { String(repeating: ">", count: $0) + "a" }),
        ("lists", { String(repeating: "- ", count: $0) + "a" + String(repeating: "\n", count: $0) }),
        ("bars", { String(repeating: "|", count: $0) + "\n" + String(repeating: "|-", count: $0) }),
        ("references", { String(repeating: "[a", count: $0) + "]" }),
        ("definitions", { String(repeating: "[a]: b\n", count: $0) }),
        (
            "named definitions",
            { (0..<$0).map { "[a\($0)] " }.joined() + "\n\n" + (0..<$0).map { "[a\($0)]: b\n" }.joined() }
        ),
        ("one long line", { String(repeating: "word ", count: $0) }),
        ("hyphens", { String(repeating: "-", count: $0) }),
        ("strikes", { String(repeating: "~~a ~b ", count: $0) }),
    ]

    private func steps(_ text: String) -> Int {
        var stream = MarkdownStream()
        _ = stream.append(text)
        _ = stream.finish()
        var steps = stream.parser.steps
        for id in 1..<stream.blockCount {
            guard let block = stream.block(id), block.kind == .paragraph || block.kind == .heading else { continue }
            var reader = InlineParser()
            _ = reader.read(
                stream.parser.text(of: block), extensions: .all, references: stream.parser.references, isOpen: false)
            steps += reader.steps
        }
        return steps
    }

    @Test(.timeLimit(.minutes(2))) func `hostile texts take steps in proportion to their length`() {
        for (name, make) in Self.hostile {
            let (small, large) = (steps(make(1000)), steps(make(8000)))
            #expect(large <= small * 12 + 2000, "\(name): \(small) steps, then \(large)")
        }
    }

    @Test(.timeLimit(.minutes(2))) func `hostile texts are read and written in no time to speak of`() {
        for (name, make) in Self.hostile {
            let unit = max(1, make(1000).utf8.count / 1000)
            let text = String(make(30_000 / unit).utf8.prefix(30_000)) ?? ""
            var stream = MarkdownStream()
            _ = stream.append(text)
            var writer = HTMLWriter()
            _ = writer.patches(for: stream.finish(), in: stream)
            #expect(stream.isFinished, "\(name)")
        }
    }

    @Test func `a piece costs what the tail costs, not what is settled`() {
        func cost(after settled: Int, _ unit: String, tail: String) -> Int {
            var stream = MarkdownStream()
            _ = stream.append(String(repeating: unit, count: settled))
            let before = stream.parser.steps
            var changes = 0
            for byte in tail.utf8 {
                let change = stream.append([byte])
                changes += change.added.count + change.changed.count + change.extended.count + change.removed.count
            }
            return stream.parser.steps - before + changes
        }
        for (unit, tail) in [
            ("A paragraph.\n\n", "More *text* here."), ("- item\n", "- more items\n- and more"),
            ("| a | b |\n", "| c | d |\n| e |"),
        ] {
            #expect(cost(after: 2000, unit, tail: tail) <= cost(after: 20, unit, tail: tail) + 4)
        }
        let fence = { (count: Int) in "```\n" + String(repeating: "line\n", count: count) }
        func fenceCost(_ count: Int) -> Int {
            var stream = MarkdownStream()
            _ = stream.append(fence(count))
            var lines = 0
            for byte in "some more\ncode\n".utf8 {
                for extended in stream.append([byte]).extended {
                    lines += stream.lineCount(of: extended.id) - extended.kept
                }
            }
            return lines
        }
        #expect(fenceCost(5000) == fenceCost(5))
    }

    @Test func `a very long line in small pieces is looked at a bounded number of times`() {
        for text in [
            String(repeating: "word ", count: 20_000), String(repeating: "a*", count: 40_000),
            String(repeating: "-", count: 80_000),
        ] {
            var stream = MarkdownStream()
            let bytes = Array(text.utf8)
            var shown = 0
            var position = 0
            while position < bytes.count {
                let end = min(position + 5, bytes.count)
                let change = stream.append(bytes[position..<end])
                if !change.isEmpty { shown += end }
                position = end
            }
            #expect(shown < bytes.count * 60)
        }
    }
}
