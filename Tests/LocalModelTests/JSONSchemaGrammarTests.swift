import RejoinCore
import Testing

@testable import LocalModel

@Suite struct JSONSchemaGrammarTests {
    private func grammar(_ schema: String) throws -> String {
        try JSONSchemaGrammar(JSONReader.parse(Array(schema.utf8))).text
    }

    @Test(arguments: [
        #"{"type":"string","pattern":"a+"}"#, #"{"type":"number","multipleOf":3}"#, #"{}"#, "true",
        #"{"oneOf":[{"type":"string"}]}"#, #"{"type":"array"}"#, #"{"type":"thing"}"#, #"{"enum":[]}"#,
        #"{"type":"array","items":{"type":"null"},"uniqueItems":true}"#, #"{"$ref":"https://example.org/x"}"#,
        #"{"type":"object","required":["a"]}"#, #"{"type":"number","minimum":0.5}"#,
        #"{"type":"integer","minimum":3,"maximum":2}"#, #"{"type":"string","minLength":5,"maxLength":2}"#,
        ##"{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","properties":{"b":{"$ref":"#/$defs/a"}}}}}"##,
    ])
    func `refuses what it cannot keep`(schema: String) throws {
        #expect { try grammar(schema) } throws: { ($0 as? LocalModelError)?.code == .schemaUnsupported }
    }

    @Test func `a refusal names the keyword`() throws {
        #expect {
            try grammar(#"{"type":"object","properties":{"secret":{"type":"string","pattern":"x"}}}"#)
        } throws: { "\($0)".contains("pattern") && !"\($0)".contains("secret") }
    }

    @Test func `every repetition has an upper bound`() throws {
        let text = try grammar(
            #"{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"number"}}}}"#)
        #expect(!text.contains("*") && !text.contains("+") && !text.contains(",}"))
    }

    @Test func `a definition used twice is written once`() throws {
        let text = try grammar(
            ##"{"type":"array","items":{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}]},"$defs":{"a":{"const":"q"}}}"##
        )
        #expect(text.filter { $0 == "q" }.count == 1)
    }
}

@Suite(.serialized, .enabled(if: TestModel.isThere, Comment(rawValue: TestModel.absence)), .timeLimit(.minutes(2)))
struct StructuredGenerationTests {
    private static let model = Task { try await TestModel.load(sequences: 1) }
    private static let person = #"""
        {"type": "object", "required": ["name", "age", "tags", "active", "nick"], "properties": {
          "name": {"type": "string", "minLength": 2, "maxLength": 12}, "age": {"type": "integer", "minimum": 18, "maximum": 99},
          "tags": {"type": "array", "minItems": 1, "maxItems": 2, "items": {"enum": ["red", "green", "\"blue\"\\"]}},
          "active": {"type": "boolean"}, "nick": {"type": ["string", "null"], "maxLength": 5},
          "score": {"type": "number", "minimum": -1, "maximum": 1}}}
        """#

    @Test(arguments: 0..<2)
    func `what it says decodes and follows the schema`(seed: UInt32) async throws {
        let model = try await Self.model.value
        let schema = try JSONReader.parse(Array(Self.person.utf8))
        let request = GenerationRequest(
            messages: [LocalMessage(.user, "Invent a person.")],
            sampling: Sampling(temperature: 1.5, topK: 0, topP: 1, minP: 0, seed: seed), schema: schema)
        let (text, result) = try await model.answer(request)
        #expect(result.reason == .complete)
        let person = try #require(try JSONReader.parse(Array(text.utf8)).object, "\(text)")
        #expect((2...12).contains(person["name"]?.string?.unicodeScalars.count ?? 0))
        #expect((18...99).contains(person["age"]?.integer ?? 0))
        let tags = try #require(person["tags"]?.array)
        #expect((1...2).contains(tags.count))
        #expect(tags.allSatisfy { ["red", "green", "\"blue\"\\"].contains($0.string) })
        #expect(person["active"]?.bool != nil)
        let nick = try #require(person["nick"])
        #expect(nick.isNull || nick.string.map { $0.unicodeScalars.count <= 5 } == true)
        if let score = person["score"] { #expect((-1...1).contains(score.number ?? 2)) }
    }

    @Test(arguments: [
        (0, 0), (7, 23), (-5, 5), (-120, -7), (98, 1203), (999, 1000), (5, 9_999_999),
    ])
    func `whole numbers stay in their range`(least: Int, most: Int) async throws {
        let model = try await Self.model.value
        let schema = JSONValue.object(
            JSONObject([
                .init(name: "type", value: .string("integer")), .init(name: "minimum", value: .integer(least)),
                .init(name: "maximum", value: .integer(most)),
            ]))
        for seed: UInt32 in 0..<2 {
            let request = GenerationRequest(
                messages: [LocalMessage(.user, "Say a number.")],
                sampling: Sampling(temperature: 3, topK: 0, topP: 1, minP: 0, seed: seed), schema: schema)
            let number = try JSONReader.parse(Array(try await model.answer(request).text.utf8)).integer
            #expect((least...most).contains(number ?? .min))
        }
    }
}
