import RejoinCore

@testable import RejoinClient

/// All that a front can see of a store.
struct StoreView: Equatable, Sendable {
    struct Told: Equatable, Sendable {
        var kind: OutboxKind
        var conversation: ConversationID?
    }

    var list: [StoredConversation] = []
    var trees: [ConversationID: StoredTree] = [:]
    var outbox: [Told] = []
    var drafts: [String: String] = [:]
    var deleted: Set<UInt64> = []

    init() {}

    /// Reads everything that a script can have touched.
    init(_ store: LocalStore) async throws {
        list = try await store.list(limit: 100, includeArchived: true)
        for line in list { trees[line.id] = try await store.conversation(line.id) }
        outbox = try await store.outbox().map { Told(kind: $0.kind, conversation: $0.conversation) }
        drafts["new"] = try await store.draft(for: nil)?.text
        for number in UInt64(1)...3 {
            let id = StoreSample.conversation(number)
            drafts["\(number)"] = try await store.draft(for: id)?.text
            if try await store.isDeleted(id) { deleted.insert(number) }
        }
    }

    /// The first thing that differs, in words; nil if nothing does.
    func difference(from other: StoreView) -> String? {
        if list != other.list { return "list: \(list)\n-- is not --\n\(other.list)" }
        for id in Set(trees.keys).union(other.trees.keys) {
            guard let left = trees[id], let right = other.trees[id] else { return "tree \(id.low) on one side alone" }
            if left.turns != right.turns { return "turns of \(id.low): \(left.turns)\n-- are not --\n\(right.turns)" }
            for answer in Set(left.answers.keys).union(right.answers.keys)
            where left.answers[answer] != right.answers[answer] {
                return """
                    answer \(answer.low): \(String(describing: left.answers[answer]))
                    -- is not --
                    \(String(describing: right.answers[answer]))
                    """
            }
            if left != right { return "tree \(id.low): \(left.tree)\n-- is not --\n\(right.tree)" }
        }
        if outbox != other.outbox { return "outbox: \(outbox)\n-- is not --\n\(other.outbox)" }
        if drafts != other.drafts { return "drafts: \(drafts)\n-- are not --\n\(other.drafts)" }
        if deleted != other.deleted { return "deleted: \(deleted)\n-- is not --\n\(other.deleted)" }
        return nil
    }
}
