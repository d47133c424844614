import RejoinAssist
import SeededRandom
import Testing

@Suite struct WordDiffTests {
    private func shown(_ before: String, _ after: String) -> String {
        WordDiff(before: before, after: after).parts.map { part in
            switch part.kind {
            case .same: part.text
            case .removed: "[-\(part.text)-]"
            case .added: "{+\(part.text)+}"
            }
        }.joined()
    }

    private func holds(_ before: String, _ after: String) -> Bool {
        let parts = WordDiff(before: before, after: after).parts
        func joined(without kind: WordDiff.Part.Kind) -> String {
            parts.filter { $0.kind != kind }.map(\.text).joined()
        }
        return Array(joined(without: .added).utf8) == Array(before.utf8)
            && Array(joined(without: .removed).utf8) == Array(after.utf8) && parts.allSatisfy { !$0.text.isEmpty }
    }

    @Test func `a changed word is shown as one change, and words that follow each other as one`() {
        #expect(shown("the big house", "the small house") == "the [-big-]{+small+} house")
        #expect(shown("the big old house", "the small new house") == "the [-big old-]{+small new+} house")
        #expect(shown("send it", "send it, please") == "send it{+, please+}")
        #expect(shown("same", "same") == "same")
        #expect(shown("", "new text") == "{+new text+}")
        #expect(shown("old", "") == "[-old-]")
        #expect(shown("", "") == "")
    }

    @Test("R48 the parts of a difference join to both texts, byte for byte")
    func joins() {
        var generator = SeededGenerator(seed: 48)
        let samples = ["a", "b", "word", " ", "  ", "\n", ",", ".", "é", "e\u{301}", "👩‍👩‍👧", "\r\n", "שלום", "x1"]
        func text(_ count: Int) -> String {
            (0..<Int.random(in: 0...count, using: &generator)).map { _ in samples.randomElement(using: &generator) ?? ""
            }
            .joined()
        }
        for _ in 0..<4000 {
            let before = text(24)
            let after = text(24)
            #expect(holds(before, after), "\(before.debugDescription) \(after.debugDescription)")
        }
        for _ in 0..<30 { #expect(holds(text(3000), text(3000))) }
    }

    @Test func `as few words change as can`() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<1500 {
            let before = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
                ["x", "y", "z"].randomElement(using: &generator) ?? ""
            }
            let after = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
                ["x", "y", "z"].randomElement(using: &generator) ?? ""
            }
            // The longest common subsequence by the textbook's table.
            var table = Array(repeating: Array(repeating: 0, count: after.count + 1), count: before.count + 1)
            for (i, left) in before.enumerated() {
                for (j, right) in after.enumerated() {
                    table[i + 1][j + 1] = left == right ? table[i][j] + 1 : max(table[i][j + 1], table[i + 1][j])
                }
            }
            // Marks are words of their own and no white space is between them.
            let marks = ["x": "#", "y": "+", "z": "."]
            let diff = WordDiff(
                before: before.compactMap { marks[$0] }.joined(), after: after.compactMap { marks[$0] }.joined())
            let kept = diff.parts.filter { $0.kind == .same }.reduce(0) { $0 + $1.text.count }
            #expect(kept == table[before.count][after.count])
        }
    }

    @Test("R48 long texts are compared in a bounded time, however different they are")
    func long() {
        var generator = SeededGenerator(seed: 10)
        // Without optimisation everything takes some fifty times as long.
        #if DEBUG
        let length = 1000
        let bound = Duration.seconds(5)
        #else
        let length = 10_000
        let bound = Duration.milliseconds(150)
        #endif
        func words(of kinds: Int) -> [String] {
            (0..<length).map { _ in "w\(Int.random(in: 0..<kinds, using: &generator))" }
        }
        let original = words(of: 3000)
        var edited = original
        for index in stride(from: 0, to: edited.count, by: 9) { edited[index] = "changed" }
        let pairs: [(String, [String], [String])] = [
            ("edited", original, edited), ("unrelated", words(of: 3000), words(of: 3000)),
            ("two words", words(of: 2), words(of: 2)),
            ("nothing shared", original, original.map { $0 + "x" }),
            ("reversed", original, original.reversed()), ("shuffled", original, original.shuffled(using: &generator)),
            (
                "all unique, shuffled", (0..<length).map { "u\($0)" },
                (0..<length).map { "u\($0)" }.shuffled(using: &generator)
            ),
        ]
        for (name, before, after) in pairs {
            let (before, after) = (before.joined(separator: " "), after.joined(separator: " "))
            let time = ContinuousClock().measure { _ = WordDiff(before: before, after: after) }
            print("word difference, \(name): \(time)")
            #expect(time < bound, "\(name)")
            #expect(holds(before, after), "\(name)")
        }
    }
}
