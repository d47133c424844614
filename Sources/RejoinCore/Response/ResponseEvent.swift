/// What can happen to a response.
public enum ResponseEvent: String, Sendable, CaseIterable {
    /// The request went out.
    case requested
    /// Pieces begin to come, or come again after a break.
    case streamed
    /// The model has said everything; there may have been no piece at all.
    case ended
    /// What it said holds up to the checks.
    case validated
    /// What it said does not.
    case rejected
    /// A person stopped it.
    case stopped
    /// The line broke.
    case dropped
    /// The model or a limit declined.
    case refused
    /// Something else went wrong on the way.
    case failed
    /// Another request took its place.
    case superseded
    /// A person put it away.
    case dismissed
    /// An accepted proposal is being applied.
    case commitStarted
    /// It was applied and recorded.
    case commitSucceeded
    /// It was not, and may be tried again with the same key.
    case commitDelayed
    /// It was not, and trying again will not help.
    case commitFailed
}
