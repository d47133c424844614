package import RejoinCore

/// Time, sleep and chance, as the server's parts are given them: nothing reads a global clock.
package struct Surroundings: Sendable {
    /// The moment of the wall clock, for what is stored and shown.
    package var wall: @Sendable () -> Timestamp
    /// Time since some fixed point, never going back, for measuring and waiting.
    package var monotonic: @Sendable () -> Duration
    /// Waits, or throws `CancellationError`.
    package var sleep: @Sendable (Duration) async throws -> Void
    /// Blocks the thread for a few milliseconds at most: for a thread that has nothing else to do, where a timer of the
    /// system would wake two more.
    package var doze: @Sendable (Duration) -> Void
    /// 128 bits that nobody can guess.
    package var random: @Sendable () -> (UInt64, UInt64)

    package init(
        wall: @escaping @Sendable () -> Timestamp, monotonic: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        doze: @escaping @Sendable (Duration) -> Void,
        random: @escaping @Sendable () -> (UInt64, UInt64)
    ) {
        self.wall = wall
        self.monotonic = monotonic
        self.sleep = sleep
        self.doze = doze
        self.random = random
    }

    /// A new id of any kind, for the few things that the server itself names.
    package func makeID<Kind>() -> ID<Kind> { ID(at: wall(), random: random()) }
}
