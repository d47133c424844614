public import RejoinCore

/// A conversation with all that this device holds of it.
public struct StoredTree: Equatable, Sendable {
    public var conversation: StoredConversation
    /// In the server's order; what it has not got yet comes last.
    public var turns: [StoredTurn]
    public var answers: [AnswerID: StoredAnswer]
    public var tree: ConversationTree

    /// Puts a conversation together.
    ///
    /// - Parameter order: the answers of each turn in order.
    public init(
        conversation: StoredConversation, turns: [StoredTurn], answers: [AnswerID: StoredAnswer],
        order: [TurnID: [AnswerID]]
    ) {
        self.conversation = conversation
        self.turns = turns
        self.answers = answers
        tree = ConversationTree()
        for turn in turns {
            tree.add(
                Turn(id: turn.id, parent: turn.parent, content: turn.content, answers: order[turn.id] ?? []))
        }
    }

    /// The path that is shown, first turn first.
    public var path: [ConversationTree.Step] {
        guard let last = conversation.selected ?? tree.newestLeaf else { return [] }
        return tree.path(to: last)
    }

    /// The turn of that id.
    public func turn(_ id: TurnID) -> StoredTurn? { turns.first { $0.id == id } }

    /// The answer that a next prompt follows: the end of the path, without turns that the server will never get.
    public var parentOfNextTurn: AnswerID? {
        let dead = Set(turns.lazy.filter(\.delivery.isDead).map(\.id))
        return path.last { !dead.contains($0.turn) }?.answer
    }
}

/// One prompt of a path and the answer that was chosen for it.
public struct PathStep: Equatable, Sendable {
    public var turn: StoredTurn
    public var answer: StoredAnswer

    /// Pairs a prompt with an answer.
    public init(turn: StoredTurn, answer: StoredAnswer) {
        self.turn = turn
        self.answer = answer
    }
}
