internal import Dispatch
internal import Synchronization

/// What tasks say to the engine's thread.
final class Inbox: Sendable {
    private struct State: Sendable {
        var arrived: [Run] = []
        var isStopping = false
        var hasLeft = false
        var leaveWaiters: [CheckedContinuation<Void, Never>] = []
    }

    let interruption = Interruption()
    private let state = Mutex(State())
    private let bell = DispatchSemaphore(value: 0)
    private let held = Atomic<Int>(0)

    /// Answers that the engine works on or keeps waiting.
    var runsHeld: Int { held.load(ordering: .acquiring) }

    // Called by tasks.

    /// Puts a run in the queue; false once the engine is to stop.
    func submit(_ run: Run) -> Bool {
        let isAccepted = state.withLock { state in
            guard !state.isStopping else { return false }
            state.arrived.append(run)
            held.wrappingAdd(1, ordering: .acquiringAndReleasing)
            return true
        }
        if isAccepted { wake() }
        return isAccepted
    }

    /// Makes the engine look at its runs again.
    func wake() { bell.signal() }

    /// Asks the engine to end what it does and leave.
    func stop() {
        state.withLock { $0.isStopping = true }
        interruption.request()
        wake()
    }

    /// Returns when the engine's thread has freed all it had.
    func waitUntilLeft() async {
        await withCheckedContinuation { waiter in
            let hasLeft = state.withLock { state in
                if !state.hasLeft { state.leaveWaiters.append(waiter) }
                return state.hasLeft
            }
            if hasLeft { waiter.resume() }
        }
    }

    // Called by the engine's thread.

    /// Takes what arrived, and whether it is time to leave.
    func collect() -> (runs: [Run], isStopping: Bool) {
        state.withLock { state in
            defer { state.arrived = [] }
            return (state.arrived, state.isStopping)
        }
    }

    /// Sleeps until somebody has something to say.
    func waitForBell() { bell.wait() }

    /// Notes that a run came to its end.
    func release() { held.wrappingSubtract(1, ordering: .acquiringAndReleasing) }

    /// Notes that the thread is about to end.
    func leave() {
        let waiters = state.withLock { state in
            state.hasLeft = true
            defer { state.leaveWaiters = [] }
            return state.leaveWaiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
