package import RejoinCore

/// One message of a prompt.
package struct LocalMessage: Equatable, Sendable {
    /// Who says it.
    package enum Role: String, Sendable { case system, user, assistant }

    package var role: Role
    /// Plain text: control words of the model inside it stay text.
    package var text: String

    /// Puts a text into a mouth.
    package init(_ role: Role, _ text: String) {
        self.role = role
        self.text = text
    }
}

/// What a local model is asked.
package struct GenerationRequest: Equatable, Sendable {
    /// The conversation in order, what is to be answered last.
    package var messages: [LocalMessage]
    package var sampling: Sampling
    /// The most tokens of the answer; nil is as many as the context holds.
    package var maximumOutputTokens: Int?
    /// Texts at which the answer ends; they are not part of it.
    package var stop: [String]
    /// A JSON schema that the answer must follow; nil for free text.
    package var schema: JSONValue?

    /// Asks for an answer to a conversation.
    package init(
        messages: [LocalMessage], sampling: Sampling = Sampling(), maximumOutputTokens: Int? = nil,
        stop: [String] = [], schema: JSONValue? = nil
    ) {
        self.messages = messages
        self.sampling = sampling
        self.maximumOutputTokens = maximumOutputTokens
        self.stop = stop
        self.schema = schema
    }
}

/// How an answer of a local model ended, and what it took.
package struct GenerationResult: Equatable, Sendable {
    /// Why it ended.
    package enum Reason: Equatable, Sendable {
        /// The model had said all.
        case complete
        /// One of the stop texts came.
        case stopText
        case outputLimit
        /// Prompt and answer fill the context.
        case contextFull
        /// The task was cancelled; the model has stopped.
        case cancelled
    }

    package var reason: Reason
    package var statistics: GenerationStatistics
}

/// What an answer took.
package struct GenerationStatistics: Equatable, Sendable {
    package var promptTokens = 0
    /// Those of the prompt that were evaluated earlier and kept.
    package var reusedTokens = 0
    package var outputTokens = 0
    /// Seconds from asking to the first token, the wait in the queue included; nil if none came.
    package var secondsToFirstToken: Double?
    /// Seconds from asking to the end.
    package var seconds = 0.0
}
