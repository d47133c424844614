/// Measures from the moment it was made, on whatever clock.
struct Stopwatch: Sendable {
    private let read: @Sendable () -> Duration

    /// Starts now.
    init(_ clock: any Clock<Duration>) { self = Self.started(clock) }

    private init(read: @escaping @Sendable () -> Duration) { self.read = read }

    /// How long it has run.
    var elapsed: Duration { read() }

    private static func started<C: Clock<Duration>>(_ clock: C) -> Stopwatch {
        let start = clock.now
        return Stopwatch(read: { start.duration(to: clock.now) })
    }
}
