/// Chooses how many threads generate, by trying one thread against all from time to time.
///
/// While the machine is otherwise idle all threads are quicker; beside a busy neighbour one alone is, by far. The
/// trials grow rarer as long as they change nothing.
struct ThreadTuner: Sendable {
    /// How many threads the next step should use.
    private(set) var threads: Int

    private enum Phase {
        /// Steps since the last trial.
        case steady(steps: Int)
        /// Steps left of the trial, the best so far, and what the other choice took before.
        case trial(left: Int, best: Double, before: Double)
    }

    private static let trialSteps = 3
    private static let shortestInterval = 24
    private static let longestInterval = 512

    private let most: Int
    private var phase = Phase.steady(steps: 0)
    /// Seconds of a step with the present choice, smoothed; nil until one was measured.
    private var usual: Double?
    private var interval = 8

    /// Chooses between 1 and `most`.
    init(most: Int) {
        self.most = most
        threads = most
    }

    /// Notes how long a step took, in seconds for each sequence, and chooses for the next.
    mutating func note(_ seconds: Double) {
        guard most > 1, seconds > 0 else { return }
        switch phase {
        case .steady(let steps): noteSteady(seconds, steps: steps + 1)
        case .trial(let left, let best, let before):
            noteTrial(left: left - 1, best: min(best, seconds), last: seconds, before: before)
        }
    }

    private var other: Int { threads == 1 ? most : 1 }

    private mutating func noteSteady(_ seconds: Double, steps: Int) {
        let before = usual
        usual = before.map { 0.7 * $0 + 0.3 * seconds } ?? seconds
        // A sudden slow-down is what a busy neighbour looks like: worth a trial at once, but not for one odd step.
        let collapsed = threads > 1 && steps > Self.trialSteps && before.map { seconds > 1.8 * $0 } ?? false
        guard steps >= interval || collapsed else {
            phase = .steady(steps: steps)
            return
        }
        if collapsed { interval = Self.shortestInterval }
        phase = .trial(left: Self.trialSteps, best: .infinity, before: collapsed ? seconds : usual ?? seconds)
        threads = other
    }

    private mutating func noteTrial(left: Int, best: Double, last: Double, before: Double) {
        // Much worse is seen at the first step.
        let isHopeless = last > 1.2 * before
        guard left == 0 || isHopeless else {
            phase = .trial(left: left, best: best, before: before)
            return
        }
        if best < 0.95 * before {
            usual = best
            interval = Self.shortestInterval
        } else {
            threads = other
            usual = before
            interval = min(Self.longestInterval, max(Self.shortestInterval, interval * 2))
        }
        phase = .steady(steps: 0)
    }
}
