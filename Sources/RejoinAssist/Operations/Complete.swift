public import RejoinCore

/// Fills in what the person would most likely choose, from what they chose before.
///
/// A rule answers: the same words before, or words that all occur in an earlier choice. Only where history says nothing
/// may a model be asked, and then it can choose among the person's own categories alone.
public enum Complete: ReviewableOperation {
    /// What is being filled in, and what was chosen before.
    public struct Input: Sendable, Hashable {
        /// What the person has written so far.
        public var text: String
        /// What they chose before, the latest last.
        public var history: [PastChoice]

        /// Asks for a category.
        public init(text: String, history: [PastChoice]) {
            self.text = text
            self.history = history
        }
    }

    /// One earlier choice.
    public struct PastChoice: Sendable, Hashable {
        /// What it was for.
        public let text: String
        /// What was chosen.
        public let category: String

        /// Takes down a choice.
        public init(_ text: String, _ category: String) {
            self.text = text
            self.category = category
        }
    }

    public typealias Draft = String
    public typealias Output = String

    public static var profile: OperationProfile {
        OperationProfile(
            id: "complete", requires: .text, budget: TokenBudget(input: 300, output: 20), risk: .low, cost: .free,
            urgency: .now, dataClass: .minimised)
    }
    public static var kind: ResponseKind { .actionable }

    public static var pipeline: ValidationPipeline<Input, String, String> {
        ValidationPipeline(
            ids: { (draft, input, report) throws(ValidationFailure) in
                guard let category = Normalise.choice(draft, of: Set(input.history.map(\.category))) else {
                    report.unknownIDs += 1
                    throw .impossibleValue
                }
                if category != draft { report.normalised += 1 }
                draft = category
            },
            finish: { draft, _, report in
                report.changed += 1
                return draft
            })
    }

    public static func rule(for input: Input) -> String? {
        let text = Normalise.key(input.text)
        guard !text.isEmpty else { return nil }
        let history = input.history.suffix(500)
        if let category = usual(history.filter { Normalise.key($0.text) == text }) { return category }
        let words = words(of: text)
        guard !words.isEmpty else { return nil }
        return usual(history.filter { words.isSubset(of: self.words(of: Normalise.key($0.text))) })
    }

    public static func task(for input: Input) -> ModelTask {
        let categories = categories(in: input)
        return ModelTask(
            instructions: """
                Choose the category that fits the text best. Answer with one JSON object with the property "category".
                """,
            prompt: "Categories: \(categories.joined(separator: ", "))\nText: \(ItemLines.short(input.text))",
            schema: .object([.init("category", .choice(categories))]), maximumTokens: 32)
    }

    public static func draft(from text: String, for input: Input) throws(ValidationFailure) -> String {
        guard let category = try JSONExtraction.object(in: text)["category"]?.string else { throw .undecodable }
        return category
    }

    public static func request(for input: Input) -> JSONValue {
        .object(
            "text", .string(ItemLines.short(input.text)),
            "categories", .array(categories(in: input).map { .string($0) }))
    }

    public static func changes(in output: String, for input: Input) -> [Change] {
        [Change(id: ChangeID("category"), title: ItemLines.short(input.text), before: "", after: output)]
    }

    public static func draft(
        of output: String, replacing change: ChangeID, with text: String, for input: Input
    ) throws(ValidationFailure) -> String { text }

    /// The category of most of them, the latest where two are equal; none where they disagree too much to guess.
    private static func usual(_ choices: [PastChoice]) -> String? {
        let recent = choices.suffix(5)
        var counts: [String: Int] = [:]
        for choice in recent { counts[choice.category, default: 0] += 1 }
        guard let most = counts.values.max(), most * 2 >= recent.count else { return nil }
        return recent.last { counts[$0.category] == most }?.category
    }

    private static func words(of text: String) -> Set<String> {
        Set(text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).map(String.init).filter { $0.count > 2 })
    }

    /// The categories of the latest choices, at most twenty, the latest first.
    private static func categories(in input: Input) -> [String] {
        var categories: [String] = []
        for choice in input.history.reversed() where !categories.contains(choice.category) {
            categories.append(choice.category)
            if categories.count == 20 { break }
        }
        return categories
    }
}
