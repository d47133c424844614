import RejoinCore
import Synchronization

/// The path of a conversation on several devices: the last one that a person took counts, on all of them.
///
/// What the server says of it counts for nothing while a choice of this device is under way. That choice may come to
/// nothing, or to the server before what it said: then there is no further change to hear of, and it is asked once more.
extension ConversationClient {
    /// Where the requests stand that choose a path of a conversation; odd while one is under way.
    func turnover(of conversation: ConversationID) -> Int { state.withLock { $0.turnovers[conversation] ?? 0 } }

    /// Runs the request of an entry, and counts it.
    func counting<Result>(_ entry: OutboxEntry, _ request: () async throws -> Result) async rethrows -> Result {
        guard entry.kind.choosesPath, let conversation = entry.conversation else { return try await request() }
        state.withLock { $0.turnovers[conversation, default: 0] += 1 }
        defer { state.withLock { $0.turnovers[conversation, default: 0] += 1 } }
        return try await request()
    }

    /// Takes in what the server holds of a conversation.
    ///
    /// - Parameter turnover: where requests stood when the server was asked.
    @discardableResult
    func merge(_ tree: ServerTree, askedFor turnover: Int) async throws -> Merged {
        let merged = try await store.merge(tree)
        let id = tree.conversation.id
        guard merged == .merged, let selected = tree.selected else { return merged }
        let isCrossed = self.turnover(of: id) != turnover || turnover % 2 != 0
        let isOther = try await store.line(id)?.selected != selected
        let isPending = isOther ? Self.choosesPath(of: id, try await store.outbox()) : false
        if isCrossed || isPending {
            state.withLock { $0.doubtfulPaths[id, default: 0] += 1 }
            outboxWake.call()
        }
        return merged
    }

    /// Doubts the paths that this device was choosing when it was last used.
    func doubtPaths() async throws {
        let choosing = try await store.outbox().filter(\.kind.choosesPath).compactMap(\.conversation)
        state.withLock { state in for id in choosing { state.doubtfulPaths[id, default: 0] += 1 } }
    }

    /// Asks for the paths that are in doubt, where nothing of ours is under way any more.
    ///
    /// - Returns: whether any was asked for.
    func settlePaths(_ entries: [OutboxEntry]) async throws -> Bool {
        let doubtful = state.withLock { $0.doubtfulPaths }.filter { !Self.choosesPath(of: $0.key, entries) }
        for (conversation, doubts) in doubtful {
            try await askForPath(of: conversation)
            state.withLock { state in
                // What came into doubt meanwhile is asked for again.
                if state.doubtfulPaths[conversation] == doubts { state.doubtfulPaths[conversation] = nil }
            }
        }
        return !doubtful.isEmpty
    }

    private func askForPath(of conversation: ConversationID) async throws {
        let turnover = turnover(of: conversation)
        do {
            // Changes nothing, and gives the line as it is now.
            let summary = try await client.change(conversation, ConversationPatch())
            tracker.noteAnswer()
            try await merge(
                ServerTree(
                    conversation: ServerConversation(summary), turns: [], selected: summary.selected, isWhole: false),
                askedFor: turnover)
            hub.post([.conversation(conversation), .list])
        } catch let error as ClientError where error.isAbsence {
            // What never got there has no path there; if it is gone, the feed says so.
        }
    }

    private static func choosesPath(of conversation: ConversationID, _ entries: [OutboxEntry]) -> Bool {
        entries.contains { $0.conversation == conversation && $0.kind.choosesPath }
    }
}

extension OutboxKind {
    /// Whether it puts an answer at the end of the path that is shown.
    fileprivate var choosesPath: Bool {
        switch self {
        case .turn, .regenerate, .select: true
        case .stop, .rename, .pin, .archive, .delete, .deleteAll: false
        }
    }
}
