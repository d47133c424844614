import RejoinCore
import Synchronization

/// The path of a conversation on several devices: the last one that a person took counts, on all of them.
///
/// What the server says of it counts only if nothing came between the question and the answer: no choice of this device,
/// and no other answer of the server. Otherwise it is asked once more, since there may be no further change to hear of.
/// That is noted in the outbox, with what was taken in, so that a kill does not lose it.
extension ConversationClient {
    /// Where a conversation stands that the server is asked about; odd while a request is under way that chooses a path.
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
    /// - Parameter turnover: where the conversation stood when the server was asked.
    @discardableResult
    func merge(_ tree: ServerTree, askedFor turnover: Int) async throws -> Merged {
        let id = tree.conversation.id
        return try await store.merge(tree) {
            state.withLock { state in
                let current = state.turnovers[id] ?? 0
                // Of two answers that crossed nobody knows which is the newer: the second makes the first count no more.
                state.turnovers[id] = current + 2
                return current != turnover || turnover % 2 != 0
            }
        }
    }

    /// Takes in the line of a conversation, with the path that the server shows.
    func merge(_ line: ConversationSummary, askedFor turnover: Int) async throws {
        try await merge(
            ServerTree(conversation: ServerConversation(line), turns: [], selected: line.selected, isWhole: false),
            askedFor: turnover)
    }

    /// Asks for the line of a conversation, with the path that the server shows.
    func fetchLine(of conversation: ConversationID) async throws {
        let turnover = turnover(of: conversation)
        // Changes nothing, and gives the line as it is now.
        let line = try await client.change(conversation, ConversationPatch())
        tracker.noteAnswer()
        try await merge(line, askedFor: turnover)
    }
}

extension OutboxKind {
    /// Whether it puts an answer at the end of the path that is shown.
    var choosesPath: Bool {
        switch self {
        case .turn, .regenerate, .select: true
        case .stop, .rename, .pin, .archive, .delete, .deleteAll, .askForPath: false
        }
    }
}
