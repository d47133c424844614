public import RejoinCore

/// Sorts items into groups that the person made.
///
/// The model sees numbers and titles and says one group's title for each number; a grammar leaves it no other words.
public enum Classify: BatchOperation, ReviewableOperation {
    /// Items, and the groups that there are.
    public struct Input: Sendable, Hashable {
        /// What is to be sorted.
        public var items: [ItemBrief]
        /// Where it may go.
        public var groups: [GroupBrief]

        /// Asks about items.
        public init(items: [ItemBrief], groups: [GroupBrief]) {
            self.items = items
            self.groups = groups
        }
    }

    public typealias Draft = BatchDraft
    /// For each item the identifier of its group.
    public typealias Output = Batch<String>

    public static var profile: OperationProfile {
        OperationProfile(
            id: "classify", requires: [.text, .structuredOutput], budget: TokenBudget(input: 900, output: 200),
            risk: .low, cost: .metered, urgency: .canWait, dataClass: .minimised)
    }
    public static var kind: ResponseKind { .actionable }

    public static var pipeline: ValidationPipeline<Input, BatchDraft, Batch<String>> {
        ValidationPipeline(
            ids: { draft, input, report in
                draft.removeUnknownItems(input.items, &report)
                let words = GroupWords(input.groups)
                draft.replaceNames { word in words.id(of: word).map { .named($0) } ?? .unknownGroup }
            },
            finish: { draft, input, report in draft.decisions(for: input.items, &report) })
    }

    public static func task(for input: Input) -> ModelTask {
        let words = GroupWords(input.groups)
        let choices = words.titles + [BatchDraft.nothing]
        var prompt = "Groups:\n"
        for (group, title) in zip(input.groups, words.titles) {
            prompt += "- \(title)"
            let examples = examples(of: group)
            if !examples.isEmpty { prompt += " (such as \(examples.joined(separator: "; ")))" }
            prompt += "\n"
        }
        prompt += "\nItems:\n" + ItemLines.numbered(input.items)
        return ModelTask(
            instructions: """
                Put each item into the group that fits it best. Answer with one JSON object that has the item's number as \
                the name and the group's title as the value. Where no group fits, the value is "\(BatchDraft.nothing)".
                """,
            prompt: prompt, schema: ItemLines.schema(for: input.items, .choice(choices)),
            maximumTokens: 16 + tokens(forOneOf: choices) * input.items.count)
    }

    /// What a number and the longest choice may take: a token holds a byte at least, and quotes are written with a mark.
    private static func tokens(forOneOf choices: [String]) -> Int {
        let longest = choices.map { choice in
            choice.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "\"") || $1 == UInt8(ascii: "\\") || $1 < 0x20 ? 2 : 1) }
        }.max()
        return max(16, 10 + (longest ?? 0))
    }

    public static func draft(from text: String, for input: Input) throws(ValidationFailure) -> BatchDraft {
        try BatchDraft(text: text, items: input.items)
    }

    public static func request(for input: Input) -> JSONValue {
        .object(
            "items", ItemLines.json(input.items),
            "groups",
            .array(
                input.groups.map { group in
                    .object(
                        "id", .string(group.id), "title", .string(ItemLines.short(group.title)),
                        "examples", .array(examples(of: group).map { .string($0) }))
                }))
    }

    public static func chunks(of input: Input) -> [Input] {
        Chunks.of(input.items).map { Input(items: $0, groups: input.groups) }
    }

    public static func merged(
        _ outcomes: [Result<BatchDraft, AssistantFailure>], of chunks: [Input], for input: Input
    ) throws(AssistantFailure) -> BatchDraft {
        try BatchDraft.merged(outcomes, items: chunks.map { $0.items.map(\.id) })
    }

    public static func changes(in output: Batch<String>, for input: Input) -> [Change] {
        let titles = Dictionary(input.groups.map { ($0.id, $0.title) }) { first, _ in first }
        return ItemLines.changes(in: output, items: input.items) { titles[$0] ?? "" }
    }

    public static func draft(
        of output: Batch<String>, replacing change: ChangeID, with text: String, for input: Input
    ) throws(ValidationFailure) -> BatchDraft {
        guard GroupWords(input.groups).id(of: text) != nil else { throw .impossibleValue }
        return ItemLines.draft(of: output, replacing: change, with: text)
    }

    private static func examples(of group: GroupBrief) -> [String] { group.examples.prefix(3).map(ItemLines.short) }
}

/// The words under which a model knows the groups: their titles, short and each different.
struct GroupWords {
    let titles: [String]
    private let groups: [GroupBrief]
    private let ids: Set<String>

    init(_ groups: [GroupBrief]) {
        self.groups = groups
        ids = Set(groups.map(\.id))
        var taken: Set<String> = [BatchDraft.nothing]
        titles = groups.map { group in
            let short = ItemLines.short(group.title)
            var title = short
            var number = 2
            while title.isEmpty || !taken.insert(Normalise.key(title)).inserted {
                title = "\(short) \(number)"
                number += 1
            }
            return title
        }
    }

    /// The group that a word means: its identifier as it stands, or its title in any case.
    func id(of word: String) -> String? {
        if let title = Normalise.choice(word, of: titles), let index = titles.firstIndex(of: title) {
            return groups[index].id
        }
        return ids.contains(word) ? word : nil
    }
}
