public import RejoinCore

/// What a front should read again.
public enum ClientUpdate: Hashable, Sendable {
    /// The list of conversations.
    case list
    /// Something in a conversation, other than the words of an answer that grows.
    case conversation(ConversationID)
    /// More of an answer that is being written.
    case answer(AnswerID)
    /// The connection's state.
    case connection
    /// The limits.
    case limits
    /// What the person has decided about their words.
    case consent
    /// What is remembered about the person.
    case memory
}
