package import RejoinCore

/// A model that answers: in this process, or behind an address.
///
/// A provider turns whatever its model says into pieces and one end, in our words. It keeps nothing of a run.
package protocol ModelProvider: Sendable {
    /// The name that configuration gave it.
    var name: String { get }
    var placement: Event.Placement { get }
    /// How many answers it can work on at once; more wait in the queue.
    var capacity: Int { get }
    /// Whether it can start now. Cheap, and never waits.
    var availability: ModelAvailability { get }
    /// Loads what has to be loaded; returns when the model is ready or has failed for good.
    func prepare() async

    /// How much of a conversation fits with room for an answer, oldest turns dropped first.
    func fit(_ request: ModelRequest) async -> ContextFit

    /// Answers, handing over each piece as it comes.
    ///
    /// `emit` waits while the log is behind; a provider must not run ahead of it. When the task is cancelled the
    /// provider stops its model at once and returns ``ModelEnd/cancelled``.
    func generate(_ request: ModelRequest, emit: @Sendable (ModelPiece) async -> Void) async -> ModelEnd
}

/// Whether a model can answer.
package enum ModelAvailability: Equatable, Sendable {
    case ready
    /// It is being loaded; `progress` from 0 to 1 where known.
    case loading(progress: Double?)
    /// It cannot answer, in words for the operator.
    case unavailable(String)
}

/// Who says a message in the context.
package enum ModelRole: String, Equatable, Sendable { case system, user, assistant }

/// One message of the context.
package struct ModelMessage: Equatable, Sendable {
    package var role: ModelRole
    package var text: String

    package init(_ role: ModelRole, _ text: String) {
        self.role = role
        self.text = text
    }
}

/// What a model is asked.
package struct ModelRequest: Equatable, Sendable {
    /// The context in order, the prompt last.
    package var messages: [ModelMessage]
    /// Nil leaves it to the model.
    package var maximumOutputTokens: Int?
    /// 0 is greedy; nil leaves it to the model.
    package var temperature: Double?
    package var topP: Double?
    package var seed: Int?
    package var stop: [String]
    /// A JSON schema that the answer must follow, as JSON text; nil for free text.
    package var schema: [UInt8]?

    package init(
        messages: [ModelMessage], maximumOutputTokens: Int? = nil, temperature: Double? = nil, topP: Double? = nil,
        seed: Int? = nil, stop: [String] = [], schema: [UInt8]? = nil
    ) {
        self.messages = messages
        self.maximumOutputTokens = maximumOutputTokens
        self.temperature = temperature
        self.topP = topP
        self.seed = seed
        self.stop = stop
        self.schema = schema
    }
}

/// How a context fits.
package enum ContextFit: Equatable, Sendable {
    case fits
    /// It fits without its oldest turns (prompt and reply each), which must be said.
    case cut(droppedTurns: Int)
    /// The last prompt alone is too large.
    case tooLarge
}

/// A piece of what a model says.
package enum ModelPiece: Equatable, Sendable {
    /// Whole characters only.
    case text(String)
    case reasoning(String)
    case status(Event.Status)
    case usage(Event.Usage)
}

/// How a run of a model ended.
package enum ModelEnd: Equatable, Sendable {
    /// Said all, or reached the output limit.
    case finished(EndReason)
    case refused(EndReason, resetsAt: Timestamp? = nil, retryAfter: Int? = nil)
    case interrupted(EndReason)
    case failed(EndReason, retryAfter: Int? = nil)
    /// The task was cancelled and the model has stopped.
    case cancelled
}
