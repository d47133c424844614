public import RejoinCore

/// Words that a person is writing and has not sent.
public struct Draft: Equatable, Sendable {
    /// Where they are written; nil for a conversation that is yet to begin.
    public var conversation: ConversationID?
    public var text: String
    /// The turn that they are to take the place of, while a prompt is edited.
    public var editing: TurnID?
    public var updatedAt: Timestamp

    /// Puts a draft together.
    public init(conversation: ConversationID?, text: String, editing: TurnID? = nil, updatedAt: Timestamp) {
        self.conversation = conversation
        self.text = text
        self.editing = editing
        self.updatedAt = updatedAt
    }
}
