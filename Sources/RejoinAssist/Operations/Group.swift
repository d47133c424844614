public import RejoinCore

/// Finds groups in a list that has none, and names them.
///
/// The model first names a few groups under letters, and then says a letter for each item's number; a grammar leaves it no
/// other words, so that items share names. A name that only one item has is none. A list of several chunks is joined by
/// the names alone.
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
        let letters = letters(for: input)
        return ModelTask(
            instructions: """
                Sort the items into groups of things that belong together. Answer with one JSON object. Under \
                \(letters.map { "\"\($0)\"" }.joined(separator: ", ")) it names the groups, each in one or two words for a \
                kind of thing that several items are. Then it has each item's number with the letter of its group.
                """,
            prompt: "Items:\n" + ItemLines.numbered(input.items), schema: schema(for: input, letters),
            maximumTokens: 32 + 12 * (input.items.count + letters.count))
    }

    private static func schema(for input: Input, _ letters: [String]) -> DraftSchema {
        let names = letters.map {
            DraftSchema.Property($0, .string(upTo: longestName), meaning: "the name of group \($0)")
        }
        let items = input.items.enumerated().map {
            DraftSchema.Property(
                String($0 + 1), .choice(letters), meaning: ItemLines.short($1.title))
        }
        return .object(names + items)
    }

    public static func draft(from text: String, for input: Input) throws(ValidationFailure) -> BatchDraft {
        let object = try JSONExtraction.object(in: text)
        let letters = Set(letters(for: input))
        var names: [String: String] = [:]
        for member in object.members where letters.contains(member.name) { names[member.name] = member.value.string }
        guard !names.isEmpty else { return try BatchDraft(text: text, items: input.items) }
        // What stands under a letter is no item; what an item says is a letter, or a name as it stands.
        let items = object.members.filter { !letters.contains($0.name) }
        var draft = BatchDraft(members: items, items: input.items)
        draft.replaceNames { word in
            letters.contains(word) ? names[word].map { .named($0) } ?? .malformed : .named(word)
        }
        return draft
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

    /// Left to itself a small model gives each item a name of its own, and where it may say that an item belongs nowhere
    /// it says so of all: there are fewer letters than items, and an item with a letter of its own is in no group.
    private static func letters(for input: Input) -> [String] {
        let count = min(max(2, (input.items.count + 1) / 2), 5)
        return (0..<count).map { String(UnicodeScalar(UInt8(ascii: "A") + UInt8($0))) }
    }

    private static let noNames: Set<String> = [BatchDraft.nothing, "other", "others", "misc", "miscellaneous", "n/a"]

    private static func name(of word: String) -> String {
        var name = Normalise.spaces(word)
        while let last = name.last, ".,:;".contains(last) { name.removeLast() }
        return name
    }
}
