/// Whether the person's plan includes a class of cost.
public enum Entitlement: String, Sendable, Hashable, CaseIterable {
    case granted, denied
    /// It was never fetched, or nobody can be reached who knows.
    case unknown
}

/// Where the person's plan is looked up: what was last known for the device, who knows now for everything else.
public struct EntitlementSource: Sendable {
    /// What was last known, without asking anybody.
    ///
    /// Work on the device goes by this; `unknown` lets it through, because it must not stop where there is no network.
    public var cached: @Sendable (CostClass) -> Entitlement
    /// What is true now; asked only when a route that leaves the device is considered, and `unknown` stops it.
    public var current: @Sendable (CostClass) async -> Entitlement

    /// Names the two places.
    public init(
        cached: @escaping @Sendable (CostClass) -> Entitlement,
        current: @escaping @Sendable (CostClass) async -> Entitlement
    ) {
        self.cached = cached
        self.current = current
    }

    /// For an app that sells nothing.
    public static let everything = EntitlementSource(cached: { _ in .granted }, current: { _ in .granted })
}

/// Where it is looked up what the app's makers have switched off.
public struct KillSwitches: Sendable {
    /// What was last fetched; `nil` if nothing ever was.
    ///
    /// Work on the device goes by this, and goes on where there is nothing.
    public var cached: RemoteRestrictions?
    /// What is switched off now; asked only for a route that leaves the device, and `nil`, for not known, stops it.
    public var current: @Sendable () async -> RemoteRestrictions?

    /// Names the two places.
    public init(cached: RemoteRestrictions?, current: @escaping @Sendable () async -> RemoteRestrictions?) {
        self.cached = cached
        self.current = current
    }

    /// For an app that switches nothing off from afar.
    public static let none = KillSwitches(cached: RemoteRestrictions(), current: { RemoteRestrictions() })
}
