import RejoinCore

/// What a model said about the items of a list: untrusted, perhaps of items that nobody asked about.
public struct BatchDraft: Sendable, Hashable {
    /// What it said of one item.
    public enum Answer: Sendable, Hashable {
        /// A word: a group's identifier, or its title.
        case named(String)
        /// That nothing fits.
        case nothing
        /// Something that cannot be read.
        case malformed
        /// A group that does not exist.
        case unknownGroup
    }

    /// What was said, in the order in which it was said; an item may occur twice.
    public var answers: [(item: String, answer: Answer)] {
        get { said.map { ($0.item, $0.answer) } }
        set { said = newValue.map { Said(item: $0.item, answer: $0.answer) } }
    }
    /// Items whose chunk did not come back.
    public var pending: Set<String>
    /// Items whose chunk came back and cannot be read.
    public var unreadable: Set<String>

    private struct Said: Sendable, Hashable {
        let item: String
        let answer: Answer
    }
    private var said: [Said]

    /// Takes down what was said.
    public init(
        _ answers: [(item: String, answer: Answer)] = [], pending: Set<String> = [], unreadable: Set<String> = []
    ) {
        said = answers.map { Said(item: $0.item, answer: $0.answer) }
        self.pending = pending
        self.unreadable = unreadable
    }

    /// The word with which a model says that nothing fits.
    static let nothing = "none"

    /// Reads a model's output about items that it was shown under numbers from 1.
    ///
    /// Two forms are read: the one that the prompts ask for, `{"1": "Food", "2": "none"}`, and
    /// `{"items": [{"id": "a7", "group": "Food"}]}` with the items' own identifiers.
    ///
    /// - Throws: ``ValidationFailure/undecodable``.
    init(text: String, items: [ItemBrief]) throws(ValidationFailure) {
        let object = try JSONExtraction.object(in: text)
        if let list = object["items"]?.array {
            self.init(
                list.map { element in
                    let entry = element.object
                    return (entry?["id"]?.string ?? "", Self.answer(entry?["group"]))
                })
        } else {
            self.init(members: object.members, items: items)
        }
    }

    /// Reads what was said under the items' numbers from 1; what stands under another name is of no item.
    init(members: [JSONObject.Member], items: [ItemBrief]) {
        self.init(
            members.map { member in
                let number = Int(member.name).flatMap {
                    (1...max(1, items.count)).contains($0) && !items.isEmpty ? $0 : nil
                }
                return (number.map { items[$0 - 1].id } ?? "", Self.answer(member.value))
            })
    }

    private static func answer(_ value: JSONValue?) -> Answer {
        switch value {
        case .string(let word): Normalise.key(word) == nothing ? .nothing : .named(word)
        case .null: .nothing
        default: .malformed
        }
    }

    /// Puts the drafts of chunks together: a failed chunk leaves its items pending, an unreadable one leaves them alone.
    ///
    /// - Throws: the first failure where no chunk came back: then nothing may say that there is nothing to change.
    static func merged(
        _ outcomes: [Result<BatchDraft, AssistantFailure>], items: [[String]]
    ) throws(AssistantFailure) -> BatchDraft {
        var whole = BatchDraft()
        var firstFailure: AssistantFailure?
        var hasAnswer = outcomes.isEmpty
        for (index, ids) in items.enumerated() {
            // A chunk that was never asked for, since the person stopped, is pending like one that failed.
            switch index < outcomes.count ? outcomes[index] : .failure(.cancelled) {
            case .success(let draft):
                hasAnswer = true
                // A chunk has a say about its own items only.
                let own = Set(ids)
                whole.said += draft.said.map { own.contains($0.item) ? $0 : Said(item: "", answer: $0.answer) }
                whole.pending.formUnion(draft.pending)
                whole.unreadable.formUnion(draft.unreadable)
            case .failure(.decoding):
                whole.unreadable.formUnion(ids)
                firstFailure = firstFailure ?? .decoding
            case .failure(let failure):
                whole.pending.formUnion(ids)
                firstFailure = firstFailure ?? failure
            }
        }
        if !hasAnswer, let firstFailure { throw firstFailure }
        return whole
    }

    /// Takes out what was said of items that nobody submitted.
    mutating func removeUnknownItems(_ items: [ItemBrief], _ report: inout ValidationReport) {
        let known = Set(items.map(\.id))
        let count = said.count
        said.removeAll { !known.contains($0.item) }
        report.unknownIDs += count - said.count
    }

    /// Replaces every word by another answer.
    mutating func replaceNames(_ replacement: (String) -> Answer) {
        said = said.map { entry in
            guard case .named(let word) = entry.answer else { return entry }
            return Said(item: entry.item, answer: replacement(word))
        }
    }

    /// One decision for each item.
    func decisions(for items: [ItemBrief], _ report: inout ValidationReport) -> Batch<String> {
        var answers: [String: Set<Answer>] = [:]
        for entry in said { answers[entry.item, default: []].insert(entry.answer) }
        let entries = items.map { item in
            Batch<String>.Entry(id: item.id, decision: decision(on: item, answers[item.id, default: []]))
        }
        for entry in entries {
            switch entry.decision {
            case .change: report.changed += 1
            case .keep: report.kept += 1
            case .pending: report.pending += 1
            }
        }
        return Batch(entries)
    }

    private func decision(on item: ItemBrief, _ answers: Set<Answer>) -> Decision<String> {
        if pending.contains(item.id) { return .pending }
        if unreadable.contains(item.id) { return .keep(.malformed) }
        guard answers.count < 2 else { return .keep(.conflicting) }
        switch answers.first {
        case nil: return .keep(.missing)
        case .nothing: return .keep(.nothingFits)
        case .malformed: return .keep(.malformed)
        case .unknownGroup: return .keep(.unknownGroup)
        case .named(let group): return group == item.group ? .keep(.alreadySo) : .change(group)
        }
    }
}
