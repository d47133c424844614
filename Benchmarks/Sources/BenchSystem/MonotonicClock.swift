import CEpoll

/// The machine's monotonic clock, in nanoseconds; the same for every process, which is what makes stamps comparable.
package struct MonotonicClock: Sendable {
    /// A reader of that clock.
    package init() {}

    /// Nanoseconds since the machine's start.
    package var now: Int64 { cepoll_clock(CLOCK_MONOTONIC) }

    /// Nanoseconds of processor time that this process has used so far.
    package var processorTime: Int64 { cepoll_clock(CLOCK_PROCESS_CPUTIME_ID) }

    /// Nanoseconds since 1970, for the time inside an id.
    package var wall: Int64 { cepoll_clock(CLOCK_REALTIME) }
}
