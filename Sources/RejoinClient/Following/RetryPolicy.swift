/// When a broken line is tried again, how often, and for how long.
public struct RetryPolicy: Equatable, Sendable {
    /// The longest wait before the first further try; it doubles from there.
    public var firstDelay: Duration
    /// The longest wait between two tries.
    public var maximumDelay: Duration
    /// How long the server may stay away before the first answer from it; nil waits for ever.
    public var initialPatience: Duration?
    /// How long the server may stay away once it has answered; nil waits for ever.
    public var patience: Duration?
    /// How long a line may be silent before it counts as dead: two and a half of the server's heartbeats.
    public var silenceLimit: Duration

    /// Sets the delays; the defaults suit an app that follows for as long as it runs.
    public init(
        firstDelay: Duration = .milliseconds(250), maximumDelay: Duration = .seconds(8),
        initialPatience: Duration? = nil, patience: Duration? = nil, silenceLimit: Duration = .seconds(25)
    ) {
        self.firstDelay = firstDelay
        self.maximumDelay = maximumDelay
        self.initialPatience = initialPatience
        self.patience = patience
        self.silenceLimit = silenceLimit
    }

    /// How often in a row a server that answers nonsense is asked again.
    static let maximumFaults = 3

    /// The wait before a try: between half and all of a doubling delay, so that many clients do not return at once.
    ///
    /// - Parameters:
    ///   - attempt: how many tries have failed in a row, from 1.
    ///   - retryAfter: seconds that the server asked for; honoured up to two minutes.
    ///   - random: 64 random bits.
    func delay(attempt: Int, retryAfter: Int?, random: UInt64) -> Duration {
        let doublings = min(max(attempt - 1, 0), 16)
        let ceiling = min(firstDelay * (1 << doublings), maximumDelay)
        let share = 0.5 + Double(random >> 11) / Double(1 << 54)
        let delay = ceiling * share
        guard let retryAfter, retryAfter > 0 else { return delay }
        return max(delay, .seconds(min(retryAfter, 120)))
    }
}
