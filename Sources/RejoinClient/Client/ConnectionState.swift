public import RejoinCore

/// How this device stands with the server: always exactly one of these.
public enum ConnectionState: Equatable, Sendable {
    /// The server answered when last asked.
    case online
    /// The server cannot be reached since a moment; nothing is tried until the network changes or a longer pause ends.
    case offline(since: Timestamp)
    /// A line broke and is being opened again; `attempt` counts the failures in a row, and is 0 before the first try.
    case reconnecting(attempt: Int)
    /// The server no longer knows this device's token.
    ///
    /// Nothing is lost: what was not sent stays in the store.
    case signedOut
}
