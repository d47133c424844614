public import RejoinCore

/// Whether the server can run an operation now, as far as the client knows.
@nonexhaustive public enum CloudAvailability: Sendable, Hashable {
    /// It can, and this is what its model can do.
    case ready(CapabilityRecord)
    /// The device has no network.
    case offline
    /// Nobody is signed in.
    case signedOut
    /// Too many requests of late; until when, where the server said so.
    case rateLimited(until: Timestamp?)
    /// The quota is used up; when it starts anew, where the server said so.
    case quotaReached(resets: Timestamp?)
    /// Whoever runs the server has switched it off.
    case disabledRemotely
    /// Nobody can say.
    case unknown

    /// The state without its particulars.
    public var state: CloudState {
        switch self {
        case .ready: .ready
        case .offline: .offline
        case .signedOut: .signedOut
        case .rateLimited: .rateLimited
        case .quotaReached: .quotaReached
        case .disabledRemotely: .disabledRemotely
        case .unknown: .unknown
        }
    }
}

/// The states of the server, as labels that telemetry and support may see.
public enum CloudState: String, Sendable, Hashable, Codable, CaseIterable {
    case ready, offline, unknown
    case signedOut = "signed-out"
    case rateLimited = "rate-limited"
    case quotaReached = "quota-reached"
    case disabledRemotely = "disabled-remotely"

    /// The state that is reported by name; a name that nobody here knows is `unknown`, never `ready`.
    public init(reported name: String) {
        self = CloudState(rawValue: name) ?? .unknown
    }
}
