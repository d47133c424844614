public import RejoinCore

/// A prompt with every id it will ever have, made before the first byte is sent.
///
/// Keep it: sending the same draft again, however often, is the same turn.
public struct TurnDraft: Equatable, Sendable {
    public var conversation: ConversationID
    public var turn: TurnID
    public var answer: AnswerID
    /// The answer that the person was looking at; nil for a first turn.
    public var parent: AnswerID?
    public var content: [ContentPart]
    /// The model's name, or `auto`.
    public var model: String
    /// Whether a conversation that this begins leaves nothing behind.
    public var isTemporary: Bool

    /// Puts a draft together.
    public init(
        conversation: ConversationID, turn: TurnID, answer: AnswerID, parent: AnswerID?, content: [ContentPart],
        model: String = "auto", isTemporary: Bool = false
    ) {
        self.conversation = conversation
        self.turn = turn
        self.answer = answer
        self.parent = parent
        self.content = content
        self.model = model
        self.isTemporary = isTemporary
    }

    /// Drafts words under fresh ids.
    ///
    /// - Parameter conversation: nil begins a new one.
    public init(
        _ text: String, in conversation: ConversationID? = nil, after parent: AnswerID? = nil, model: String = "auto",
        ids: IDSource
    ) {
        self.init(
            conversation: conversation ?? ids.make(), turn: ids.make(), answer: ids.make(), parent: parent,
            content: [.text(text)], model: model)
    }

    var path: String { "/v1/conversations/\(conversation)/turns/\(turn)" }

    /// The body of the `PUT`.
    var json: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.name("parent")
        if let parent { json.id(parent) } else { json.null() }
        json.name("answer")
        json.id(answer)
        json.name("content")
        json.beginArray()
        for part in content {
            json.beginObject()
            switch part {
            case .text(let text):
                json.member("type", "text")
                json.member("text", text)
            case .attachment(let attachment):
                // By reference alone: the server knows the rest from the upload.
                json.member("type", "attachment")
                json.name("upload")
                json.id(attachment.upload)
            }
            json.endObject()
        }
        json.endArray()
        json.member("model", model)
        if isTemporary {
            json.name("temporary")
            json.bool(true)
        }
        json.name("options")
        json.beginObject()
        json.endObject()
        json.endObject()
        return json.bytes
    }
}
