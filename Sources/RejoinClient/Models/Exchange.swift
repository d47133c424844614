public import RejoinCore

/// One prompt of the path that is shown, with its answer.
public struct Exchange: Identifiable, Sendable {
    public var id: TurnID { turn.id }
    public let turn: StoredTurn
    public let answer: AnswerModel
    /// The answers of this turn, of which one is shown.
    public let versions: Choice
    /// The prompts in this place, of which one is shown.
    public let branches: Choice

    /// The words of the prompt.
    public var prompt: String { ContentPart.text(of: turn.content) }
}

/// Which of several is shown, and what to select to see the ones beside it.
public struct Choice: Equatable, Sendable {
    /// From 1.
    public let number: Int
    public let count: Int
    /// The end of the path through the one before; nil at the first.
    public let previous: AnswerID?
    /// The end of the path through the one after; nil at the last.
    public let next: AnswerID?
}

extension StoredTree {
    /// The answers of a turn, and which of them is shown.
    func versions(of turn: TurnID, showing answer: AnswerID) -> Choice {
        choice(among: tree[turn]?.answers ?? [], showing: answer) { leaf(below: $0) }
    }

    /// The prompts that stand where a turn stands, and which of them is shown.
    func branches(of turn: StoredTurn) -> Choice {
        let siblings = tree.turns.filter { $0.parent == turn.parent }.map(\.id)
        return choice(among: siblings, showing: turn.id) { tree[$0]?.answers.last.flatMap { leaf(below: $0) } }
    }

    /// The end of the newest path through an answer.
    func leaf(below answer: AnswerID) -> AnswerID {
        var leaf = answer
        // Turns are in the order of their age, so that one pass finds each next step.
        for turn in tree.turns where turn.parent == leaf {
            // The newest of several branches is the last.
            let newest = tree.turns.last { $0.parent == leaf } ?? turn
            guard let next = newest.answers.last else { break }
            leaf = next
        }
        return leaf
    }

    private func choice<Element: Equatable>(
        among all: [Element], showing shown: Element, leaf: (Element) -> AnswerID?
    ) -> Choice {
        let index = all.firstIndex(of: shown) ?? 0
        return Choice(
            number: index + 1, count: max(1, all.count), previous: index > 0 ? leaf(all[index - 1]) : nil,
            next: index + 1 < all.count ? leaf(all[index + 1]) : nil)
    }
}
