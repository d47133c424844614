/// Durations counted in buckets a four-thousandth apart or finer, so that millions cost no memory.
///
/// The step has to be far below what is compared: the first piece comes after 200 ms, and a bar for it is 2 ms.
package struct Histogram: Sendable {
    private var counts = [Int64](repeating: 0, count: 8192 + 24 * 4096)
    /// How many were added.
    package private(set) var total: Int64 = 0
    /// The longest, in nanoseconds.
    package private(set) var longest: Int64 = 0
    /// The shortest, in nanoseconds.
    package private(set) var shortest = Int64.max

    /// An empty one.
    package init() {}

    /// Adds a duration in nanoseconds; a negative one counts as none.
    package mutating func add(_ nanoseconds: Int64) {
        let bounded = max(0, nanoseconds)
        counts[Self.bucket(bounded / 1000)] += 1
        total += 1
        longest = max(longest, bounded)
        shortest = min(shortest, bounded)
    }

    /// The duration that `share` of all stay under, in milliseconds; 0 if there is none.
    package func milliseconds(_ share: Double) -> Double {
        guard total > 0 else { return 0 }
        let rank = Int64((Double(total) * share).rounded(.up))
        var seen: Int64 = 0
        for (bucket, count) in counts.enumerated() {
            seen += count
            if seen >= max(rank, 1) { return min(Double(Self.top(bucket)) / 1000, Double(longest) / 1_000_000) }
        }
        return Double(longest) / 1_000_000
    }

    /// The figures a report shows, in milliseconds, as JSON.
    package var summary: String {
        """
        {"count":\(total),"min":\(decimal(total > 0 ? Double(shortest) / 1_000_000 : 0)),\
        "p50":\(decimal(milliseconds(0.5))),"p99":\(decimal(milliseconds(0.99))),\
        "p999":\(decimal(milliseconds(0.999))),"max":\(decimal(Double(longest) / 1_000_000))}
        """
    }

    // Up to 8,191 µs a bucket each; above, 4,096 buckets for every doubling.
    private static func bucket(_ microseconds: Int64) -> Int {
        guard microseconds > 8191 else { return Int(microseconds) }
        let doublings = 51 - microseconds.leadingZeroBitCount
        guard doublings <= 24 else { return 8191 + 24 * 4096 }
        return 8192 + (doublings - 1) * 4096 + Int(microseconds >> Int64(doublings)) - 4096
    }

    private static func top(_ bucket: Int) -> Int64 {
        guard bucket > 8191 else { return Int64(bucket) + 1 }
        let doublings = Int64((bucket - 8192) / 4096 + 1)
        return (Int64((bucket - 8192) % 4096 + 4096) + 1) << doublings
    }
}

/// A number with three decimals, without Foundation.
package func decimal(_ value: Double) -> String {
    let thousandths = Int64((value * 1000).rounded())
    let fraction = String(abs(thousandths) % 1000)
    let sign = thousandths < 0 ? "-" : ""
    return "\(sign)\(abs(thousandths) / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
}
