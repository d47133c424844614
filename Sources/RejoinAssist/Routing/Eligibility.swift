/// What speaks against a route for one operation: the one judge of primary routes and of fallbacks.
///
/// It lives for one decision. What is asked of the outside is asked at most once, and only if nothing that is known
/// here already speaks against the route.
struct Eligibility {
    private let profile: OperationProfile
    private let policy: RoutePolicy
    private let environment: RouteEnvironment
    private var localAvailability: LocalAvailability?
    private var currentRestrictions: RemoteRestrictions??
    private var currentEntitlement: Entitlement?

    init(_ profile: OperationProfile, policy: RoutePolicy, environment: RouteEnvironment) {
        self.profile = profile
        self.policy = policy
        self.environment = environment
    }

    /// Everything against a route; empty where it can run now.
    mutating func reasons(against route: Route) async -> [Ineligibility] {
        let standing = await standingReasons(against: route)
        guard standing.allSatisfy(\.isConsentMissing) else { return standing }
        return switch route {
        case .deterministic: standing
        case .onDevice: standing + (await localReasons())
        case .privateCloud: standing + (await switchAndPlanReasons(.privateCloud)) + (await privateCloudReasons())
        case .cloud(let tier): standing + (await switchAndPlanReasons(.cloud)) + (await cloudReasons(tier))
        }
    }

    /// What is known against a route without asking anybody beyond this device.
    func standingReasons(against route: Route) async -> [Ineligibility] {
        guard let leg = leg(for: route) else { return [.notConfigured] }
        var reasons: [Ineligibility] = []
        if route.leavesDevice, environment.mode == .onDeviceOnly { reasons.append(.modeForbids(environment.mode)) }
        if policy.forbids(route.kind, for: profile.id) { reasons.append(.policyForbids) }
        if environment.killSwitches.cached?.forbids(route.kind, for: profile.id) == true { reasons.append(.killSwitch) }
        if route == .deterministic, !environment.rules(profile.id) { reasons.append(.noRuleMatched) }
        if route == .onDevice, profile.deviceCost != .free,
            environment.entitlement.cached(profile.deviceCost) == .denied
        {
            reasons.append(.notEntitled(profile.deviceCost))
        }
        if let request = leg.consent(for: profile.dataClass) {
            switch await environment.consent.status(for: request) {
            case .granted: break
            case .outdated, .missing: reasons.append(.consentMissing(request))
            case .unreadable: reasons.append(.consentUnreadable)
            }
        }
        return reasons
    }

    /// The route with its recipient; `nil` where the app has no such route.
    func leg(for route: Route) -> Leg? {
        switch route {
        case .deterministic: .deterministic
        case .onDevice: .onDevice
        case .privateCloud: environment.privateCloud.map { .privateCloud(disclosure: $0.disclosureVersion) }
        case .cloud(let tier):
            environment.cloud.map { .cloud(tier, $0.recipient, disclosure: $0.disclosureVersion) }
        }
    }

    /// Whether nothing but the state of the device's model stands against it, and the operation can wait for that.
    func canWait(_ reasons: [Ineligibility]) -> Bool {
        guard profile.urgency == .canWait, reasons.count == 1, case .local(let local) = reasons[0] else { return false }
        return local.state.passesByItself
    }

    private mutating func localReasons() async -> [Ineligibility] {
        let local: LocalAvailability
        if let localAvailability { local = localAvailability } else { local = await environment.local() }
        localAvailability = local
        guard case .ready(let record) = local else { return [.local(local)] }
        return record.shortcomings(for: profile)
    }

    private func privateCloudReasons() async -> [Ineligibility] {
        guard let route = environment.privateCloud else { return [.notConfigured] }
        let availability = await route.availability()
        var reasons: [Ineligibility] = []
        if case .reached(let resets) = availability.quota { reasons.append(.privateCloudQuota(resets: resets)) }
        guard case .ready(let record) = availability.state else { return [.privateCloud(availability.state)] + reasons }
        return reasons + record.shortcomings(for: profile)
    }

    private func cloudReasons(_ tier: CloudTier) async -> [Ineligibility] {
        guard let route = environment.cloud else { return [.notConfigured] }
        let availability = await route.availability(tier)
        guard case .ready(let record) = availability else { return [.cloud(availability)] }
        return record.shortcomings(for: profile)
    }

    /// What stops a route that leaves the device where it is not known to be allowed.
    private mutating func switchAndPlanReasons(_ route: RouteKind) async -> [Ineligibility] {
        var reasons: [Ineligibility] = []
        let restrictions: RemoteRestrictions?
        if let currentRestrictions {
            restrictions = currentRestrictions
        } else {
            restrictions = await environment.killSwitches.current()
        }
        currentRestrictions = .some(restrictions)
        switch restrictions?.forbids(route, for: profile.id) {
        case true?: reasons.append(.killSwitch)
        case false?: break
        case nil: reasons.append(.killSwitchUnknown)
        }
        guard profile.cost != .free else { return reasons }
        let entitlement: Entitlement
        if let currentEntitlement {
            entitlement = currentEntitlement
        } else {
            entitlement = await environment.entitlement.current(profile.cost)
        }
        currentEntitlement = entitlement
        switch entitlement {
        case .granted: break
        case .denied: reasons.append(.notEntitled(profile.cost))
        case .unknown: reasons.append(.entitlementUnknown(profile.cost))
        }
        return reasons
    }
}
