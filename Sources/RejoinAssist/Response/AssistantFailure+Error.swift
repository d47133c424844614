extension AssistantFailure {
    /// Sorts any error: one of ours stays, a cancellation is one, and of anything else only the type's name is kept.
    public init(_ error: any Error) {
        switch error {
        case let failure as AssistantFailure: self = failure
        case is CancellationError: self = .cancelled
        default: self = .unknown(type: ErrorTypeName(of: error))
        }
    }

    /// Whether the line broke, which leaves prose on screen; anything else ends the response.
    public var isDrop: Bool {
        switch self {
        case .offline, .timeout, .serviceDown: true
        default: false
        }
    }

    /// Whether somebody declined: the model, a rule of its maker or a limit.
    public var isRefusal: Bool {
        switch self {
        case .refused, .guardrail, .quotaReached: true
        default: false
        }
    }
}
