/// The five characters that open every piece: its number modulo 64, and when it was sent.
///
/// Five bytes are a usual token, so the stamp needs no room beside the payload. Time is counted in steps of 20 µs
/// modulo 2²⁴, which tells delays of up to 167 s apart. The letters need no escaping in JSON.
package struct PieceStamp: Equatable, Sendable {
    /// Bytes of a stamp.
    package static let size = 5
    private static let step: Int64 = 20_000
    private static let wrap: Int64 = 1 << 24
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()

    /// The piece's number modulo 64.
    package let index: Int
    /// When it was sent, in steps modulo 2²⁴.
    package let time: Int64

    /// Marks a piece with its number and the clock.
    package init(index: Int, nanoseconds: Int64) {
        self.index = index & 63
        time = nanoseconds / Self.step % Self.wrap
    }

    /// Reads a stamp out of its characters packed by ``packed(_:_:)``; nil once a foreign character was among them.
    package init?(packed: Int64) {
        guard packed >= 0 else { return nil }
        index = Int(packed >> 24) & 63
        time = packed & (Self.wrap - 1)
    }

    /// Adds a character to those read so far (0 for none); negative from the first foreign character on.
    @inline(__always)
    package static func packed(_ sofar: Int64, _ character: UInt8) -> Int64 {
        let value = values[Int(character)]
        return sofar < 0 || value == 255 ? -1 : sofar << 6 | Int64(value)
    }

    /// Writes the five characters over those at `position`.
    package func write(into bytes: inout [UInt8], at position: Int) {
        bytes[position] = Self.letters[index]
        for place in 0..<4 { bytes[position + 1 + place] = Self.letters[Int(time >> (18 - 6 * Int64(place))) & 63] }
    }

    /// Nanoseconds from the sending until `now`, to within a step; 0 if the clock's grain makes it look negative.
    package func age(at now: Int64) -> Int64 {
        let steps = (now / Self.step - time) & (Self.wrap - 1)
        return steps > Self.wrap / 2 ? 0 : steps * Self.step
    }
}
