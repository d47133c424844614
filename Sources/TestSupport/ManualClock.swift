import Foundation
import RejoinCore
package import RejoinServer
import Synchronization

/// A clock that moves only when a test says so, and random numbers that are the same in every run.
package final class ManualClock: Sendable {
    private let state = Mutex(State())

    private struct State {
        var now = Duration.zero
        var random: UInt64 = 0x9E37_79B9_7F4A_7C15
        var nextTicket = 0
        var sleepers: [Int: (due: Duration, continuation: CheckedContinuation<Void, Never>)] = [:]
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    package init() {}

    /// The surroundings in which this is the time.
    ///
    /// The wall clock starts on 2026-01-01.
    package var surroundings: Surroundings {
        Surroundings(
            wall: { Timestamp(milliseconds: 1_767_225_600_000 + Int64(self.now.inSeconds * 1000)) },
            monotonic: { self.now }, sleep: { try await self.sleep($0) },
            // Real, or a thread that waits for this clock to move would never let go of its core.
            doze: { _ in usleep(100) },
            random: { (self.next(), self.next()) })
    }

    package var now: Duration { state.withLock { $0.now } }

    /// Moves time on and wakes whoever is due.
    package func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.value.due <= state.now }
            for ticket in due.keys { state.sleepers[ticket] = nil }
            return due.values.sorted { $0.due < $1.due }.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    /// Waits until at least so many tasks sleep on this clock: then advancing it reaches them.
    package func waitForSleepers(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                guard state.sleepers.count < count else { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private func sleep(_ duration: Duration) async throws {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (goesOn, watchers) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
                    guard !Task.isCancelled, duration > .zero else { return (true, []) }
                    state.sleepers[ticket] = (state.now + duration, continuation)
                    let count = state.sleepers.count
                    let ready = state.watchers.filter { $0.count <= count }.map(\.continuation)
                    state.watchers.removeAll { $0.count <= count }
                    return (false, ready)
                }
                if goesOn { continuation.resume() }
                for watcher in watchers { watcher.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: ticket) }?.continuation.resume()
        }
        try Task.checkCancellation()
    }

    private func next() -> UInt64 {
        state.withLock { state in
            // xorshift64*: good enough to be different, and the same in every run.
            state.random ^= state.random >> 12
            state.random ^= state.random << 25
            state.random ^= state.random >> 27
            return state.random &* 0x2545_F491_4F6C_DD1D
        }
    }
}
