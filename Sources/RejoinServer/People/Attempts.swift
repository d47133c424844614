package import RejoinCore

/// Attempts at one secret that were not proven right, and what they cost the next one.
///
/// An attempt counts before it is looked at and is forgiven when it was right, so that many at once are no way round.
package struct Attempts: Equatable, Sendable {
    /// What is counted together: a name, an address, or both, as a hash.
    package struct Key: Hashable, Sendable {
        package let hash: [UInt8]
        /// Attempts that cost nothing; each one after doubles the wait.
        package let free: Int

        package init(hash: [UInt8], free: Int) {
            self.hash = hash
            self.free = free
        }
    }

    package var count: Int
    package var lastAt: Timestamp

    package init(count: Int, lastAt: Timestamp) {
        self.count = count
        self.lastAt = lastAt
    }

    /// The longest wait is 1024 seconds: whoever mistypes waits, and nobody is shut out for a day.
    private static let longestDoubling = 10
    /// Attempts are forgotten when this long nothing was tried: a day, in milliseconds.
    package static let memory: Int64 = 86_400_000

    /// When the next attempt is taken; nil if that is now.
    package func blockedUntil(free: Int, now: Timestamp) -> Timestamp? {
        let excess = count - free
        guard excess > 0 else { return nil }
        // A clock that was set back must not lengthen the wait.
        let from = min(lastAt, now)
        let end = from.advanced(byMilliseconds: 1000 << Int64(min(excess, Self.longestDoubling)))
        return end > now ? end : nil
    }

    /// Counts one more.
    package func counted(at now: Timestamp) -> Attempts {
        let isForgotten = now.milliseconds - lastAt.milliseconds > Self.memory
        return Attempts(count: (isForgotten ? 0 : min(count, 1 << 20)) + 1, lastAt: now)
    }
}
