public import RejoinClient
public import RejoinCore
import Synchronization

/// A clock that moves when a test says so.
///
/// Hand it to `RejoinClient`: every wait of the client and of the models is measured by it.
public final class ManualClock: Clock {
    /// A moment of the clock.
    public struct Instant: InstantProtocol {
        /// The time since the clock was made.
        public var offset: Duration

        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var last = 0
    }

    private let start: Timestamp
    private let state = Mutex(State())

    /// Makes a clock that stands.
    ///
    /// - Parameter start: the moment at which its wall clock begins.
    public init(start: Timestamp = Timestamp(milliseconds: 1_800_000_000_000)) { self.start = start }

    public var now: Instant { state.withLock { $0.now } }
    public var minimumResolution: Duration { .nanoseconds(1) }
    /// How many tasks sleep.
    public var sleepers: Int { state.withLock { $0.sleepers.count } }

    /// When the first of them wakes, as time since the clock was made; nil if none sleeps.
    public var nextDeadline: Duration? { state.withLock { $0.sleepers.values.map(\.deadline.offset).min() } }

    /// The same moment as a date.
    public var wall: Timestamp {
        let (seconds, attoseconds) = now.offset.components
        return start.advanced(byMilliseconds: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    /// Ids and moments of this clock, the same in every run.
    ///
    /// - Parameter seed: another one for each device of a test.
    public func ids(seed: UInt64 = 1) -> IDSource {
        let state = Mutex(seed)
        return IDSource(
            now: { self.wall },
            random: {
                state.withLock { state in
                    // SplitMix64: every seed gives a long row of different numbers.
                    state &+= 0x9E37_79B9_7F4A_7C15
                    var mixed = state
                    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
                    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
                    return mixed ^ mixed >> 31
                }
            })
    }

    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Void, any Error>? in
                    if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers[number] = Sleeper(deadline: deadline, continuation: continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                if let sleeper = state.sleepers.removeValue(forKey: number) { return sleeper }
                state.cancelled.insert(number)
                return nil
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Moves time on and wakes whoever is due, the earliest first.
    public func advance(by duration: Duration) {
        let due = state.withLock { state -> [Sleeper] in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for number in due.keys { state.sleepers.removeValue(forKey: number) }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}
