public import RejoinCore

/// Why a route is not taken.
@nonexhaustive public enum Ineligibility: Sendable, Hashable {
    /// The model lacks this, one capability at a time.
    case missing(Capability)
    /// The model does not know a language that the operation needs.
    case languageUnsupported
    /// The request is larger than the model's context, in tokens.
    case contextTooSmall(needed: Int, available: Int)
    /// The model on this device cannot run now.
    case local(LocalAvailability)
    /// The server cannot run it now.
    case cloud(CloudAvailability)
    /// The private cloud cannot run it now.
    case privateCloud(PrivateCloudAvailability.State)
    /// The private cloud's quota is used up; when it starts anew, where that is known.
    case privateCloudQuota(resets: Timestamp?)
    /// The person's mode does not allow the route.
    case modeForbids(ExecutionMode)
    /// The person has not consented to this.
    case consentMissing(ConsentRequest)
    /// The record of consents cannot be read, so none counts.
    case consentUnreadable
    /// The person's plan does not include it.
    case notEntitled(CostClass)
    /// Nobody can say whether the person's plan includes it.
    case entitlementUnknown(CostClass)
    /// It has been switched off from afar.
    case killSwitch
    /// Nobody can say whether it has been switched off.
    case killSwitchUnknown
    /// The policy does not allow it for this operation.
    case policyForbids
    /// The app has no such route.
    case notConfigured
    /// No rule answers this input.
    case noRuleMatched
    /// It has been tried for this request and failed.
    case failed(AssistantFailure)
    /// The decision that failed did not permit it as its fallback.
    case notPermitted
    /// A better route was found first, and this one was not asked.
    case notEvaluated

    /// Whether a question to the person is all that stands between the route and running.
    var isConsentMissing: Bool { if case .consentMissing = self { true } else { false } }
}

/// A route that was not taken, with every reason that was found.
public struct RejectedRoute: Sendable, Hashable {
    /// The route.
    public let route: Route
    /// Why not; never empty.
    public let why: [Ineligibility]

    init(_ route: Route, _ why: [Ineligibility]) {
        self.route = route
        self.why = why
    }
}
