/// How an answer ended.
///
/// Exactly one of these is stored for each answer, and it never changes.
public enum EndState: String, CaseIterable, Sendable {
    /// The model said all it had to say.
    case done
    /// A person stopped it; the text so far is kept.
    case stopped
    /// The upstream, the process or the line broke; the text so far is kept and a retry may follow.
    case interrupted
    /// A limit, a policy or the model itself declined.
    case refused
    /// An error that a retry will not mend by itself.
    case failed
}

/// Why an answer ended as it did, from a closed vocabulary: provider text never gets here.
public enum EndReason: String, CaseIterable, Sendable {
    // done
    case complete
    /// The model reached its output limit.
    case length
    // stopped
    case stoppedByPerson = "stopped-by-person"
    case conversationDeleted = "conversation-deleted"
    // interrupted
    case upstreamClosed = "upstream-closed"
    case upstreamUnreachable = "upstream-unreachable"
    case upstreamTimeout = "upstream-timeout"
    case serverStopped = "server-stopped"
    case serverCrashed = "server-crashed"
    // refused
    case limitReached = "limit-reached"
    case upstreamLimit = "upstream-limit"
    case contentFilter = "content-filter"
    case contextTooLarge = "context-too-large"
    // failed
    case emptyAnswer = "empty-answer"
    case modelUnavailable = "model-unavailable"
    case upstreamRejected = "upstream-rejected"
    case upstreamUnauthorized = "upstream-unauthorized"
    case upstreamMalformed = "upstream-malformed"
    case upstreamFailed = "upstream-failed"
    case storageFailed = "storage-failed"
    case internalError = "internal-error"
}
