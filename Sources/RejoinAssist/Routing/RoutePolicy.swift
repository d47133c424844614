/// How routes are chosen, as data with a version.
///
/// A policy says what is preferred among what is possible and allowed. It cannot make anything possible or allowed:
/// mode, capability, availability, consent, plan and switches come first, and preferences are looked at afterwards.
public struct RoutePolicy: Sendable, Hashable {
    /// The version, which every decision carries.
    public var version: Int
    /// What is preferred, for every operation without an override.
    public var preferences: [RoutePreference]
    /// What is different for an operation, by its name.
    public var overrides: [String: PolicyOverride]
    /// What may not be used.
    public private(set) var restrictions: RemoteRestrictions

    /// Makes a policy.
    public init(
        version: Int, preferences: [RoutePreference] = RoutePreference.nearestFirst,
        overrides: [String: PolicyOverride] = [:], restrictions: RemoteRestrictions = RemoteRestrictions()
    ) {
        self.version = version
        self.preferences = preferences
        self.overrides = overrides
        self.restrictions = restrictions
    }

    /// The policy for an app that has no wishes of its own: the nearest route that can.
    public static let standard = RoutePolicy(version: 1)

    /// The same policy with less allowed; there is no way to allow more.
    public func narrowed(by remote: RemoteRestrictions) -> RoutePolicy {
        var narrowed = self
        narrowed.restrictions = restrictions.union(remote)
        return narrowed
    }

    /// Whether the policy does not allow a route for an operation.
    func forbids(_ route: RouteKind, for operation: OperationID) -> Bool {
        restrictions.forbids(route, for: operation)
            || overrides[operation.name]?.forbidden.contains(route) == true
    }

    /// The routes of an operation, best first.
    ///
    /// A rule comes before every model, because it costs nothing and is never wrong about what it knows. In the mode
    /// `automatic` what stays on the device comes before what leaves it, whatever the weights; they order the rest.
    func ranked(for profile: OperationProfile, mode: ExecutionMode) -> [Route] {
        let own = overrides[profile.id.name]
        let tier = own?.cloudTier ?? profile.cloudTier
        var weights = [0, 0, 0, 0]
        for preference in own?.preferences ?? preferences where preference.applies(to: profile) {
            let index = preference.route.rank
            let (sum, overflow) = weights[index].addingReportingOverflow(preference.weight)
            weights[index] = overflow ? (preference.weight > 0 ? .max : .min) : sum
        }
        let kinds: [RouteKind] = [.onDevice, .privateCloud, .cloud].sorted { left, right in
            if mode != .cloudAllowed, left.leavesDevice != right.leavesDevice { return right.leavesDevice }
            let (leftWeight, rightWeight) = (weights[left.rank], weights[right.rank])
            return leftWeight == rightWeight ? left.rank < right.rank : leftWeight > rightWeight
        }
        return [.deterministic]
            + kinds.map { kind in
                switch kind {
                case .deterministic: .deterministic
                case .onDevice: .onDevice
                case .privateCloud: .privateCloud
                case .cloud: .cloud(tier)
                }
            }
    }
}

/// That a route is preferred, for all operations or for some.
public struct RoutePreference: Sendable, Hashable {
    /// The route.
    public var route: RouteKind
    /// How much; the weights of all preferences that apply to a route are added up.
    public var weight: Int
    /// The risks for which it holds; all where it is empty.
    public var risks: Set<DomainRisk>
    /// The urgencies for which it holds; all where it is empty.
    public var urgencies: Set<Urgency>

    /// States a preference.
    public init(_ route: RouteKind, weight: Int, risks: Set<DomainRisk> = [], urgencies: Set<Urgency> = []) {
        self.route = route
        self.weight = weight
        self.risks = risks
        self.urgencies = urgencies
    }

    /// The device first, then the private cloud, then the server.
    public static let nearestFirst = [
        RoutePreference(.onDevice, weight: 300), RoutePreference(.privateCloud, weight: 200),
        RoutePreference(.cloud, weight: 100),
    ]

    func applies(to profile: OperationProfile) -> Bool {
        (risks.isEmpty || risks.contains(profile.risk)) && (urgencies.isEmpty || urgencies.contains(profile.urgency))
    }
}

/// What a policy says differently about one operation.
public struct PolicyOverride: Sendable, Hashable {
    /// Its own preferences, in place of the policy's; `nil` keeps those.
    public var preferences: [RoutePreference]?
    /// Routes that it may not take.
    public var forbidden: Set<RouteKind>
    /// The size of the server's model, in place of the one in its profile; `nil` keeps that.
    public var cloudTier: CloudTier?

    /// States the differences.
    public init(
        preferences: [RoutePreference]? = nil, forbidden: Set<RouteKind> = [], cloudTier: CloudTier? = nil
    ) {
        self.preferences = preferences
        self.forbidden = forbidden
        self.cloudTier = cloudTier
    }
}

extension RouteKind {
    /// Its place in the order of how little a route gives away, from 0.
    var rank: Int {
        switch self {
        case .deterministic: 0
        case .onDevice: 1
        case .privateCloud: 2
        case .cloud: 3
        }
    }
}
