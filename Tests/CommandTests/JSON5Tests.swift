import SeededRandom
import Testing

@testable import RejoinServer

@Suite struct JSON5Tests {
    private func value(_ text: String) throws -> JSON5.Value { try JSON5.parse(Array(text.utf8)).value }

    private func mistake(_ text: String) -> String? { mistake(Array(text.utf8)) }

    private func mistake(_ bytes: [UInt8]) -> String? {
        do throws(JSON5.Failure) {
            _ = try JSON5.parse(bytes)
            return nil
        } catch {
            return "\(error.position.line):\(error.position.column): \(error.message)"
        }
    }

    /// A value without its places, for comparing documents that are laid out differently.
    private func plain(_ node: JSON5) -> String {
        switch node.value {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .number(let number): "\(number)"
        case .string(let text): "\"\(text)\""
        case .array(let nodes): "[" + nodes.map(plain).joined(separator: ",") + "]"
        case .object(let members): "{" + members.map { "\($0.name):\(plain($0.value))" }.joined(separator: ",") + "}"
        }
    }

    private func plain(_ text: String) throws -> String { plain(try JSON5.parse(Array(text.utf8))) }

    // MARK: What JSON5 adds

    @Test func `skips both kinds of comments`() throws {
        #expect(try plain("// a\n{ /* b\n * c */ x: /**/ 1 // d\n}\n// the end") == "{x:1.0}")
        #expect(try plain("/***/1/* */") == "1.0")
        #expect(mistake("{ /* never\nclosed") == "1:3: the comment that starts here does not end")
        #expect(mistake("1 /") == "1:3: expected the end of the file, not \"/\"")
    }

    @Test func `takes single and double quotes`() throws {
        #expect(try value(#"'it "is"'"#) == .string("it \"is\""))
        #expect(try value(#""it's""#) == .string("it's"))
    }

    @Test func `allows a comma after the last element, and no other`() throws {
        #expect(try plain("[1, 2,]") == "[1.0,2.0]")
        #expect(try plain("{a: 1,}") == "{a:1.0}")
        #expect(mistake("[,]") == "1:2: expected a value, not \",\"")
        #expect(mistake("[1,,2]") == "1:4: expected a value, not \",\"")
        #expect(mistake("{,}") == "1:2: expected a key or \"}\", not \",\"")
        #expect(mistake("[1 2]") == "1:4: expected \",\" or \"]\", not \"2\"")
        #expect(mistake("{a: 1 b: 2}") == "1:7: expected \",\" or \"}\", not \"b\"")
    }

    @Test(arguments: ["a", "$", "_x9", "ünïcode", "名前", "null", "Infinity", #"\u0061b"#])
    func `takes identifiers as keys`(key: String) throws {
        guard case .object(let members) = try value("{\(key): 1}") else {
            Issue.record("not an object")
            return
        }
        #expect(members.map(\.name) == [key == #"\u0061b"# ? "ab" : key])
    }

    @Test func `refuses keys that are neither quoted nor identifiers`() {
        #expect(mistake("{1: 2}") == "1:2: expected a key or \"}\", not \"1\"")
        #expect(mistake("{a-b: 2}") == "1:3: expected \":\" after the key \"a\", not \"-\"")
        #expect(mistake(#"{\u002D: 2}"#) == "1:2: this character needs a key in quotes")
        #expect(mistake(#"{a\x: 2}"#) == "1:4: expected \"u\" after a backslash in a key, not \"x\"")
        #expect(mistake("{a 1}") == "1:4: expected \":\" after the key \"a\", not \"1\"")
    }

    @Test(arguments: [
        ("0", 0), ("-0.0", 0), ("+1", 1), ("-12", -12), (".5", 0.5), ("5.", 5), ("-.5", -0.5), ("1e3", 1000),
        ("1E+2", 100), ("2.5e-1", 0.25), ("5.e1", 50), ("0x1F", 31), ("0XaB", 171), ("-0x10", -16), ("+0xff", 255),
        ("9007199254740991", 9_007_199_254_740_991), ("0.1", 0.1), ("123456.789", 123456.789),
    ])
    func `reads numbers in every form`(text: String, expected: Double) throws {
        #expect(try value(text) == .number(expected))
    }

    @Test(arguments: [
        ("01", "1:1: a number does not start with 0"), ("-", "1:2: expected a digit, but the file ends"),
        (".", "1:2: expected a digit, but the file ends"), ("+.e1", "1:3: expected a digit, not \"e\""),
        ("0x", "1:3: expected a hexadecimal digit, but the file ends"),
        ("0xg", "1:3: expected a hexadecimal digit, not \"g\""),
        ("1e", "1:3: expected a digit of the exponent, but the file ends"),
        ("1e999", "1:1: the number is too large"), ("12px", "1:3: expected the number to end, not \"p\""),
        ("1.2.3", "1:4: expected the end of the file, not \".\""), ("--1", "1:2: expected a digit, not \"-\""),
        ("Infinity", "1:1: Infinity is not a value here"), ("-Infinity", "1:1: Infinity is not a value here"),
        ("+Infinity", "1:1: Infinity is not a value here"), ("NaN", "1:1: NaN is not a value here"),
        ("-NaN", "1:1: NaN is not a value here"),
    ])
    func `refuses what is no number of ours`(text: String, words: String) {
        #expect(mistake(text) == words)
    }

    @Test func `refuses a hexadecimal number beyond all bounds`() {
        #expect(mistake("0x" + String(repeating: "f", count: 300)) == "1:1: the number is too large")
    }

    @Test func `reads every escape`() throws {
        #expect(try value(#"'\b\f\n\r\t\v\0\\\'\"\/\a'"#) == .string("\u{8}\u{C}\n\r\t\u{B}\0\\'\"/a"))
        #expect(try value(#"'\x41\u00e9\uD83D\uDE00'"#) == .string("Aé😀"))
    }

    @Test(arguments: ["\n", "\r", "\r\n", "\u{2028}", "\u{2029}"])
    func `goes on in the next line after a backslash`(end: String) throws {
        #expect(try value("'one \\\(end)two'") == .string("one two"))
    }

    @Test(arguments: [
        (#"'\1'"#, "1:3: a backslash does not stand before a digit"), (#"'\01'"#, "1:3: a digit does not follow \\0"),
        (#"'\x4'"#, "1:5: expected a hexadecimal digit, not \"'\""),
        (#"'\u12'"#, "1:6: expected a hexadecimal digit, not \"'\""),
        (#"'\uD83D'"#, "1:3: half of a surrogate pair is not a character"),
        (#"'\uDE00'"#, "1:3: half of a surrogate pair is not a character"),
        (#"'\uD83D\u0041'"#, "1:3: half of a surrogate pair is not a character"),
        ("'open", "1:1: the text that starts here does not end"),
        ("'open\n'", "1:6: the text that starts in column 1 does not end in its line"),
        ("'open\\", "1:7: the file ends after a backslash"),
    ])
    func `refuses texts that are broken`(text: String, words: String) {
        #expect(mistake(text) == words)
    }

    @Test func `lets line separators stand in a text`() throws {
        #expect(try value("'a\u{2028}b\u{2029}c'") == .string("a\u{2028}b\u{2029}c"))
    }

    @Test func `takes every kind of white space`() throws {
        #expect(try plain("\u{FEFF}\t\u{B}\u{C} \u{A0}\u{2003}\u{3000}\r\n[\u{2028}1\u{2029}]") == "[1.0]")
    }

    // MARK: What it refuses beyond the grammar

    @Test func `refuses a key that is written twice`() {
        #expect(mistake("{\n  a: 1,\n  'a': 2\n}") == "3:3: \"a\" is written twice, first in line 2")
    }

    @Test func `refuses to nest without end`() throws {
        let deep = String(repeating: "[", count: 100_000)
        #expect(mistake(deep) == "1:33: nested more than 32 deep")
        let most = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
        #expect(mistake(most) == nil)
    }

    @Test func `refuses bytes that are not UTF-8, and says where`() {
        #expect(mistake(Array("{\n a: '".utf8) + [0xFF] + Array("'}".utf8)) == "2:6: the file is not UTF-8 here")
        #expect(mistake([0xC3]) == "1:1: the file is not UTF-8 here")
    }

    @Test(arguments: [
        ("", "1:1: expected a value, but the file ends"), ("  // nothing", "1:13: expected a value, but the file ends"),
        ("hello", "1:1: expected a value, not hello; text needs quotes"),
        ("True", "1:1: expected a value, not True; text needs quotes"),
        ("{}{}", "1:3: expected the end of the file, not \"{\""),
        ("[1", "1:3: expected \",\" or \"]\", but the file ends"), ("]", "1:1: expected a value, not \"]\""),
        ("\u{1}", "1:1: expected a value, not the character U+1"),
    ])
    func `says what it expected`(text: String, words: String) {
        #expect(mistake(text) == words)
    }

    // MARK: Places

    @Test(arguments: ["\n", "\r\n", "\r", "\u{2028}"])
    func `keeps the place of each key and value, whatever ends a line`(end: String) throws {
        let text = ["{", "  é: 'ü', second:", "\t[1,", "2]", "}"].joined(separator: end)
        let document = try JSON5.parse(Array(text.utf8))
        guard case .object(let members) = document.value, case .array(let elements) = members[1].value.value else {
            Issue.record("not the document")
            return
        }
        #expect(members.map(\.position) == [.init(line: 2, column: 3), .init(line: 2, column: 11)])
        #expect(members.map(\.value.position) == [.init(line: 2, column: 6), .init(line: 3, column: 2)])
        #expect(elements.map(\.position) == [.init(line: 3, column: 3), .init(line: 4, column: 1)])
    }

    @Test func `reads the same from plain JSON and from its loose form`() throws {
        let strict = #"{"models": [{"name": "a", "context": 4096, "on": true, "none": null}], "x": -1.5}"#
        let loose = "{models:[{name:'a',context:0x1000,on:true,none:null,},],x:-1.50e0,} // end"
        #expect(try plain(strict) == plain(loose))
    }

    // MARK: Anything at all

    @Test(arguments: 0..<200)
    func `never traps on broken documents`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let whole = Array(
            #"{ /*c*/ a: ['x\u0041\n', 0x1F, .5e-3, +1, {b: null,},], "k": true, 'l': "\uD83D\uDE00 é" } // e"#.utf8)
        var bytes = whole
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(whole.randomElement(using: &random) ?? 0, at: place)
            default: bytes.removeSubrange(place...)
            }
            if bytes.isEmpty { break }
        }
        do throws(JSON5.Failure) {
            _ = try JSON5.parse(bytes)
        } catch {
            #expect(error.position.line >= 1 && error.position.column >= 1)
            #expect(!error.message.isEmpty)
        }
    }

    @Test func `refuses every beginning of a document`() throws {
        let whole = Array(#"{a: ['x\u0041', 0x1F, {b: null,},], k: true} "#.utf8)
        #expect(mistake(whole) == nil)
        for count in 0..<(whole.count - 1) { #expect(mistake(Array(whole[..<count])) != nil, "\(count)") }
    }
}
