public import RejoinCore

/// An answer as this device holds it: the fold of its log, and what the device itself knows about it.
public struct StoredAnswer: Equatable, Sendable {
    public var answer: Answer
    public var local: LocalState

    /// Puts both together.
    public init(answer: Answer, local: LocalState = .none) {
        self.answer = answer
        self.local = local
    }
}

/// What the device knows about an answer beyond the server's log.
public enum LocalState: Equatable, Sendable {
    /// Nothing: the log says it all.
    case none
    /// Its request is on the way.
    case sending
    /// Its prompt waits for a connection.
    case waiting
    /// Its events are coming in.
    case streaming
    /// The stream dropped; ours until the server says otherwise.
    case interrupted
    /// A person stopped it; what comes in afterwards is not shown.
    case stopRequested
    /// A safety check took the text back; it is gone from this device.
    case withdrawn(reason: String)
}
