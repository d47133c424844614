public import RejoinCore

/// The calls about the account and its devices.
///
/// Each throws ``ClientError``, and `CancellationError` when its task was cancelled.
extension RejoinClient {
    /// The devices that are signed in, this one among them.
    public func sessions() async throws -> [DeviceSession] {
        try read(await call("GET", "/v1/sessions")) { $0.object?["items"]?.array?.compactMap(DeviceSession.init) }
    }

    /// Signs a device of the account out.
    public func signOut(_ session: SessionID) async throws {
        _ = try await call("DELETE", "/v1/sessions/\(session)")
    }

    /// Signs this device out: its token is worth nothing afterwards.
    public func signOut() async throws { _ = try await call("DELETE", "/v1/sessions/current", attempts: 1) }

    /// What the account may still do, by the server's count.
    public func limits() async throws -> [Limit] {
        try read(await call("GET", "/v1/limits")) { $0.array?.compactMap(Limit.init) }
    }

    /// Follows the account's change feed from a cursor on.
    public func liveChanges(after cursor: Int, policy: RetryPolicy = RetryPolicy()) -> ChangeFollower {
        ChangeFollower(after: cursor, client: self, policy: policy)
    }
}
