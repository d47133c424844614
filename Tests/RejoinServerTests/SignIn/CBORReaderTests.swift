import RejoinServer
import SeededRandom
import Testing

@Suite struct CBORReaderTests {
    private func read(_ hex: String) -> Result<CBORValue, CBORError> {
        let bytes = Bytes.hex(hex)
        return Result { () throws(CBORError) in try CBORReader.parse(bytes[...]) }
    }

    @Test(
        "S25 the examples of RFC 8949 are read as it says",
        arguments: [
            ("00", .unsigned(0)), ("17", .unsigned(23)), ("1818", .unsigned(24)), ("1903e8", .unsigned(1000)),
            ("1a000f4240", .unsigned(1_000_000)), ("1bffffffffffffffff", .unsigned(.max)), ("20", .negative(0)),
            ("3863", .negative(99)), ("3bffffffffffffffff", .negative(.max)), ("f4", .bool(false)), ("f5", .bool(true)),
            ("f6", .null), ("f7", .undefined), ("f93c00", .float([0x3C, 0])),
            ("fa47c35000", .float([0x47, 0xC3, 0x50, 0])),
            ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])), ("60", .text("")), ("62c3bc", .text("\u{FC}")),
            ("6161", .text("a")), ("80", .array([])), ("83010203", .array([.unsigned(1), .unsigned(2), .unsigned(3)])),
            ("a0", .map([])),
            ("a201020304", .map([.init(.unsigned(1), .unsigned(2)), .init(.unsigned(3), .unsigned(4))])),
            (
                "a26161016162820203",
                .map([.init(.text("a"), .unsigned(1)), .init(.text("b"), .array([.unsigned(2), .unsigned(3)]))])
            ),
            // Not the shortest form, which is taken.
            ("1817", .unsigned(23)), ("190001", .unsigned(1)),
        ] as [(String, CBORValue)])
    func examples(hex: String, value: CBORValue) throws {
        #expect(read(hex) == .success(value))
    }

    @Test(
        "S25 what no authenticator may write is refused with its reason",
        arguments: [
            ("", .unexpectedEnd), ("18", .unexpectedEnd), ("1b00000000000000", .unexpectedEnd),
            ("4401", .unexpectedEnd),
            ("5bffffffffffffffff", .unexpectedEnd), ("9bffffffffffffffff", .unexpectedEnd),
            ("bb7fffffffffffffff", .unexpectedEnd), ("0000", .trailingBytes), ("1c", .reserved),
            ("1f", .indefiniteLength),
            ("5f4101ff", .indefiniteLength), ("9fff", .indefiniteLength), ("bfff", .indefiniteLength),
            ("ff", .indefiniteLength),
            ("f8ff", .reserved), ("e0", .reserved), ("c074", .tag), ("a201000100", .duplicateKey),
            ("61ff", .invalidUTF8),
            ("62eda0", .invalidUTF8), (String(repeating: "81", count: 9) + "00", .tooDeep),
            ("990401" + String(repeating: "00", count: 0x401), .tooMany),
        ] as [(String, CBORError)])
    func refusals(hex: String, error: CBORError) {
        #expect(read(hex) == .failure(error))
    }

    @Test("S25 eight arrays inside each other are read, a ninth is not")
    func depth() {
        var value = CBORValue.unsigned(0)
        for _ in 0..<8 { value = .array([value]) }
        #expect(read(String(repeating: "81", count: 8) + "00") == .success(value))
    }

    @Test("S25 whole numbers come out as they are, or not at all")
    func integers() {
        #expect(CBORValue.negative(6).integer == -7)
        #expect(CBORValue.negative(256).integer == -257)
        #expect(CBORValue.negative(UInt64(Int.max)).integer == Int.min)
        #expect(CBORValue.negative(UInt64(Int.max) + 1).integer == nil)
        #expect(CBORValue.unsigned(.max).integer == nil)
        let map = CBORValue.map([.init(.negative(0), .text("x")), .init(.unsigned(3), .text("y"))])
        #expect(map[-1] == .text("x") && map[3] == .text("y") && map[1] == nil && map["x"] == nil)
    }

    @Test("S25 whatever the bytes, the reader ends, and what it read comes back the same from its own writing")
    func fuzz() {
        var generator = SeededGenerator(seed: 25)
        var read = 0
        for round in 0..<40_000 {
            var bytes = round.isMultiple(of: 2) ? Bytes.write(Bytes.randomValue(using: &generator)) : []
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                let place = Int.random(in: 0...bytes.count, using: &generator)
                bytes.insert(UInt8.random(in: 0 ... .max, using: &generator), at: place)
            }
            var rest = bytes[...]
            guard let value = try? CBORReader.read(from: &rest) else { continue }
            read += 1
            #expect(rest.count < bytes.count)
            #expect((try? CBORReader.parse(Bytes.write(value)[...])) == value)
        }
        #expect(read > 5000)
    }
}

/// Bytes written for tests, by hand or from values.
enum Bytes {
    static func hex(_ text: String) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// Writes a value in CBOR's shortest form.
    static func write(_ value: CBORValue) -> [UInt8] {
        switch value {
        case .unsigned(let number): head(0, number)
        case .negative(let number): head(1, number)
        case .bytes(let bytes): head(2, UInt64(bytes.count)) + bytes
        case .text(let text): head(3, UInt64(text.utf8.count)) + Array(text.utf8)
        case .array(let values): head(4, UInt64(values.count)) + values.flatMap(write)
        case .map(let entries):
            head(5, UInt64(entries.count)) + entries.flatMap { write($0.key) + write($0.value) }
        case .bool(let bool): [bool ? 0xF5 : 0xF4]
        case .null: [0xF6]
        case .undefined: [0xF7]
        case .float(let bytes): [0xE0 | (bytes.count == 2 ? 25 : bytes.count == 4 ? 26 : 27)] + bytes
        }
    }

    private static func head(_ kind: UInt8, _ argument: UInt64) -> [UInt8] {
        if argument < 24 { return [kind << 5 | UInt8(argument)] }
        for (information, count) in [(24, 1), (25, 2), (26, 4)] as [(UInt8, UInt64)] where argument < 1 << (count * 8) {
            return [kind << 5 | information] + big(argument, Int(count))
        }
        return [kind << 5 | 27] + big(argument, 8)
    }

    /// A number of some bytes, the highest first.
    static func big(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64((count - 1 - $0) * 8)) }
    }

    static func randomValue(using generator: inout SeededGenerator, depth: Int = 0) -> CBORValue {
        switch Int.random(in: 0...(depth < 4 ? 9 : 7), using: &generator) {
        case 0: return .unsigned(.random(in: 0 ... .max, using: &generator))
        case 1: return .negative(.random(in: 0...300, using: &generator))
        case 2: return .bytes((0..<Int.random(in: 0...30, using: &generator)).map { UInt8($0) })
        case 3: return .text(["", "fmt", "é", "日本"].randomElement(using: &generator) ?? "")
        case 4: return .bool(.random(using: &generator))
        case 5: return .null
        case 6: return .undefined
        case 7: return .float([0x3C, 0])
        case 8:
            return .array(
                (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                    randomValue(using: &generator, depth: depth + 1)
                })
        default:
            return .map(
                (0..<UInt64.random(in: 0...4, using: &generator)).map { key in
                    .init(.unsigned(key), randomValue(using: &generator, depth: depth + 1))
                })
        }
    }
}
