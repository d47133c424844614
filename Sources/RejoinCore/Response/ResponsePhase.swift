/// Where one response of a model is, from the tap to what was done with it.
public enum ResponsePhase: String, Sendable, CaseIterable {
    /// Nothing was asked.
    case idle
    /// Asked; nothing has come.
    case preparing
    /// A preview grows.
    case streaming
    /// All has come and is being checked.
    case validating
    /// Checked: may be reviewed and accepted.
    case ready
    /// Accepted: the effect is running and cannot be called off.
    case committing
    /// The effect is recorded.
    case committed
    /// The line broke under prose; what came stays on screen.
    case interrupted
    /// A person stopped it.
    case stopped
    /// The model or a limit declined.
    case refused
    /// It broke, or did not hold up to the checks.
    case failed
    /// Overtaken by another request, or dismissed.
    case discarded

    /// Whether nothing can follow: a new request starts a new machine.
    public var isFinal: Bool {
        switch self {
        case .committed, .stopped, .refused, .failed, .discarded: true
        case .idle, .preparing, .streaming, .validating, .ready, .committing, .interrupted: false
        }
    }
}
