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
        /// Steps made of the trial, the seconds of all of them, and what a step of the other choice took before.
        case trial(steps: Int, total: Double, before: Double)
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
        case .trial(let steps, let total, let before):
            noteTrial(steps: steps + 1, total: total + seconds, last: seconds, before: before)
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
        phase = .trial(steps: 0, total: 0, before: usual ?? seconds)
        threads = other
    }

    private mutating func noteTrial(steps: Int, total: Double, last: Double, before: Double) {
        // Much worse is seen at the first step.
        let isHopeless = last > 1.2 * before
        guard steps == Self.trialSteps || isHopeless else {
            phase = .trial(steps: steps, total: total, before: before)
            return
        }
        // The mean, not the best: beside a busy neighbour some steps with all threads are quick by chance. And more
        // threads have to be clearly better, because being wrong about them costs the most.
        let mean = total / Double(steps)
        if mean < (threads == 1 ? 0.95 : 0.85) * before {
            usual = mean
            interval = Self.shortestInterval
        } else {
            threads = other
            usual = before
            let growth = last > 2 * before ? 4 : 2
            interval = min(Self.longestInterval, max(Self.shortestInterval, interval * growth))
        }
        phase = .steady(steps: 0, slow: 0)
    }
}
