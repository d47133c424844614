/// Where an operation runs, why, and what may happen if that fails.
///
/// Only ``RoutePolicy`` makes one. What it says about uploading is worked out from its routes each time, so that no
/// decision can say one thing and do another.
public struct RouteDecision: Sendable, Hashable {
    /// What was asked for.
    public let profile: OperationProfile
    /// The mode under which it was decided.
    public let mode: ExecutionMode
    /// Why this route.
    public let reason: DecisionReason
    /// Every other route, with the reasons against it.
    public let rejected: [RejectedRoute]
    /// The version of the policy that decided.
    public let policyVersion: Int
    /// The routes that had failed for the same request before this one.
    let tried: [TriedRoute]
    let leg: Leg
    let fallbackLegs: [FallbackLeg]

    /// Where it runs.
    public var primary: Route { leg.route }

    /// Who sees the data if it runs there.
    public var boundary: DataBoundary { leg.boundary }

    /// Where it may go on if that fails, best first; each is checked anew before it is taken.
    public var fallbacks: [FallbackPermission] {
        fallbackLegs.map { $0.asks ? .mayAsk($0.leg.route) : .recheck($0.leg.route) }
    }

    /// The first of ``fallbacks``, if there is one.
    public var fallback: FallbackPermission? { fallbacks.first }

    /// Everybody who could come to see the data, through this route or a fallback.
    public var boundaries: Set<DataBoundary> {
        Set(fallbackLegs.map(\.leg.boundary)).union([leg.boundary])
    }

    /// Whether the data leaves the device if it runs as decided; this is what the person is told about beforehand.
    public var willUpload: Bool { primary.leavesDevice }

    /// Whether the data could leave the device, as decided or through a fallback.
    public var mayUpload: Bool { willUpload || fallbackLegs.contains { $0.leg.route.leavesDevice } }

    /// What the person must have consented to before the data leaves; `nil` where it stays.
    ///
    /// Whoever sends asks the ledger for this at the moment of sending, however fresh the decision.
    public var consentNeeded: ConsentRequest? { leg.consent(for: profile.dataClass) }
}

/// Where an operation may go on after a failure.
public enum FallbackPermission: Sendable, Hashable {
    /// There, if the person consents when asked.
    case mayAsk(Route)
    /// There, if it is still allowed when looked at anew.
    case recheck(Route)

    /// The route in question.
    public var route: Route {
        switch self {
        case .mayAsk(let route), .recheck(let route): route
        }
    }
}

/// A route with the recipient that belongs to it, if anything leaves the device there, and with none if not.
enum Leg: Sendable, Hashable {
    case deterministic
    case onDevice
    case privateCloud(disclosure: Int)
    case cloud(CloudTier, Recipient, disclosure: Int)

    var route: Route {
        switch self {
        case .deterministic: .deterministic
        case .onDevice: .onDevice
        case .privateCloud: .privateCloud
        case .cloud(let tier, _, _): .cloud(tier)
        }
    }

    var boundary: DataBoundary {
        switch self {
        case .deterministic, .onDevice: .device
        case .privateCloud: .platformPrivateCloud
        case .cloud(_, let recipient, _): DataBoundary(recipient)
        }
    }

    func consent(for data: DataClass) -> ConsentRequest? {
        switch self {
        case .deterministic, .onDevice: nil
        case .privateCloud(let disclosure):
            ConsentRequest(recipient: .platformPrivateCloud, data: data, disclosureVersion: disclosure)
        case .cloud(_, let recipient, let disclosure):
            ConsentRequest(recipient: recipient, data: data, disclosureVersion: disclosure)
        }
    }
}

/// A route that may follow on a failure, and whether the person has to be asked first.
struct FallbackLeg: Sendable, Hashable {
    let leg: Leg
    let asks: Bool
}

/// A route that was tried, and how it failed.
struct TriedRoute: Sendable, Hashable {
    let route: Route
    let failure: AssistantFailure
}
