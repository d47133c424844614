internal import RejoinCore

/// When a request is sent again: a value that is asked after each failure.
struct RetrySchedule: Sendable {
    private let bounds: RetryBounds
    /// How often the request was sent.
    private(set) var sends = 0
    private var waited = Duration.zero
    private var nextWait: Duration

    init(_ bounds: RetryBounds) {
        self.bounds = bounds
        nextWait = bounds.firstWait
    }

    /// Counts a time that the request is sent; false when it was sent often enough.
    mutating func countSend() -> Bool {
        guard sends < max(1, bounds.attempts) else { return false }
        sends += 1
        return true
    }

    /// How long to wait before the next time; nil when there is none.
    ///
    /// - Parameters:
    ///   - asked: what the server asked for, which is never shortened.
    ///   - chance: from 0 to 1, so that many devices do not come back at the same moment.
    mutating func wait(asked: Duration?, chance: Double) -> Duration? {
        guard sends < bounds.attempts else { return nil }
        let own = nextWait * (0.5 + 0.5 * min(max(chance, 0), 1))
        let wait = max(asked ?? .zero, asked == nil ? own : .zero)
        guard wait <= bounds.totalWait, waited + wait <= bounds.totalWait else { return nil }
        waited += wait
        nextWait = nextWait * 2
        return wait
    }

    /// Reads `Retry-After`: whole seconds; a date, which our server never sends, counts as absent.
    static func seconds(_ text: String?) -> Int? {
        guard let text, let seconds = Int(text), (0...31_536_000).contains(seconds) else { return nil }
        return seconds
    }
}
