public import RejoinCore

/// Whether the platform's private cloud can run an operation now: its state, and beside it the quota.
///
/// A used-up quota leaves the platform's own word "available" as it is; so the two are kept and checked apart.
public struct PrivateCloudAvailability: Sendable, Hashable {
    /// Whether it can be reached and used.
    public var state: State
    /// How much of it the person has left.
    public var quota: Quota

    /// Pairs a state with a quota.
    public init(_ state: State, quota: Quota = .belowLimit) {
        self.state = state
        self.quota = quota
    }

    /// Whether the platform's private cloud can be reached and used.
    @nonexhaustive public enum State: Sendable, Hashable {
        /// It can, and this is what its model can do.
        case ready(CapabilityRecord)
        /// The hardware may not use it.
        case hardwareIneligible
        /// The system is not ready for it.
        case systemNotReady
        /// The device has no network.
        case offline
        /// This build of the app may not use it.
        case notBuiltIn
        /// Nobody can say.
        case unknown

        /// The label that support may see.
        public var label: String {
            switch self {
            case .ready: "ready"
            case .hardwareIneligible: "hardware-ineligible"
            case .systemNotReady: "system-not-ready"
            case .offline: "offline"
            case .notBuiltIn: "not-built-in"
            case .unknown: "unknown"
            }
        }
    }

    /// How much of the private cloud the person has left.
    public enum Quota: Sendable, Hashable {
        /// Enough.
        case belowLimit
        /// Not much.
        case approachingLimit
        /// Nothing; when it starts anew, where the platform said so.
        case reached(resets: Timestamp?)
    }
}
