package import RejoinCore

/// How much of one thing a plan gives in each window.
package struct Quota: Equatable, Sendable {
    /// What can be counted; each for itself, so that one limit leaves the others usable.
    package enum Capability: String, Sendable, CaseIterable {
        /// Answers, of any model.
        case turns
        /// Tokens that models read and wrote.
        case tokens
        /// Answers of the plan's stronger models.
        case strongTurns = "strong-turns"
    }

    package var capability: Capability
    /// How much there is in a window; 0 gives none at all.
    package var amount: Int
    /// How long a window is, in hours.
    package var hours: Int
    /// The minute of the day, in UTC, that windows are counted from.
    package var startMinute: Int

    package init(_ capability: Capability, amount: Int, hours: Int = 24, startMinute: Int = 0) {
        self.capability = capability
        self.amount = max(0, amount)
        self.hours = max(1, hours)
        self.startMinute = startMinute
    }

    /// The length of a window in milliseconds.
    package var length: Int64 { Int64(hours) * 3_600_000 }

    /// The window that a moment lies in.
    ///
    /// Windows follow each other without a gap and reset for everybody at the same stated time: a day's at its minute, a
    /// week's on a Monday. A window that began with the first prompt would reset at a time that nobody can state before.
    package func window(at now: Timestamp) -> QuotaWindow {
        let anchor = Self.firstMonday + Int64(startMinute) * 60_000
        let (since, overflows) = now.milliseconds.subtractingReportingOverflow(anchor)
        guard !overflows else { return QuotaWindow(start: now, end: now) }
        let past = since % length
        let start = now.milliseconds - (past < 0 ? past + length : past)
        return QuotaWindow(
            start: Timestamp(milliseconds: start), end: Timestamp(milliseconds: start).advanced(byMilliseconds: length))
    }

    /// 1970-01-05, a Monday.
    private static let firstMonday: Int64 = 4 * 86_400_000
}

/// One window: from its start on, up to its end and without it.
package struct QuotaWindow: Hashable, Sendable {
    package var start: Timestamp
    package var end: Timestamp

    package init(start: Timestamp, end: Timestamp) {
        self.start = start
        self.end = end
    }
}
