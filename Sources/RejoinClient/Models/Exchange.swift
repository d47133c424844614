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

    /// Names a choice.
    public init(number: Int, count: Int, previous: AnswerID?, next: AnswerID?) {
        self.number = number
        self.count = count
        self.previous = previous
        self.next = next
    }
}
