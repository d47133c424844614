internal import RejoinCore

/// Something that happened, for whoever asks how well routing works; it has no place for text.
///
/// Every field is one of a few words, or a number of a version. What a person wrote, what a model answered and what
/// anything is called cannot be put in, because no field's type can hold it.
public struct TelemetryEvent: Sendable, Hashable {
    /// What happened.
    public let name: EventName
    /// With which operation.
    public let operation: OperationID
    /// On which route.
    public let route: RouteLabel?
    /// Why on that route.
    public let reason: ReasonLabel?
    /// In which state the device's model was, if it was looked at.
    public let local: LocalState?
    /// In which state the server was, if it was looked at.
    public let cloud: CloudState?
    /// How long it took.
    public let duration: DurationBucket?
    /// What validation said.
    public let validation: ValidationOutcome?
    /// How it failed.
    public let failure: FailureClass?
    /// The version of the policy; anything beyond 16 bits is cut to the greatest number.
    public let policyVersion: UInt16?
    /// Which model.
    public let model: VersionLabel?

    /// Notes an event.
    public init(
        _ name: EventName, operation: OperationID, route: RouteLabel? = nil, reason: ReasonLabel? = nil,
        local: LocalState? = nil, cloud: CloudState? = nil, duration: DurationBucket? = nil,
        validation: ValidationOutcome? = nil, failure: FailureClass? = nil, policyVersion: UInt16? = nil,
        model: VersionLabel? = nil
    ) {
        self.name = name
        self.operation = operation
        self.route = route
        self.reason = reason
        self.local = local
        self.cloud = cloud
        self.duration = duration
        self.validation = validation
        self.failure = failure
        self.policyVersion = policyVersion
        self.model = model
    }

    /// Notes what came of asking where an operation can run.
    public init(_ resolution: Resolution) {
        let profile: OperationProfile
        let name: EventName
        var route: RouteLabel?
        var reason: ReasonLabel?
        var failure: FailureClass?
        let version: Int
        switch resolution {
        case .run(let decision):
            (profile, name, version) = (decision.profile, .decided(in: decision.mode), decision.policyVersion)
            route = RouteLabel(decision.primary)
            reason = ReasonLabel(decision.reason)
            if case .fallback(let after) = decision.reason { failure = after }
        case .wait(let wait): (profile, name, version) = (wait.profile, .waiting, wait.policyVersion)
        case .askConsent(let question): (profile, name, version) = (question.profile, .asked, question.policyVersion)
        case .unavailable(let refusal): (profile, name, version) = (refusal.profile, .refused, refusal.policyVersion)
        }
        self.init(
            name, operation: profile.id, route: route, reason: reason, local: Self.localState(in: resolution),
            cloud: Self.cloudState(in: resolution), failure: failure, policyVersion: UInt16(clamping: version))
    }

    private static func localState(in resolution: Resolution) -> LocalState? {
        if resolution.decision?.primary == .onDevice { return .ready }
        for why in resolution.rejected.first(where: { $0.route == .onDevice })?.why ?? [] {
            switch why {
            case .local(let availability): return availability.state
            case .missing, .languageUnsupported, .contextTooSmall: return .ready
            default: continue
            }
        }
        return nil
    }

    private static func cloudState(in resolution: Resolution) -> CloudState? {
        if resolution.decision?.primary.kind == .cloud { return .ready }
        for why in resolution.rejected.first(where: { $0.route.kind == .cloud })?.why ?? [] {
            switch why {
            case .cloud(let availability): return availability.state
            case .missing, .languageUnsupported, .contextTooSmall: return .ready
            default: continue
            }
        }
        return nil
    }
}
