/// Chooses how many threads generate, by trying one thread against all from time to time.
///
/// While the machine is otherwise idle all threads are quicker; beside a busy neighbour one alone is, by far. The
/// trials grow rarer as long as they change nothing.
struct ThreadTuner: Sendable {
    /// How many threads the next step should use.
    private(set) var threads: Int

    private enum Phase {
        /// Steps since the last trial, and how many of the latest were slow.
        case steady(steps: Int, slow: Int)
        /// Steps left of the trial, the best so far, and what the other choice took before.
        case trial(left: Int, best: Double, before: Double)
    }

    private static let trialSteps = 3
    private static let shortestInterval = 24
    private static let longestInterval = 512

    private let most: Int
    private var phase = Phase.steady(steps: 0, slow: 0)
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
        case .steady(let steps, let slow): noteSteady(seconds, steps: steps + 1, slow: slow)
        case .trial(let left, let best, let before):
            noteTrial(left: left - 1, best: min(best, seconds), last: seconds, before: before)
        }
    }

    private var other: Int { threads == 1 ? most : 1 }

    private mutating func noteSteady(_ seconds: Double, steps: Int, slow: Int) {
        let before = usual ?? seconds
        let slow = seconds > 1.8 * before ? slow + 1 : 0
        // A sudden slow-down is what a busy neighbour looks like: worth a trial at once, but not for one odd step.
        let isCollapse = threads > 1 && slow > 1
        // A slow step counts only once it is clear that it was no accident.
        if slow == 0 || isCollapse { usual = isCollapse ? seconds : 0.7 * before + 0.3 * seconds }
        guard steps >= interval || isCollapse else {
            phase = .steady(steps: steps, slow: slow)
            return
        }
        if isCollapse { interval = Self.shortestInterval }
        phase = .trial(left: Self.trialSteps, best: .infinity, before: usual ?? seconds)
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
        phase = .steady(steps: 0, slow: 0)
    }
}
