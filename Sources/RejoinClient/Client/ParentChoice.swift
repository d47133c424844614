public import RejoinCore

/// What a new prompt continues.
public enum ParentChoice: Equatable, Sendable {
    /// The answer at the end of the path that is shown.
    case selected
    /// Nothing: it is a first prompt.
    case none
    /// This answer.
    case answer(AnswerID)
}
