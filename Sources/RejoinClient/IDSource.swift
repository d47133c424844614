public import RejoinCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Makes ids out of the time and a random source, both of which the caller may replace.
public struct IDSource: Sendable {
    /// The moment now.
    public let now: @Sendable () -> Timestamp
    /// 64 bits from a random source.
    public let random: @Sendable () -> UInt64

    /// Makes ids from that clock and that randomness.
    public init(now: @escaping @Sendable () -> Timestamp, random: @escaping @Sendable () -> UInt64) {
        self.now = now
        self.random = random
    }

    /// A new id.
    public func make<Kind>() -> ID<Kind> { ID(at: now(), random: (random(), random())) }
}

extension IDSource {
    /// The system's clock and randomness.
    public static let system = IDSource(
        now: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) },
        random: {
            var generator = SystemRandomNumberGenerator()
            return generator.next()
        })
}
