import RejoinAssist
import RejoinCore
import Testing

/// A seventh operation, as an app would write it.
enum Headline: ReviewableOperation {
    typealias Input = String
    typealias Draft = String
    typealias Output = String

    static let profile = OperationProfile(
        id: "headline", budget: TokenBudget(input: 500, output: 20), dataClass: .freeForm)
    static let kind = ResponseKind.actionable
    static let pipeline = ValidationPipeline<String, String, String> { draft, _, _ throws(ValidationFailure) in
        guard !draft.isEmpty else { throw .empty }
        guard draft.count <= 80 else { throw .tooLong }
        return draft
    }
    static func task(for input: String) -> ModelTask {
        ModelTask(
            instructions: "Write a headline of at most eight words.", prompt: input,
            schema: .object([.init("headline", .string(upTo: 80))]), displayField: "headline", maximumTokens: 40)
    }
    static func draft(from text: String, for input: String) throws(ValidationFailure) -> String {
        guard let headline = try JSONExtraction.object(in: text)["headline"]?.string else { throw .undecodable }
        return headline
    }
    static func request(for input: String) -> JSONValue {
        .object(JSONObject([.init(name: "text", value: .string(input))]))
    }
    static func changes(in output: String, for input: String) -> [Change] {
        [Change(id: ChangeID("headline"), title: "Headline", before: "", after: output)]
    }
    static func draft(
        of output: String, replacing change: ChangeID, with text: String, for input: String
    ) throws(ValidationFailure) -> String { text }
}

@Suite struct SeventhOperationTests {
    @Test @MainActor func `goes through the same ladder as the six`() throws {
        let draft = try Headline.draft(from: #"{"headline": "Bread is up"}"#, for: "…")
        let review = Review(try Samples.proposal(Headline.self, draft, "…"))
        #expect(review.selection == [ChangeID("headline")])
        #expect(throws: ValidationFailure.empty) { try review.replace(ChangeID("headline"), with: "") }
        _ = try review.accept()
    }
}
