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
    /// What was said before, oldest first, where the prompt goes on with a conversation; `nil` for a task by itself.
    ///
    /// A task of a conversation gets a session of its own: no other conversation may find its way into it.
    public var conversation: [Exchange]?

    /// A prompt and what was answered.
    public struct Exchange: Sendable, Hashable {
        /// What the person said.
        public var prompt: String
        /// What was answered; empty where nothing was.
        public var reply: String

        /// Notes what was said.
        public init(prompt: String, reply: String) {
            self.prompt = prompt
            self.reply = reply
        }
    }

    /// Describes a task for a model.
    public init(
        instructions: String, prompt: String, schema: DraftSchema? = nil, displayField: String? = nil,
        maximumTokens: Int, pictures: [PictureReference] = [], conversation: [Exchange]? = nil
    ) {
        self.instructions = instructions
        self.prompt = prompt
        self.schema = schema
        self.displayField = displayField
        self.maximumTokens = maximumTokens
        self.pictures = pictures
        self.conversation = conversation
    }
}

extension ModelTask {
    /// The prompt below what was said before, for a model that is told everything in one go.
    public var wholePrompt: String {
        guard let conversation, !conversation.isEmpty else { return prompt }
        let before = conversation.map { exchange in
            exchange.reply.isEmpty ? "Person: \(exchange.prompt)" : "Person: \(exchange.prompt)\nYou: \(exchange.reply)"
        }
        return "What was said before:\n" + before.joined(separator: "\n") + "\n\nPerson: " + prompt
    }
}
