internal import RejoinCore

/// Finds the versions of each message of a tree, and where choosing one leads.
struct TreeVersions {
    private let tree: ConversationTree
    private var children: [AnswerID?: [Turn]] = [:]

    /// Looks through a tree once.
    init(_ tree: ConversationTree) {
        self.tree = tree
        for turn in tree.turns { children[turn.parent, default: []].append(turn) }
    }

    /// The answers of a turn, and which of them is shown.
    func answers(of turn: TurnID, showing answer: AnswerID) -> Choice {
        let answers = tree[turn]?.answers ?? []
        return choice(among: answers, at: answers.firstIndex(of: answer) ?? 0) { leaf(below: $0) }
    }

    /// The prompts that stand in the place of a turn's; another one without any answer cannot be gone to.
    func prompts(around turn: TurnID) -> Choice {
        let all = tree[turn].flatMap { children[$0.parent] } ?? []
        let prompts = all.filter { $0.id == turn || !$0.answers.isEmpty }
        return choice(among: prompts, at: prompts.firstIndex { $0.id == turn } ?? 0) { $0.answers.last.map(leaf) }
    }

    /// The newest end of the conversation below an answer: the answer itself where nothing follows.
    func leaf(below answer: AnswerID) -> AnswerID {
        var leaf = answer
        while let next = children[leaf]?.last(where: { !$0.answers.isEmpty })?.answers.last { leaf = next }
        return leaf
    }

    private func choice<Element>(
        among all: [Element], at index: Int, leaf: (Element) -> AnswerID?
    ) -> Choice {
        Choice(
            number: index + 1, count: max(1, all.count), previous: index > 0 ? leaf(all[index - 1]) : nil,
            next: index + 1 < all.count ? leaf(all[index + 1]) : nil)
    }
}
