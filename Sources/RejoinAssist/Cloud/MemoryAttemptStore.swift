internal import Synchronization

/// Keeps the keys of attempts as long as the app runs: for operations that nobody minds running twice after a restart.
public final class MemoryAttemptStore: AttemptStore {
    private let keys = Mutex<[AttemptID: IdempotencyKey]>([:])

    /// Starts empty.
    public init() {}

    public func key(of attempt: AttemptID) async -> IdempotencyKey? { keys.withLock { $0[attempt] } }
    public func keep(_ key: IdempotencyKey, of attempt: AttemptID) async { keys.withLock { $0[attempt] = key } }
    public func forget(_ attempt: AttemptID) async { keys.withLock { $0[attempt] = nil } }
}
