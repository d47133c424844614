package import RejoinCore

/// Finds the versions of each message of a tree, and where choosing one leads.
package struct TreeVersions: Sendable {
    private let tree: ConversationTree
    private var children: [AnswerID?: [Turn]] = [:]

    /// Looks through a tree once.
    package init(_ tree: ConversationTree) {
        self.tree = tree
        for turn in tree.turns { children[turn.parent, default: []].append(turn) }
    }

    /// The answers to the prompt of an answer.
    package func answers(around answer: AnswerID) -> Versions? {
        guard let turn = tree.turn(of: answer), let index = turn.answers.firstIndex(of: answer) else { return nil }
        func end(_ index: Int) -> AnswerID? {
            turn.answers.indices.contains(index) ? leaf(below: turn.answers[index]) : nil
        }
        return Versions(position: index + 1, count: turn.answers.count, previous: end(index - 1), next: end(index + 1))
    }

    /// The prompts that were written in the place of a prompt; those without any answer cannot be gone to.
    package func prompts(around turn: TurnID) -> Versions? {
        guard let own = tree[turn] else { return nil }
        let siblings = (children[own.parent] ?? []).filter { $0.id == turn || !$0.answers.isEmpty }
        guard let index = siblings.firstIndex(where: { $0.id == turn }) else { return nil }
        func end(_ index: Int) -> AnswerID? {
            guard siblings.indices.contains(index) else { return nil }
            return siblings[index].answers.last.map(leaf)
        }
        return Versions(position: index + 1, count: siblings.count, previous: end(index - 1), next: end(index + 1))
    }

    /// The newest end of the conversation below an answer: the answer itself where nothing follows.
    package func leaf(below answer: AnswerID) -> AnswerID {
        var leaf = answer
        while let next = children[leaf]?.last(where: { !$0.answers.isEmpty })?.answers.last { leaf = next }
        return leaf
    }
}
