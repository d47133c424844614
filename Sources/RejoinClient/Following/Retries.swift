/// How often in a row a line has failed, and what the next failure means.
struct Retries {
    private let policy: RetryPolicy
    /// Failed tries in a row.
    private(set) var attempts = 0
    private var faults = 0
    private var outage: Stopwatch?

    init(_ policy: RetryPolicy) { self.policy = policy }

    /// Notes that the line brought something: what failed before counts no more.
    mutating func noteProgress() { self = Retries(policy) }

    /// Notes a failure.
    ///
    /// - Parameter patience: how long the server may stay away; nil is for ever.
    /// - Returns: how long to wait before the next try.
    /// - Throws: the error itself, where another try cannot help or patience is at its end.
    mutating func delay(
        after error: ClientError, patience: Duration? = nil, client: RejoinClient
    ) throws(ClientError) -> Duration {
        if error.isFault {
            faults += 1
            guard faults < RetryPolicy.maximumFaults else { throw error }
        } else if !error.isTransient {
            throw error
        }
        attempts += 1
        let delay = policy.delay(attempt: attempts, retryAfter: error.retryAfter, random: client.ids.random())
        let away = outage ?? Stopwatch(client.clock)
        outage = away
        if let patience, away.elapsed + delay > patience { throw error }
        return delay
    }
}
