import RejoinCore

/// What a model is given: the path that the person sees, and nothing else.
package enum ModelContext {
    /// Builds a request from the visible path, its last step the prompt to be answered.
    ///
    /// A step whose answer has no text leaves only its prompt: the model is never shown words that nobody saw.
    package static func request(path: [PathStep], options: RunOptions) -> ModelRequest {
        var messages: [ModelMessage] = []
        if let instructions = options.instructions { messages.append(ModelMessage(.system, instructions)) }
        messages += options.context
        for step in path {
            messages.append(ModelMessage(.user, ContentPart.text(of: step.prompt)))
            let reply = ContentPart.text(of: step.reply)
            if step.answer != nil, !reply.isEmpty { messages.append(ModelMessage(.assistant, reply)) }
        }
        var schema: [UInt8]?
        if let value = options.schema {
            var json = JSONWriter()
            json.value(value)
            schema = json.bytes
        }
        return ModelRequest(
            messages: messages, maximumOutputTokens: options.maximumOutputTokens, temperature: options.temperature,
            topP: options.topP, seed: options.seed, stop: options.stop, schema: schema)
    }

    /// Leaves out the oldest turns: each a prompt with the replies that follow it.
    ///
    /// System messages stay.
    package static func dropping(_ turns: Int, from messages: [ModelMessage]) -> [ModelMessage] {
        var kept: [ModelMessage] = []
        var dropped = 0
        var isDropping = false
        for message in messages {
            switch message.role {
            case .system: kept.append(message)
            case .user:
                isDropping = dropped < turns
                if isDropping { dropped += 1 } else { kept.append(message) }
            case .assistant: if !isDropping { kept.append(message) }
            }
        }
        return kept
    }

    /// Tokens by rule of thumb, for what a model did not report: four bytes a token.
    package static func estimatedTokens(_ bytes: Int) -> Int { (bytes + 3) / 4 }
}
