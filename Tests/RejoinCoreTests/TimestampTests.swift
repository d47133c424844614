#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import RejoinCore
import SeededRandom
import Testing

@Suite struct TimestampTests {
    @Test(arguments: 0..<500)
    func `a moment reads as another implementation writes it, and comes back`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        // Years 1583 to 9999: for earlier ones the other writes the Julian calendar, which RFC 3339 does not know.
        let seconds = Int64.random(in: -12_212_553_600...253_402_300_799, using: &generator)
        let milliseconds = Int64.random(in: 0..<1000, using: &generator)
        let moment = Timestamp(milliseconds: seconds * 1000 + milliseconds)
        let foundation = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
        let digits = String(milliseconds + 1000).dropFirst()
        #expect(moment.description == foundation.dropLast() + ".\(digits)Z")
        #expect(Timestamp(moment.description) == moment)
        #expect(Timestamp(foundation) == Timestamp(milliseconds: seconds * 1000))
    }

    @Test(arguments: 0..<500)
    func `any moment from year 0 to 9999 comes back from its text`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let moment = Timestamp(
            milliseconds: Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &generator))
        #expect(moment.description.utf8.count == 24)
        #expect(Timestamp(moment.description) == moment)
    }

    static let known: [(String, Int64)] = [
        ("1970-01-01T00:00:00Z", 0), ("0000-01-01T00:00:00Z", -62_167_219_200_000),
        ("1582-10-14T00:00:00Z", -12_219_379_200_000), ("1969-12-31T23:59:59.999Z", -1),
        ("2000-02-29T12:00:00Z", 951_825_600_000),
        ("2026-11-30T06:45:35.120Z", 1_796_021_135_120), ("2026-11-30T06:45:35.1Z", 1_796_021_135_100),
        ("2026-11-30T06:45:35.120999999Z", 1_796_021_135_120),
    ]

    @Test(arguments: known.indices)
    func `known moments`(index: Int) {
        let (text, milliseconds) = Self.known[index]
        #expect(Timestamp(text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "2026-11-30", "2026-11-30T06:45:35", "2026-11-30T06:45:35+00:00", "2026-11-30t06:45:35Z",
        "2026-11-30 06:45:35Z",
        "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z",
        "2026-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z",
        "2026-01-01T00:00:60Z",
        "2026-11-30T06:45:35.Z", "2026-11-30T06:45:35.xZ", "2026-11-30T06:45:35.1234567890Z", "+026-11-30T06:45:35Z",
        "2026-11-30T06:45:35ZZ", "２026-11-30T06:45:3Z", "2026-11-3\u{0}T06:45:35Z",
    ])
    func `anything else is refused`(text: String) { #expect(Timestamp(text) == nil) }

    @Test func `moments compare and move`() {
        let moment = Timestamp(milliseconds: 5)
        #expect(moment < moment.advanced(byMilliseconds: 1))
        #expect(moment.advanced(byMilliseconds: -6).milliseconds == -1)
    }
}
