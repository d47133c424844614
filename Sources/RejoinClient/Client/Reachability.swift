import Synchronization

/// What the system believes about the network: a hint that decides when to try, never whether something worked.
public protocol Reachability: Sendable {
    /// True when a try may succeed, false when it cannot; a new value each time that changes.
    ///
    /// Asked for each time that a client starts or wakes up; the stream begins with what is known then. A stream that ends, or gives nothing, means "maybe".
    func hints() -> AsyncStream<Bool>
}

/// Knows nothing, and so never stands in the way.
public struct UnknownReachability: Reachability {
    /// Knows nothing.
    public init() {}

    public func hints() -> AsyncStream<Bool> { AsyncStream { $0.finish() } }
}

/// Says what it is told to: for an app that has its own monitor, and for tests.
public final class ManualReachability: Reachability {
    private struct State {
        var isReachable: Bool?
        var listeners: [Int: AsyncStream<Bool>.Continuation] = [:]
        var last = 0
    }

    private let state = Mutex(State())

    /// Says nothing until it is told to.
    public init() {}

    /// Tells every client.
    public func set(isReachable: Bool) {
        // Under the lock, or one who begins to listen could be told the old after the new.
        state.withLock { state in
            state.isReachable = isReachable
            for listener in state.listeners.values { listener.yield(isReachable) }
        }
    }

    public func hints() -> AsyncStream<Bool> {
        let (stream, listener) = AsyncStream<Bool>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.last += 1
            state.listeners[state.last] = listener
            if let known = state.isReachable { listener.yield(known) }
            return state.last
        }
        listener.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }
}
