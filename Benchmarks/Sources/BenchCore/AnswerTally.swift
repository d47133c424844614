/// Checks the pieces of one answer: each once, in order, none missing.
package struct AnswerTally: Sendable {
    /// Pieces that arrived whole.
    package private(set) var pieces = 0
    /// Pieces that were skipped over.
    package private(set) var lost = 0
    /// Pieces that came again.
    package private(set) var repeated = 0
    /// Pieces that are none of the upstream's.
    package private(set) var foreign = 0
    /// Bytes of text so far.
    package private(set) var size = 0
    private let pieceSize: Int
    private var packed: Int64 = 0
    private var place = 0

    /// An answer without text.
    ///
    /// - Parameter pieceSize: bytes of each piece.
    package init(pieceSize: Int) { self.pieceSize = max(pieceSize, PieceStamp.size) }

    /// Takes the next text, however the pieces in it were cut or joined, and tells how old each whole piece is.
    package mutating func feed(_ text: ArraySlice<UInt8>, now: Int64, _ age: (Int64) -> Void) {
        size += text.count
        for character in text {
            if place < PieceStamp.size { packed = PieceStamp.packed(packed, character) }
            place += 1
            if place == pieceSize {
                count(now: now, age)
                packed = 0
                place = 0
            }
        }
    }

    private mutating func count(now: Int64, _ age: (Int64) -> Void) {
        guard let stamp = PieceStamp(packed: packed) else {
            foreign += 1
            return
        }
        // Numbers are known modulo 64: a step ahead of at most 31 is a loss, anything else came before.
        let step = (stamp.index - (pieces + lost - repeated)) & 63
        if step < 32 { lost += step } else { repeated += 1 }
        pieces += 1
        age(stamp.age(at: now))
    }
}
