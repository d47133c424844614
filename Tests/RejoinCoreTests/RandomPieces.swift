import SeededRandom

extension Collection where Element == UInt8 {
    /// Cuts the bytes at random places into pieces, some of them empty.
    func randomPieces(using generator: inout SeededGenerator) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var rest = Array(self)[...]
        while !rest.isEmpty {
            let count = Int.random(in: 0...Swift.min(rest.count, 9), using: &generator)
            pieces.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return pieces
    }
}

extension String {
    /// Text with all that makes text hard: several bytes to a character, marks, joiners, right-to-left, controls.
    static func random(upTo count: Int, using generator: inout SeededGenerator) -> String {
        let samples = [
            "a", "é", "e\u{301}", "\"", "\\", "\n", "\r", "\t", "\u{0}", "\u{1F}", "\u{7F}", "ש", "漢", "👩‍👩‍👧", "🏳️‍🌈",
            "\u{FEFF}",
            "\u{2028}", " ", "{", ":",
        ]
        var text = ""
        for _ in 0..<Int.random(in: 0...count, using: &generator) {
            text += samples.randomElement(using: &generator) ?? ""
        }
        return text
    }
}
