/// Says when the next frame is due: a display's own rhythm, a clock, or a test.
public protocol FrameTicker: Sendable {
    /// Returns at the next frame.
    ///
    /// - Throws: `CancellationError` when the task was cancelled.
    func nextFrame() async throws
}

/// Frames at a steady pace, measured by a clock.
public struct ClockTicker: FrameTicker {
    private let clock: any Clock<Duration>
    private let interval: Duration

    /// Makes a pace.
    ///
    /// - Parameter interval: how long a frame lasts at least; by default that of 60 frames a second.
    public init(clock: any Clock<Duration> = ContinuousClock(), interval: Duration = .microseconds(16_667)) {
        self.clock = clock
        self.interval = interval
    }

    public func nextFrame() async throws { try await clock.sleep(for: interval) }
}
