/// Makes ids as the protocol asks for them: UUIDs of version 7, lower case.
package struct IdentifierSource: Sendable {
    private var state: UInt64
    private static let digits = Array("0123456789abcdef".utf8)

    /// Starts a sequence.
    ///
    /// - Parameter seed: sequences of different runs over one store need different ones.
    package init(seed: UInt64) { state = seed }

    /// The next random number of the sequence (SplitMix64).
    package mutating func random() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A random number in `range`.
    package mutating func random(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(random() % UInt64(range.count))
    }

    /// A new id, made at `wall` nanoseconds since 1970.
    package mutating func next(wall: Int64) -> String {
        let high = UInt64(wall / 1_000_000) << 16 | 0x7000 | random() & 0x0FFF
        let low = 0x8000_0000_0000_0000 | random() & 0x3FFF_FFFF_FFFF_FFFF
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for nibble in 0..<32 {
            if [8, 12, 16, 20].contains(nibble) { text.append(UInt8(ascii: "-")) }
            let half = nibble < 16 ? high : low
            text.append(Self.digits[Int(half >> UInt64(60 - nibble % 16 * 4) & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
