/// Random numbers that a seed repeats (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

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
