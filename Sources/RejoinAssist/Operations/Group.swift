public import RejoinCore

/// Finds groups in a list that has none, and names them.
///
/// The model says a short name for each number; items with the same name are a group, and a name that only one item has
/// is none. A list of several chunks is joined by the names alone.
public enum Group: BatchOperation, ReviewableOperation {
    /// The items.
    public struct Input: Sendable, Hashable {
        /// What is to be grouped.
        public var items: [ItemBrief]

        /// Asks about items.
        public init(items: [ItemBrief]) {
            self.items = items
        }
    }

    public typealias Draft = BatchDraft
    /// For each item the name of its group.
    public typealias Output = Batch<String>

    public static var profile: OperationProfile {
        OperationProfile(
            id: "group", requires: [.text, .structuredOutput], budget: TokenBudget(input: 700, output: 250),
            risk: .medium, cost: .metered, urgency: .canWait, dataClass: .minimised)
    }
    public static var kind: ResponseKind { .actionable }

    private static let longestName = 24

    public static var pipeline: ValidationPipeline<Input, BatchDraft, Batch<String>> {
        ValidationPipeline(
            ids: { draft, input, report in draft.removeUnknownItems(input.items, &report) },
            normalise: { draft, _, report in
                // The first spelling of a name stands for all.
                var spellings: [String: String] = [:]
                var count = 0
                draft.replaceNames { word in
                    let name = name(of: word)
                    let spelling = spellings[Normalise.key(name)] ?? name
                    spellings[Normalise.key(name)] = spelling
                    if spelling != word { count += 1 }
                    return .named(spelling)
                }
                report.normalised += count
            },
            impossible: { draft, _, report in
                var count = 0
                draft.replaceNames { name in
                    if noNames.contains(Normalise.key(name)) { return .nothing }
                    guard !name.isEmpty, name.count <= longestName * 2 else {
                        count += 1
                        return .malformed
                    }
                    return .named(name)
                }
                report.impossible += count
                // Counted by items, so that a name said twice of one item is not yet a group.
                var items: [String: Set<String>] = [:]
                for (item, answer) in draft.answers {
                    if case .named(let name) = answer { items[name, default: []].insert(item) }
                }
                draft.replaceNames { name in items[name, default: []].count > 1 ? .named(name) : .nothing }
            },
            finish: { draft, input, report in draft.decisions(for: input.items, &report) })
    }

    public static func task(for input: Input) -> ModelTask {
        ModelTask(
            instructions: """
                Sort the items into groups of things that belong together, at most \(mostGroups(of: input)) of them, so that \
                most groups have several items. Answer with one JSON object that has the item's number as the name and a \
                short name for its group, of one or two words, as the value. Items of one group have exactly the same \
                name. An item that belongs to no other has "\(BatchDraft.nothing)".
                """,
            prompt: "Items:\n" + ItemLines.numbered(input.items),
            schema: ItemLines.schema(for: input.items, .string(upTo: longestName)),
            maximumTokens: 16 + 20 * input.items.count)
    }

    public static func draft(from text: String, for input: Input) throws(ValidationFailure) -> BatchDraft {
        try BatchDraft(text: text, items: input.items)
    }

    public static func request(for input: Input) -> JSONValue { .object("items", ItemLines.json(input.items)) }

    public static func chunks(of input: Input) -> [Input] { Chunks.of(input.items).map(Input.init(items:)) }

    public static func merged(
        _ outcomes: [Result<BatchDraft, AssistantFailure>], of chunks: [Input], for input: Input
    ) throws(AssistantFailure) -> BatchDraft {
        try BatchDraft.merged(outcomes, items: chunks.map { $0.items.map(\.id) })
    }

    public static func changes(in output: Batch<String>, for input: Input) -> [Change] {
        ItemLines.changes(in: output, items: input.items) { $0 }
    }

    public static func draft(
        of output: Batch<String>, replacing change: ChangeID, with text: String, for input: Input
    ) throws(ValidationFailure) -> BatchDraft {
        guard !name(of: text).isEmpty else { throw .empty }
        return ItemLines.draft(of: output, replacing: change, with: text)
    }

    /// Left to itself a small model gives each item a name of its own.
    private static func mostGroups(of input: Input) -> Int { max(2, input.items.count / 3) }

    private static let noNames: Set<String> = [BatchDraft.nothing, "other", "others", "misc", "miscellaneous", "n/a"]

    private static func name(of word: String) -> String {
        var name = Normalise.spaces(word)
        while let last = name.last, ".,:;".contains(last) { name.removeLast() }
        return name
    }
}
