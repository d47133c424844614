import Synchronization

/// What the system believes about the network: a hint that decides when to try, never whether something worked.
public protocol Reachability: Sendable {
    /// True when a try may succeed, false when it cannot; a new value each time that changes.
    ///
    /// Asked for once by each client that runs. A stream that ends, or gives nothing, means "maybe".
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
        var listeners: [AsyncStream<Bool>.Continuation] = []
    }

    private let state = Mutex(State())

    /// Says nothing until it is told to.
    public init() {}

    /// Tells every client.
    public func set(isReachable: Bool) {
        let listeners = state.withLock { state in
            state.isReachable = isReachable
            return state.listeners
        }
        for listener in listeners { listener.yield(isReachable) }
    }

    public func hints() -> AsyncStream<Bool> {
        let (stream, listener) = AsyncStream<Bool>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let known = state.withLock { state in
            state.listeners.append(listener)
            return state.isReachable
        }
        if let known { listener.yield(known) }
        return stream
    }
}
