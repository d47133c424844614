import RejoinCore
import SeededRandom
import Testing

@Suite struct JSONTests {
    static func read(_ text: String, maximumDepth: Int = 64) throws(JSONError) -> JSONValue {
        try JSONReader.parse(Array(text.utf8), maximumDepth: maximumDepth)
    }

    static func write(_ value: JSONValue) -> [UInt8] {
        var json = JSONWriter()
        json.value(value)
        return json.bytes
    }

    static func random(depth: Int, using generator: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &generator) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &generator))
        case 2:
            return .integer(Int(truncatingIfNeeded: generator.next() >> UInt64.random(in: 0..<64, using: &generator)))
        case 3:
            let number = Double(bitPattern: generator.next())
            // What is whole and small reads back as an integer, and what is not finite is no JSON.
            return number.isFinite && !number.description.allSatisfy { $0.isNumber || $0 == "-" }
                ? .number(number) : .null
        case 4, 5: return .string(.random(upTo: 12, using: &generator))
        case 6:
            let count = Int.random(in: 0...4, using: &generator)
            return .array((0..<count).map { _ in random(depth: depth - 1, using: &generator) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                let name = String.random(upTo: 4, using: &generator)
                if object[name] != nil { continue }
                object.members.append(.init(name: name, value: random(depth: depth - 1, using: &generator)))
            }
            return .object(object)
        }
    }

    @Test(arguments: 0..<500)
    func `what is written reads back equal, on one line`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let value = Self.random(depth: 5, using: &generator)
        let bytes = Self.write(value)
        #expect(try JSONReader.parse(bytes) == value)
        // An event's data is one line: whatever is inside, no raw line end may come out.
        #expect(!bytes.contains(0x0A) && !bytes.contains(0x0D))
        // And from the middle of a larger buffer.
        let padded = [UInt8(ascii: "#")] + bytes + [UInt8(ascii: "#")]
        #expect(try JSONReader.parse(padded[1..<padded.count - 1]) == value)
    }

    @Test(arguments: 0..<300)
    func `damaged JSON is refused or read, never a trap`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var bytes = Self.write(Self.random(depth: 5, using: &generator))
        for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
            let position = bytes.indices.randomElement(using: &generator) ?? 0
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: bytes[position] = UInt8(truncatingIfNeeded: generator.next())
            case 1: bytes.remove(at: position)
            default: bytes.removeLast(bytes.count - position)
            }
        }
        do {
            let value = try JSONReader.parse(bytes)
            #expect(try JSONReader.parse(Self.write(value)) == value)
        } catch {
            #expect((0...bytes.count).contains(error.offset))
        }
    }

    static let refused: [(String, JSONError.Reason)] = [
        ("", .unexpectedEnd), (" ", .unexpectedEnd), ("{", .unexpectedEnd), ("[1,", .unexpectedEnd),
        ("\"a", .unexpectedEnd),
        ("[1,]", .unexpectedByte), ("{\"a\":1,}", .unexpectedByte), ("{a:1}", .unexpectedByte),
        ("{\"a\" 1}", .unexpectedByte),
        ("tru", .unexpectedEnd), ("truE", .unexpectedByte), ("nul!", .unexpectedByte), ("'a'", .unexpectedByte),
        ("\u{FEFF}1", .unexpectedByte), ("/**/1", .unexpectedByte), ("1 2", .trailingBytes), ("{}x", .trailingBytes),
        ("{\"a\":1,\"b\":2,\"a\":3}", .duplicateName), ("{\"a\":1,\"\\u0061\":2}", .duplicateName),
        ("01", .trailingBytes), ("-01", .trailingBytes), ("1.", .unexpectedEnd), ("1.x", .invalidNumber),
        (".5", .unexpectedByte),
        ("+1", .unexpectedByte), ("-", .unexpectedEnd), ("-x", .invalidNumber), ("1e", .unexpectedEnd),
        ("1e+", .unexpectedEnd),
        ("1ex", .invalidNumber), ("NaN", .unexpectedByte), ("Infinity", .unexpectedByte), ("0x10", .trailingBytes),
        ("1e999", .numberOutOfRange), ("-1e999", .numberOutOfRange),
        (String(repeating: "9", count: 400), .numberOutOfRange),
        ("\"\u{1}\"", .controlCharacter), ("\"a\nb\"", .controlCharacter), ("\"\\n\u{0}\"", .controlCharacter),
        ("\"\\x\"", .invalidEscape), ("\"\\u12g4\"", .invalidEscape), ("\"\\u12\"", .invalidEscape),
        ("\"\\u12", .unexpectedEnd),
        ("\"\\ud800\"", .invalidEscape), ("\"\\ud800x\"", .invalidEscape), ("\"\\ud800\\n\"", .invalidEscape),
        ("\"\\ud800\\ud800\"", .invalidEscape), ("\"\\udc00\"", .invalidEscape), ("\"\\udc00\\ud800\"", .invalidEscape),
    ]

    @Test(arguments: refused.indices)
    func `what is not JSON is refused for its reason`(index: Int) {
        let (text, reason) = Self.refused[index]
        let error = #expect(throws: JSONError.self) { try Self.read(text) }
        #expect(error?.reason == reason, "\(text)")
    }

    static let accepted: [(String, JSONValue)] = [
        (" \t\r\n1 ", .integer(1)), ("-0", .integer(0)), ("9223372036854775807", .integer(.max)),
        ("-9223372036854775808", .integer(.min)), ("9223372036854775808", .number(9_223_372_036_854_775_808)),
        ("1.0", .number(1)), ("1E2", .number(100)), ("1e-2", .number(0.01)),
        ("5e-324", .number(.leastNonzeroMagnitude)),
        ("1e-999", .number(0)),
        (#""\ud83e\udd8a\/\b\f""#, .string("🦊/\u{8}\u{C}")), (#""\u0000\u00e9""#, .string("\u{0}é")),
        ("\"\u{7F}\"", .string("\u{7F}")),
        ("[ ]", .array([])), ("{ }", .object(JSONObject())),
        (#"{"":null}"#, .object(.init([.init(name: "", value: .null)]))),
    ]

    @Test(arguments: accepted.indices)
    func `what is JSON is read`(index: Int) throws {
        let (text, value) = Self.accepted[index]
        #expect(try Self.read(text) == value)
    }

    @Test(
        arguments: [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82]]
            as [[UInt8]])
    func `broken UTF-8 is refused, plain and beside an escape`(broken: [UInt8]) {
        for prefix in ["\"a", "\"\\n"] {
            let error = #expect(throws: JSONError.self) {
                try JSONReader.parse(Array(prefix.utf8) + broken + Array("b\"".utf8))
            }
            #expect(error?.reason == .invalidUTF8)
        }
    }

    @Test func `nesting is bounded`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(throws: Never.self) { try Self.read(nested(64)) }
        #expect(throws: JSONError.self) { try Self.read(nested(65)) }
        #expect(throws: JSONError.self) { try Self.read(String(repeating: "{\"a\":", count: 100_000)) }
        #expect(throws: JSONError.self) { try Self.read(String(repeating: "[", count: 1_000_000)) }
        #expect(throws: JSONError.self) { try Self.read("[[1]]", maximumDepth: 1) }
    }

    @Test func `the offset is where the fault is`() {
        let error = #expect(throws: JSONError.self) { try Self.read(#"{"a":[1,x]}"#) }
        #expect(error == JSONError(.unexpectedByte, at: 8))
    }

    @Test func `commas come by themselves`() {
        var json = JSONWriter()
        json.beginObject()
        json.name("a")
        json.beginArray()
        json.integer(.min)
        json.beginObject()
        json.endObject()
        json.string("x")
        json.endArray()
        json.member("none", nil)
        json.member("b", "y")
        json.name("c")
        json.json(Array("[1]".utf8))
        json.name("d")
        json.bool(false)
        json.name("e")
        json.null()
        json.endObject()
        #expect(
            String(decoding: json.bytes, as: UTF8.self)
                == #"{"a":[-9223372036854775808,{},"x"],"b":"y","c":[1],"d":false,"e":null}"#)
    }

    @Test func `numbers are read as what they are`() {
        #expect(JSONValue.integer(3).number == 3)
        #expect(JSONValue.number(3).integer == nil)
        #expect(JSONValue.string("3").integer == nil)
        #expect(JSONValue.null.isNull)
    }
}
