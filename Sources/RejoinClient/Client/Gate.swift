import Synchronization

/// Lets one task at a time through, in the order of arrival: for work that spans an `await` and must not mix.
final class Gate: Sendable {
    private struct State {
        var isTaken = false
        var line: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Runs a body while no other runs.
    func pass<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        await withCheckedContinuation { continuation in
            let goesOn = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.line.append(continuation)
                return false
            }
            if goesOn { continuation.resume() }
        }
        defer {
            let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard !state.line.isEmpty else {
                    state.isTaken = false
                    return nil
                }
                return state.line.removeFirst()
            }
            next?.resume()
        }
        return try await body()
    }
}
