package import RejoinCore

/// Everything that came of a run: for the terminal, for a reader, and for programs.
package struct Worksheet: Sendable {
    /// What was probed, in a few words.
    package var subject: String
    package var madeAt: Timestamp
    package var findings: [Finding]

    /// Puts a worksheet together.
    package init(subject: String, madeAt: Timestamp, findings: [Finding]) {
        self.subject = subject
        self.madeAt = madeAt
        self.findings = findings
    }

    /// Whether nothing came out otherwise than was decided, and nothing was left open.
    package var isAcceptable: Bool { findings.allSatisfy(\.outcome.isAcceptable) }

    /// How many came out in which way: "10 as decided, 1 not offered".
    package var summary: String {
        let counts = Finding.Outcome.allCases.compactMap { outcome -> String? in
            let count = findings.count { $0.outcome == outcome }
            return count > 0 ? "\(count) \(outcome.rawValue)" : nil
        }
        return counts.isEmpty ? "no probes" : counts.joined(separator: ", ")
    }
}
