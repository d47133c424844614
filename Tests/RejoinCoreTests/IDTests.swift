import RejoinCore
import SeededRandom
import Testing

@Suite struct IDTests {
    @Test(arguments: 0..<200)
    func `an id comes back from its text and from its bytes`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let id = TurnID(high: generator.next(), low: generator.next())
        #expect(TurnID(id.description) == id)
        #expect(TurnID(utf8: Array(id.description.utf8)) == id)
        #expect(TurnID(bytes: id.bytes) == id)
        #expect(id.bytes.count == 16)
        var bytes: [UInt8] = [1]
        id.append(to: &bytes)
        #expect(Array(bytes.dropFirst()) == Array(id.description.utf8))
    }

    @Test func `the text is that of RFC 9562's example`() {
        let id = TurnID(high: 0x017F_22E2_79B0_7CC3, low: 0x98C4_DC0C_0C07_398F)
        #expect(id.description == "017f22e2-79b0-7cc3-98c4-dc0c0c07398f")
    }

    @Test func `a made id is version 7 of its moment`() {
        let id = TurnID(at: Timestamp(milliseconds: 0x017F_22E2_79B0), random: (.max, .max))
        #expect(id.description == "017f22e2-79b0-7fff-bfff-ffffffffffff")
        let none = TurnID(at: Timestamp(milliseconds: 0x017F_22E2_79B0), random: (0, 0))
        #expect(none.description == "017f22e2-79b0-7000-8000-000000000000")
        #expect(TurnID(at: Timestamp(milliseconds: -5), random: (0, 0)).high == 0x7000)
    }

    @Test(arguments: 0..<100)
    func `ids sort by time, as values, as text and as bytes`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let early = Int64.random(in: 0..<1 << 47, using: &generator)
        let late = early + Int64.random(in: 1...1 << 40, using: &generator)
        let first = TurnID(at: Timestamp(milliseconds: early), random: (generator.next(), generator.next()))
        let second = TurnID(at: Timestamp(milliseconds: late), random: (generator.next(), generator.next()))
        #expect(first < second)
        #expect(first.description < second.description)
        #expect(first.bytes.lexicographicallyPrecedes(second.bytes))
    }

    @Test(arguments: [
        "", "017f22e2-79b0-7cc3-98c4-dc0c0c07398", "017f22e2-79b0-7cc3-98c4-dc0c0c07398ff",
        "017F22E2-79B0-7CC3-98C4-DC0C0C07398F", "017f22e279b0-7cc3-98c4-dc0c0c07398f-",
        "017f22e2+79b0-7cc3-98c4-dc0c0c07398f", "g17f22e2-79b0-7cc3-98c4-dc0c0c07398f",
        "{017f22e2-79b0-7cc3-98c4-dc0c0c0739}", "017f22e2-79b0-7cc3-98c4-dc0c0c0739é",
        " 17f22e2-79b0-7cc3-98c4-dc0c0c07398f",
        "０17f22e2-79b0-7cc3-98c4-dc0c0c0739",
    ])
    func `anything but the 36 characters is refused`(text: String) { #expect(TurnID(text) == nil) }

    @Test func `other than sixteen bytes are refused`() {
        for count in [0, 15, 17] { #expect(TurnID(bytes: [UInt8](repeating: 1, count: count)) == nil) }
    }
}
