/// What an answer of the scripted upstream looks like; its model name says it, as in `bench-n128-r20-d200`.
///
/// A name travels unchanged through every peer, so no peer needs to know anything about the benchmark.
package struct Shape: Equatable, Sendable {
    /// Pieces in the answer.
    package var pieces = 128
    /// Pieces a second; 0 sends them all at once.
    package var rate = 20
    /// Milliseconds from the request to the first piece.
    package var delay = 200
    /// Bytes in a piece; a stamp needs five.
    package var bytes = PieceStamp.size
    /// Milliseconds from the last piece to the end of the answer.
    package var hold = 0

    /// The usual answer.
    package init() {}

    /// Reads `bench`, then any of `-n` pieces, `-r` rate, `-d` delay, `-b` bytes, `-h` hold; nil for anything else.
    package init?(model: some StringProtocol) {
        let parts = model.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.first == "bench" else { return nil }
        for part in parts.dropFirst() {
            guard let letter = part.first, let value = Int(part.dropFirst()), value >= 0, value <= 10_000_000 else {
                return nil
            }
            switch letter {
            case "n": pieces = value
            case "r": rate = value
            case "d": delay = value
            case "b": bytes = max(value, PieceStamp.size)
            case "h": hold = value
            default: return nil
            }
        }
    }

    /// Nanoseconds after the request at which a piece is due.
    package func due(of index: Int) -> Int64 {
        let first = Int64(delay) * 1_000_000
        return rate == 0 ? first : first + Int64(index) * 1_000_000_000 / Int64(rate)
    }
}
