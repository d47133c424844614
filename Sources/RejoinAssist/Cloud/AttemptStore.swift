/// What the app calls one attempt, such as one tap on one button; it stays on the device.
public struct AttemptID: Sendable, Hashable {
    /// The name.
    public let name: String

    /// Names an attempt so that the app finds it again after a restart.
    public init(_ name: String) { self.name = name }

    /// The attempt that is one chunk of this one.
    func part(_ index: Int) -> AttemptID { AttemptID("\(name)/\(index)") }
}

/// Keeps the keys of attempts that are not settled, across restarts of the app.
public protocol AttemptStore: Sendable {
    /// The key of an attempt; nil if it has none.
    func key(of attempt: AttemptID) async throws -> IdempotencyKey?
    /// Keeps the key of an attempt; it must be durable when this returns, for the request is sent next.
    func keep(_ key: IdempotencyKey, of attempt: AttemptID) async throws
    /// Forgets an attempt that is settled.
    func forget(_ attempt: AttemptID) async throws
}
