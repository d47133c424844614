/// What happened, as one of a few words; there is no other way to name an event.
public enum EventName: String, Sendable, Hashable, CaseIterable {
    /// A route was decided on in the mode `automatic`.
    case decidedAutomatic = "decided-automatic"
    /// A route was decided on in the mode `onDeviceOnly`.
    case decidedOnDeviceOnly = "decided-on-device-only"
    /// A route was decided on in the mode `cloudAllowed`.
    case decidedCloudAllowed = "decided-cloud-allowed"
    /// An operation began to wait for the device's model.
    case waiting
    /// The person gave up while it waited.
    case preparationAbandoned = "preparation-abandoned"
    /// The person was asked for consent.
    case asked
    /// No route was possible.
    case refused
    /// A draft went through validation; how, is in the outcome.
    case validated
    /// The person accepted, and the effect took place.
    case committed
    /// The person turned the proposal down.
    case discarded
    /// A result came when nobody wanted it any more.
    case staleDiscarded = "stale-discarded"
    /// A route failed.
    case failed
    /// The effect failed although the proposal was valid.
    case failedAfterValidating = "failed-after-validating"

    /// The name of a decision in a mode.
    public static func decided(in mode: ExecutionMode) -> EventName {
        switch mode {
        case .automatic: .decidedAutomatic
        case .onDeviceOnly: .decidedOnDeviceOnly
        case .cloudAllowed: .decidedCloudAllowed
        }
    }

    /// Whether it says that somebody asked where an operation can run.
    var isResolution: Bool {
        switch self {
        case .decidedAutomatic, .decidedOnDeviceOnly, .decidedCloudAllowed, .waiting, .asked, .refused: true
        default: false
        }
    }
}

/// A route, as one of a few words.
public enum RouteLabel: String, Sendable, Hashable, CaseIterable {
    case deterministic
    case onDevice = "on-device"
    case privateCloud = "private-cloud"
    case cloudSmall = "cloud-small"
    case cloudLarge = "cloud-large"

    /// The label of a route.
    public init(_ route: Route) {
        self =
            switch route {
            case .deterministic: .deterministic
            case .onDevice: .onDevice
            case .privateCloud: .privateCloud
            case .cloud(.small): .cloudSmall
            case .cloud(.large): .cloudLarge
            }
    }

    /// Whether the data leaves the device on it.
    public var leavesDevice: Bool { self != .deterministic && self != .onDevice }
}

/// Why a route was taken, as one of a few words.
public enum ReasonLabel: String, Sendable, Hashable, CaseIterable {
    case preferred, fallback
    case ruleMatched = "rule-matched"
    case localLacksCapability = "local-lacks-capability"
    case localLacksLanguage = "local-lacks-language"
    case localLacksContext = "local-lacks-context"
    case localUnavailable = "local-unavailable"
    case localForbidden = "local-forbidden"
    case preferredUnavailable = "preferred-unavailable"

    /// The label of a reason; which state, and after which failure, are fields of their own.
    public init(_ reason: DecisionReason) {
        self =
            switch reason {
            case .ruleMatched: .ruleMatched
            case .preferred: .preferred
            case .localLacks(.capability): .localLacksCapability
            case .localLacks(.language): .localLacksLanguage
            case .localLacks(.context): .localLacksContext
            case .localUnavailable: .localUnavailable
            case .localForbidden: .localForbidden
            case .preferredUnavailable: .preferredUnavailable
            case .fallback: .fallback
            }
    }
}

/// How long something took, roughly.
public enum DurationBucket: String, Sendable, Hashable, CaseIterable {
    case under100ms = "<100ms"
    case under300ms = "<300ms"
    case under1s = "<1s"
    case under3s = "<3s"
    case under10s = "<10s"
    case under30s = "<30s"
    case longer = ">=30s"

    /// The bucket of a duration; one below nothing, as a clock that was set back gives, is the shortest.
    public init(_ duration: Duration) {
        self =
            switch duration {
            case ..<Duration.milliseconds(100): .under100ms
            case ..<Duration.milliseconds(300): .under300ms
            case ..<Duration.seconds(1): .under1s
            case ..<Duration.seconds(3): .under3s
            case ..<Duration.seconds(10): .under10s
            case ..<Duration.seconds(30): .under30s
            default: .longer
            }
    }
}

/// A language, without region or script, as one of a few.
public enum LanguageLabel: String, Sendable, Hashable, CaseIterable {
    case ar, cs, da, de, el, en, es, fi, fr, he, hi, hu, id, it, ja, ko, nb, nl, pl, pt, ro, ru, sv, th, tr, uk, vi, zh
    case other

    /// The label of a BCP 47 tag; everything that is not in the list is `other`.
    public init(tag: String) {
        let language = tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
        self = LanguageLabel(rawValue: language) ?? .other
    }
}

/// What validation made of a draft.
public struct ValidationOutcome: Sendable, Hashable {
    /// The result.
    public let result: Result
    /// The language of the input.
    public let language: LanguageLabel

    /// Notes an outcome.
    public init(_ result: Result, language: LanguageLabel) {
        self.result = result
        self.language = language
    }

    /// What validation can make of a draft.
    public enum Result: String, Sendable, Hashable, CaseIterable {
        case accepted, rejected
        /// Parts of it were left out, and what they were about stays as it was.
        case partly
    }
}
