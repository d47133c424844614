/// What a model is asked to do for one input: the same on the device and behind the server.
public struct ModelTask: Sendable, Hashable {
    /// What the model is told once.
    public var instructions: String
    /// The input, in words.
    public var prompt: String
    /// The shape of the output; `nil` for plain text.
    public var schema: DraftSchema?
    /// The property of the output that may be shown while it grows; `nil` shows plain text, and nothing of an object.
    public var displayField: String?
    /// The longest output, in tokens.
    public var maximumTokens: Int
    /// What the model is to look at beside the words.
    public var pictures: [PictureReference]

    /// Describes a task for a model.
    public init(
        instructions: String, prompt: String, schema: DraftSchema? = nil, displayField: String? = nil,
        maximumTokens: Int, pictures: [PictureReference] = []
    ) {
        self.instructions = instructions
        self.prompt = prompt
        self.schema = schema
        self.displayField = displayField
        self.maximumTokens = maximumTokens
        self.pictures = pictures
    }
}
