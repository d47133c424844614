import RejoinAssist
import RejoinCore
import SeededRandom
import Testing

@Suite struct GrammarTests {
    @Test func `the grammar of a small shape reads as it should`() {
        let schema = DraftSchema.object([
            .init("kind", .choice(["a\"b", "c\\"])), .init("count", .optional(.integer)),
            .init("tags", .array(of: .string(upTo: 3), 0...2)),
        ])
        #expect(
            Grammar(schema).text == #"""
                root ::= "{" "\"kind\":" gap r1 "," gap "\"count\":" gap r3 "," gap "\"tags\":" gap r5 "}"
                r0 ::= "\"a\\\"b\"" | "\"c\\\\\""
                r1 ::= r0
                r2 ::= whole | "null"
                r3 ::= r2
                r4 ::= "\"" char{0,3} "\""
                r5 ::= "[" (r4 ("," gap r4){0,1})? "]"
                char ::= [^"\\\x7F\x00-\x1F] | "\\" (["\\/bfnrt] | "u" code)
                code ::= [0-9a-cA-Ce-fE-F] [0-9a-fA-F]{3} | [dD] [0-7] [0-9a-fA-F]{2}
                whole ::= "0" | "-"? [1-9] [0-9]{0,15}
                decimal ::= "-"? ("0" | [1-9] [0-9]{0,15}) ("." [0-9]{1,8})?
                gap ::= " "?

                """#)
    }

    @Test(
        "R32 what a shape allows is what its grammar lets through, for shapes and values by chance",
        arguments: 0..<60 as Range<UInt64>)
    func completeness(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let schema = RandomShape.schema(depth: 3, using: &generator)
        let grammar = try GrammarRecogniser(Grammar(schema).text)
        for _ in 0..<10 {
            let value = RandomShape.value(of: schema, using: &generator)
            try schema.check(value)
            var json = JSONWriter()
            json.value(value)
            let text = String(decoding: json.bytes, as: UTF8.self)
            #expect(try grammar.accepts(text), "\(text)")
        }
    }

    @Test(
        "R32 what a grammar lets through decodes and has the shape; a changed text mostly does neither",
        arguments: 0..<60 as Range<UInt64>)
    func soundness(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed &+ 1000)
        let schema = RandomShape.schema(depth: 2, using: &generator)
        let grammar = try GrammarRecogniser(Grammar(schema).text)
        for _ in 0..<20 {
            var json = JSONWriter()
            json.value(RandomShape.value(of: schema, using: &generator))
            var scalars = Array(String(decoding: json.bytes, as: UTF8.self).unicodeScalars)
            for _ in 0..<Int.random(in: 0...2, using: &generator) where !scalars.isEmpty {
                let place = Int.random(in: 0..<scalars.count, using: &generator)
                if Bool.random(using: &generator) {
                    scalars.remove(at: place)
                } else {
                    scalars[place] = "\"{}[],:\\u0d9 -.é\n".unicodeScalars.randomElement(using: &generator) ?? "x"
                }
            }
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            guard try grammar.accepts(String(text)) else { continue }
            let value = try JSONReader.parse(Array(String(text).utf8))
            #expect(throws: Never.self) { try schema.check(value) }
        }
    }

    @Test func `bounds that are no bounds are made some`() throws {
        let grammar = try GrammarRecogniser(Grammar(.array(of: .string(upTo: -5), 0...Int.max)).text)
        #expect(try grammar.accepts("[]"))
        #expect(try grammar.accepts(#"["",""]"#))
        #expect(try !grammar.accepts(#"["a"]"#))
        #expect(try GrammarRecogniser(Grammar(.choice([])).text).accepts(#""""#))
        #expect(try GrammarRecogniser(Grammar(.object([])).text).accepts("{}"))
        #expect(try GrammarRecogniser(Grammar(.array(of: .boolean, 0...0)).text).accepts("[]"))
    }
}

@Suite struct DraftSchemaTests {
    private func mismatch(_ schema: DraftSchema, _ json: String) throws -> SchemaMismatch? {
        let value = try JSONReader.parse(Array(json.utf8))
        do throws(SchemaMismatch) {
            try schema.check(value)
            return nil
        } catch {
            return error
        }
    }

    private let schema = DraftSchema.object([
        .init("items", .array(of: .object([.init("id", .string(upTo: 4)), .init("n", .optional(.integer))]), 1...2)),
        .init("mode", .choice(["x", "y"])),
    ])

    @Test(
        "R35 a value with a field too many, too few, too long, too often or of another type is named by its place",
        arguments: [
            (#"{"items":[{"id":"abcd","n":1}],"mode":"x"}"#, nil), (#"{"items":[{"id":"a"}],"mode":"y"}"#, nil),
            (#"{"items":[{"id":"abcde"}],"mode":"x"}"#, "items[0].id"), (#"{"items":[],"mode":"x"}"#, "items"),
            (#"{"items":[{"id":"a"},{"id":"b"},{"id":"c"}],"mode":"x"}"#, "items"),
            (#"{"items":[{"id":"a"},{"id":"b","CANARY":1}],"mode":"x"}"#, "items[1]"),
            (#"{"items":[{"id":"a","n":1.5}],"mode":"x"}"#, "items[0].n"), (#"{"items":[{"id":"a"}]}"#, "mode"),
            (#"{"items":[{"id":"a"}],"mode":"X"}"#, "mode"), (#"{"items":{},"mode":"x"}"#, "items"), ("3", ""),
        ] as [(String, String?)])
    func checks(json: String, place: String?) throws {
        let found = try mismatch(schema, json)
        #expect(found?.path == place)
        #expect(!String(describing: found).contains("CANARY"))
    }

    @Test func `the JSON schema requires every property and allows no other`() throws {
        var json = JSONWriter()
        json.value(schema.jsonSchema)
        #expect(
            String(decoding: json.bytes, as: UTF8.self)
                == #"{"type":"object","properties":{"items":{"type":"array","items":{"type":"object","properties":"#
                + #"{"id":{"type":"string","maxLength":4},"n":{"anyOf":[{"type":"integer"},{"type":"null"}]}},"#
                + #""required":["id","n"],"additionalProperties":false},"minItems":1,"maxItems":2},"#
                + #""mode":{"type":"string","enum":["x","y"]}},"required":["items","mode"],"#
                + #""additionalProperties":false}"#)
    }

    @Test func `a meaning becomes a description`() {
        let schema = DraftSchema.object([.init("a", .boolean, meaning: "whether")])
        let property = schema.jsonSchema.object?["properties"]?.object?["a"]?.object
        #expect(property?["description"]?.string == "whether")
    }
}

/// Shapes and their values by chance.
enum RandomShape {
    static func schema(depth: Int, using generator: inout SeededGenerator) -> DraftSchema {
        switch Int.random(in: depth > 0 ? 0...7 : 0...4, using: &generator) {
        case 0: return .string(upTo: Int.random(in: 0...6, using: &generator))
        case 1: return .choice((0..<Int.random(in: 1...3, using: &generator)).map { _ in text(5, using: &generator) })
        case 2: return .integer
        case 3: return .number
        case 4: return .boolean
        case 5: return .optional(schema(depth: depth - 1, using: &generator))
        case 6:
            let least = Int.random(in: 0...2, using: &generator)
            let most = least + Int.random(in: 0...2, using: &generator)
            return .array(of: schema(depth: depth - 1, using: &generator), least...most)
        default:
            return .object(
                (0..<Int.random(in: 0...3, using: &generator)).map { number in
                    .init("\(number)" + text(3, using: &generator), schema(depth: depth - 1, using: &generator))
                })
        }
    }

    static func value(of schema: DraftSchema, using generator: inout SeededGenerator) -> JSONValue {
        switch schema {
        case .string(let limit): return .string(text(limit, using: &generator))
        case .choice(let words): return .string(words.randomElement(using: &generator) ?? "")
        case .integer:
            return .integer(Int.random(in: -9_999_999_999_999_999...9_999_999_999_999_999, using: &generator))
        case .number: return .number(Double(Int.random(in: -100_000...100_000, using: &generator)) / 64)
        case .boolean: return .bool(Bool.random(using: &generator))
        case .optional(let schema):
            return Bool.random(using: &generator) ? .null : value(of: schema, using: &generator)
        case .array(let element, let count):
            return .array(
                (0..<Int.random(in: count, using: &generator)).map { _ in value(of: element, using: &generator) })
        case .object(let properties):
            return .object(
                JSONObject(
                    properties.map { .init(name: $0.name, value: value(of: $0.schema, using: &generator)) }))
        }
    }

    /// At most so many scalars, those that need care among them.
    private static func text(_ most: Int, using generator: inout SeededGenerator) -> String {
        let pool = Array("ab \"\\/\n\t\u{1}é{}[]:,😀\u{301}".unicodeScalars)
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...max(0, most), using: &generator) {
            text.append(pool.randomElement(using: &generator) ?? "a")
        }
        return String(text)
    }
}
