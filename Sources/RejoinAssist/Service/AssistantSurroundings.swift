public import RejoinCore

/// Time and chance, as an ``Assistant`` is given them.
public struct AssistantSurroundings: Sendable {
    /// The moment of the wall clock.
    public var now: @Sendable () -> Timestamp
    /// The time that has passed since some moment; it never goes back.
    public var elapsed: @Sendable () -> Duration
    /// 64 bits that nobody can guess.
    public var random: @Sendable () -> UInt64

    /// Hands over time and chance.
    public init(
        now: @escaping @Sendable () -> Timestamp, elapsed: @escaping @Sendable () -> Duration,
        random: @escaping @Sendable () -> UInt64
    ) {
        self.now = now
        self.elapsed = elapsed
        self.random = random
    }
}
