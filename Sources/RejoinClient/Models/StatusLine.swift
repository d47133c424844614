public import RejoinCore

/// What stands where the words of an answer are to come, or are to go on.
public struct StatusLine: Equatable, Sendable {
    /// What is being waited for.
    public enum Activity: Equatable, Sendable {
        /// A connection, until then at most.
        case connection(expires: Timestamp?)
        /// The prompt is on its way.
        case sending
        /// The model; so many are before.
        case queue(position: Int?)
        /// The model works.
        case working(Event.Status)
        /// The line broke.
        case reconnecting
    }

    public let activity: Activity
    /// How long nothing has come, once that is longer than the app's patience.
    public let waited: Duration?

    /// Shows an activity.
    public init(_ activity: Activity, waited: Duration? = nil) {
        self.activity = activity
        self.waited = waited
    }

    /// The line for an answer; nil while its words speak for themselves.
    ///
    /// - Parameter status: what the server said last that it does, between words as well as before them.
    init?(_ phase: AnswerPhase, status: Event.Status?, waited: Duration?) {
        switch phase {
        case .waiting(let expires): self.init(.connection(expires: expires))
        case .sending: self.init(.sending, waited: waited)
        case .queued(let position): self.init(.queue(position: position), waited: waited)
        case .working(let status): self.init(.working(status), waited: waited)
        case .answering:
            // The text itself takes back what was said before it; a tool in the middle speaks up again.
            guard let status, status.phase != .writing else { return nil }
            self.init(.working(status))
        case .interrupted: self.init(.reconnecting)
        case .stopping, .ended, .withdrawn, .refused, .expired: return nil
        }
    }

    /// The line in English.
    public var words: String {
        var words: String
        switch activity {
        case .connection: words = "Waiting for a connection"
        case .sending: words = "Sending"
        case .queue(let position): words = position.map { "Waiting, number \($0) in line" } ?? "Waiting in line"
        case .working(let status):
            words = status.detail ?? status.phase.words
        case .reconnecting: words = "Interrupted; reconnecting"
        }
        if let waited { words = "Still \(words.prefix(1).lowercased() + words.dropFirst()), \(waited.spoken) so far" }
        return words
    }
}

extension Event.Status.Phase {
    fileprivate var words: String {
        switch self {
        case .queued: "Waiting in line"
        case .starting: "Starting"
        case .thinking: "Thinking"
        case .searching: "Searching"
        case .reading: "Reading"
        case .writing: "Writing"
        }
    }
}

extension Duration {
    fileprivate var spoken: String { RelativeTime.words(milliseconds: inMilliseconds) }
}
