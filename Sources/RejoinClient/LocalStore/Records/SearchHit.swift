public import RejoinCore

/// A place where the words that were looked for stand.
public struct SearchHit: Equatable, Sendable {
    public var conversation: ConversationID
    /// The turn, if they stand in a prompt or an answer; nil for a title.
    public var turn: TurnID?
    /// The answer, if they stand in one.
    public var answer: AnswerID?
    /// The conversation's title.
    public var title: String
    /// The words with what is around them.
    public var snippet: String
    /// Where in the snippet the words are, as offsets of UTF-8 bytes, in order.
    public var matches: [Range<Int>]

    /// Puts a hit together.
    public init(
        conversation: ConversationID, turn: TurnID?, answer: AnswerID?, title: String, snippet: String,
        matches: [Range<Int>]
    ) {
        self.conversation = conversation
        self.turn = turn
        self.answer = answer
        self.title = title
        self.snippet = snippet
        self.matches = matches
    }
}
