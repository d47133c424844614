import Synchronization

/// What a probe writes down while it is carried out.
package final class Notebook: Sendable {
    private struct Pages {
        var claims: [String] = []
        var failures: [String] = []
        var evidence: [String] = []
        var timings: [(name: String, duration: Duration)] = []
        var doubts: [String] = []
        var absence: String?
        var breakOff: String?
    }

    private let pages = Mutex(Pages())

    /// Starts empty.
    package init() {}

    /// Holds what was seen against what was decided.
    ///
    /// - Parameters:
    ///   - claim: what was decided, as a sentence that is true if it holds.
    ///   - otherwise: what was seen instead.
    /// - Returns: whether it holds, so that a probe can leave where nothing further makes sense.
    @discardableResult
    func check(_ holds: Bool, _ claim: String, otherwise: @autoclosure () -> String) -> Bool {
        let failure = holds ? nil : otherwise()
        pages.withLock { pages in
            if let failure { pages.failures.append(failure) } else { pages.claims.append(claim) }
        }
        return holds
    }

    /// Keeps something that was seen or counted.
    func note(_ evidence: String) { pages.withLock { $0.evidence.append(evidence) } }

    /// Keeps how long something took.
    func time(_ name: String, _ duration: Duration) { pages.withLock { $0.timings.append((name, duration)) } }

    /// Says why the outcome is less sure than it could be.
    ///
    /// The same reason counts once.
    func doubt(_ reason: String) {
        pages.withLock { if !$0.doubts.contains(reason) { $0.doubts.append(reason) } }
    }

    /// Says that the service has no such thing.
    func notOffered(_ why: String) { pages.withLock { $0.absence = why } }

    /// Says why the probe could not be carried out; the first reason counts.
    func breakOff(_ why: String) { pages.withLock { $0.breakOff = $0.breakOff ?? why } }

    /// What it all comes to.
    func finding(of probe: Probe, took: Duration) -> Finding {
        pages.withLock { pages in
            let outcome: Finding.Outcome =
                if !pages.failures.isEmpty { .differs } else if pages.breakOff != nil {
                    .brokeOff
                } else if pages.absence != nil { .notOffered } else if pages.claims.isEmpty { .brokeOff } else {
                    .asDecided
                }
            // What was looked at several times is said once.
            var seen: [String] = []
            for words in pages.failures.isEmpty ? pages.claims : pages.failures where !seen.contains(words) {
                seen.append(words)
            }
            if let why = pages.absence, pages.failures.isEmpty { seen = [why] }
            if let why = pages.breakOff { seen.append("broken off: " + why) }
            if seen.isEmpty { seen = ["nothing was found out"] }
            let confidence: Finding.Confidence =
                switch pages.doubts.count {
                case 0: .high
                case 1: .medium
                default: .low
                }
            return Finding(
                number: probe.number, title: probe.title, decided: probe.decided, outcome: outcome,
                observed: seen.joined(separator: "; "), evidence: pages.evidence, timings: pages.timings,
                confidence: confidence, doubts: pages.doubts, took: took)
        }
    }
}
