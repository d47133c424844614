/// What the app's makers forbid from afar.
///
/// The type has no way to say that something is allowed: two of them together forbid whatever either forbids, and none
/// can add a route or grant a consent.
public struct RemoteRestrictions: Sendable, Hashable {
    /// Routes that are off for every operation.
    public var routes: Set<RouteKind>
    /// Routes that are off for an operation, by its name.
    public var operations: [String: Set<RouteKind>]

    /// Forbids these routes; nothing where nothing is said.
    public init(routes: Set<RouteKind> = [], operations: [String: Set<RouteKind>] = [:]) {
        self.routes = routes
        self.operations = operations
    }

    /// Whether a route is off for an operation.
    public func forbids(_ route: RouteKind, for operation: OperationID) -> Bool {
        routes.contains(route) || operations[operation.name]?.contains(route) == true
    }

    /// Everything that either forbids.
    public func union(_ other: RemoteRestrictions) -> RemoteRestrictions {
        RemoteRestrictions(
            routes: routes.union(other.routes),
            operations: operations.merging(other.operations) { $0.union($1) })
    }
}
