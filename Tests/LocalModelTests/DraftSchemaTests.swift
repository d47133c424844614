import RejoinAssist
import RejoinCore
import Testing

@testable import LocalModel

/// The shapes of Assist before a real model: both of their written forms keep it to them.
@Suite(.serialized, .enabled(if: TestModel.isThere, Comment(rawValue: TestModel.absence)), .timeLimit(.minutes(2)))
struct DraftSchemaTests {
    private static let model = Task { try await TestModel.load(sequences: 1) }
    private static let shapes: [DraftSchema] = [
        .object([.init("text", .string(upTo: 20)), .init("isShort", .boolean)]),
        .object([
            .init("groups", .array(of: .choice(["a\"b", "größer", "c\\d"]), 1...3)),
            .init("amount", .optional(.number)), .init("count", .integer),
        ]),
        .array(of: .object([.init("id", .choice(["i1", "i2"])), .init("note", .optional(.string(upTo: 6)))]), 2...2),
        .choice(["yes", "no"]), .optional(.boolean),
    ]

    @Test("R32 what the model writes under a shape decodes and has the shape", arguments: shapes)
    func generated(shape: DraftSchema) async throws {
        let model = try await Self.model.value
        for seed: UInt32 in 0..<2 {
            let request = GenerationRequest(
                messages: [LocalMessage(.user, "Invent something.")],
                sampling: Sampling(temperature: 1.5, topK: 0, topP: 1, minP: 0, seed: seed), schema: shape.jsonSchema)
            let text = try await model.answer(request).text
            let value = try JSONReader.parse(Array(text.utf8))
            #expect(throws: Never.self, "\(text)") { try shape.check(value) }
        }
    }

    @Test func `the library reads the grammar of every shape`() throws {
        let weights = try Weights(path: TestModel.path ?? "", progress: LoadProgress { _ in })
        let vocabulary = Vocabulary(weights: weights)
        for shape in Self.shapes + [.object([]), .array(of: .boolean, 0...0), .choice([]), .string(upTo: .max)] {
            #expect(throws: Never.self) {
                _ = try Sampler(Sampling(), grammar: Grammar(shape).text, vocabulary: vocabulary)
            }
        }
        #expect(throws: LocalModelError.self) {
            _ = try Sampler(Sampling(), grammar: "root ::= nothing-there", vocabulary: vocabulary)
        }
    }
}
