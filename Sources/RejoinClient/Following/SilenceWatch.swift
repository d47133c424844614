import Synchronization

/// Notices a line on which nothing comes any more, not even a heartbeat.
///
/// One sleeping task for a whole line: bytes only move its deadline.
final class SilenceWatch: Sendable {
    private struct State {
        var lastSign: Duration
        var hasFired = false
    }

    private let state: Mutex<State>
    private let stopwatch: Stopwatch
    private let task: Mutex<Task<Void, Never>?> = Mutex(nil)

    init(clock: any Clock<Duration>) {
        stopwatch = Stopwatch(clock)
        state = Mutex(State(lastSign: .zero))
    }

    deinit { stop() }

    /// Starts to watch; `onSilence` is called at most once.
    func start(limit: Duration, clock: any Clock<Duration>, onSilence: @escaping @Sendable () -> Void) {
        let watch = Task { [weak self] in
            var wait = limit
            while wait > .zero {
                do { try await clock.sleep(for: wait) } catch { return }
                guard let self else { return }
                wait = self.remaining(of: limit)
            }
            onSilence()
        }
        task.withLock { $0 = watch }
    }

    /// Notes a sign of life.
    func touch() {
        let now = stopwatch.elapsed
        state.withLock { $0.lastSign = now }
    }

    /// Ends the watch.
    func stop() { task.withLock { $0.take() }?.cancel() }

    /// True once the limit passed without a sign.
    var hasFired: Bool { state.withLock { $0.hasFired } }

    /// How long since the watch began.
    var age: Duration { stopwatch.elapsed }

    private func remaining(of limit: Duration) -> Duration {
        let now = stopwatch.elapsed
        return state.withLock { state in
            let remaining = limit - (now - state.lastSign)
            if remaining <= .zero { state.hasFired = true }
            return remaining
        }
    }
}
