import BenchCore
import Testing

@Suite struct PieceStampTests {
    private func text(_ indices: [Int], size: Int = 5, at time: Int64 = 0) -> [UInt8] {
        indices.flatMap { index in
            var piece = [UInt8](repeating: UInt8(ascii: "."), count: size)
            PieceStamp(index: index, nanoseconds: time).write(into: &piece, at: 0)
            return piece
        }
    }

    private func tally(_ text: [UInt8], pieceSize: Int = 5, cut: Int = .max) -> AnswerTally {
        var tally = AnswerTally(pieceSize: pieceSize)
        var start = 0
        while start < text.count {
            let end = min(text.count, start + min(cut, text.count))
            tally.feed(text[start..<end], now: 0) { _ in }
            start = end
        }
        return tally
    }

    @Test(arguments: [Int64(0), 19_999, 5_000_000_000, 166_000_000_000])
    func `tells an age to within one step`(age: Int64) {
        let sent: Int64 = 777_777_777_777
        var seen: Int64 = -1
        var tally = AnswerTally(pieceSize: 5)
        tally.feed(text([3], at: sent)[...], now: sent + age) { seen = $0 }
        #expect(abs(seen - age) <= 20_000)
    }

    @Test(arguments: [1, 2, 3, 7, 1000]) func `counts the same whatever the cut`(cut: Int) {
        let tally = tally(text(Array(0..<200), size: 9), pieceSize: 9, cut: cut)
        #expect(tally.pieces == 200 && tally.lost == 0 && tally.repeated == 0 && tally.foreign == 0)
    }

    @Test func `sees a loss and a repeat, each once`() {
        let lost = tally(text([0, 1, 4, 5]))
        #expect(lost.lost == 2 && lost.repeated == 0)
        let repeated = tally(text([0, 1, 2, 1, 2, 3]))
        #expect(repeated.repeated == 2 && repeated.lost == 0)
    }

    @Test func `sees text that is not the upstream's`() {
        #expect(tally(Array("Hello".utf8) + text([1])).foreign == 0)
        #expect(tally(Array("He lo".utf8)).foreign == 1)
    }
}
