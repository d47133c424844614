/// What came of one probe.
package struct Finding: Sendable {
    /// How what was seen compares with what was decided.
    package enum Outcome: String, Sendable, CaseIterable {
        case asDecided = "as decided"
        case differs
        /// The service has no such thing.
        case notOffered = "not offered"
        /// Nothing can be said: the probe could not be carried out to its end.
        case brokeOff = "broke off"

        /// Whether this is what was hoped for, or at least no contradiction.
        package var isAcceptable: Bool { self == .asDecided || self == .notOffered }
    }

    /// How far the outcome can be trusted.
    package enum Confidence: String, Sendable { case high, medium, low }

    package var number: String
    package var title: String
    package var decided: String
    package var outcome: Outcome
    /// What was seen, in one sentence or a few.
    package var observed: String
    /// What the person saw and what was counted, in order.
    package var evidence: [String]
    package var timings: [(name: String, duration: Duration)]
    package var confidence: Confidence
    /// Why the confidence is not higher.
    package var doubts: [String]
    /// How long the whole probe took.
    package var took: Duration
}
