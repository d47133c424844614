package import RejoinCore

/// What a key asks for beyond the screen.
package enum ChatAction: Equatable, Sendable {
    /// Nil begins a new conversation.
    case open(ConversationID?)
    case send(String)
    case edit(TurnID, String)
    /// Ends an answer, or takes its prompt back if that waits on this device.
    case stop(AnswerID)
    case regenerate(TurnID)
    case retry(TurnID)
    /// Shows the path that ends with an answer.
    case select(AnswerID)
    case delete(ConversationID)
    case rename(ConversationID, String)
    case pin(ConversationID, Bool)
    case search(String)
    case copy(String)
    /// Goes on with what was typed in the conversation at another time.
    case saveDraft
    /// More of the list is needed than is there.
    case listMore
    /// Moves the conversation on the screen by lines; negative is up.
    case scroll(Int)
    /// Brings the message under the cursor onto the screen.
    case reveal
    case repaint
    case suspend
    case quit
}
