import RejoinCore
import SeededRandom
import Testing

@Suite struct GrowingTextTests {
    /// Pieces that join what stands before them as often as not.
    static let atoms = [
        "e", "\u{301}", "👩", "\u{200D}", "👧", "🇩", "🇪", "\r", "\n", " ", "word ", "한", "\u{1161}", "天", "🏽", "",
        String(repeating: "a long piece ", count: 40), String(repeating: "🇩🇪", count: 90),
    ]

    static func pieces(seed: UInt64, count: Int = 300) -> [String] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in atoms.randomElement(using: &generator) ?? "" }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `pieces make the text that they make joined`(seed: UInt64) {
        var text = GrowingText()
        var whole = ""
        for piece in Self.pieces(seed: seed) {
            text.append(piece)
            whole += piece
        }
        #expect(text.string.utf8.elementsEqual(whole.utf8))
        #expect(text.utf8Count == whole.utf8.count)
        #expect(text.isEmpty == whole.isEmpty)
        #expect(text == GrowingText(whole), "however it is cut")
        #expect(text != GrowingText(whole + "."))
        #expect(text.chunks.allSatisfy { !$0.isEmpty })
        #expect(text.chunks.flatMap { Array($0) } == Array(whole), "every chunk begins with a whole character")
        #expect(text.withoutLastCharacter.string == String(whole.dropLast()))
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `every earlier state is a beginning, and the rest is what came since`(seed: UInt64) {
        var states = [GrowingText()]
        for piece in Self.pieces(seed: seed) {
            var next = states[states.count - 1]
            next.append(piece)
            states.append(next)
        }
        let last = states[states.count - 1]
        let whole = last.string
        for state in states {
            #expect(last.begins(with: state))
            #expect(state.begins(with: last) == (state == last))
            #expect(last.begins(with: GrowingText(state.string)), "also where it was cut otherwise")
            #expect(state.string + (last.rest(after: state.utf8Count) ?? "?") == whole)
            var other = state
            other.append("§")
            #expect(!last.begins(with: other))
        }
        #expect(last.rest(after: last.utf8Count) == "")
        #expect(last.rest(after: last.utf8Count + 1) == nil)
        #expect(last.rest(after: -1) == nil)
    }

    @Test func `letters that only look the same are not the same text`() {
        #expect(GrowingText("é") != GrowingText("e\u{301}"))
    }

    /// Where the bytes of chunks lie: a chunk at the same place was not copied.
    private static func places(_ answer: Answer) -> [Int: Int] {
        var places: [Int: Int] = [:]
        for case .text(let text) in answer.parts {
            for chunk in text.chunks {
                chunk.utf8.withContiguousStorageIfAvailable { bytes in
                    if let start = bytes.baseAddress { places[Int(bitPattern: start)] = bytes.count }
                }
            }
        }
        return places
    }

    /// Bytes that a piece had copied, while somebody holds the answer as it was before it: the most, and in the middle.
    private static func copied(at length: Int) -> (most: Int, mean: Int) {
        var answer = AnswerTests.fresh
        while answer.words.utf8Count < length {
            answer.apply(NumberedEvent(seq: answer.seq + 1, event: .text("words that fill it ")))
        }
        var all: [Int] = []
        for _ in 0..<600 {
            let shown = answer
            answer.apply(NumberedEvent(seq: answer.seq + 1, event: .text("a piece ")))
            let held = places(shown)
            all.append(places(answer).filter { held[$0.key] == nil }.values.reduce(0, +))
        }
        return (all.max() ?? 0, all.reduce(0, +) / all.count)
    }

    @Test("A67 a piece copies as much of an answer of 200 KB, which somebody holds, as of one of 2 KB")
    func work() {
        let (short, long) = (Self.copied(at: 2_000), Self.copied(at: 200_000))
        #expect(long.mean <= short.mean * 3 / 2, "\(short) at 2 KB, \(long) at 200 KB")
        #expect(long.most <= 2 * GrowingText.chunkBytes)
        #expect(short.mean > 0, "what is counted is seen at all")
    }
}
