import RejoinCore
import Synchronization

/// Lets one request at a time of a kind be admitted, in the order they came; other kinds do not wait for it.
///
/// Each request holds a place in the model's line until it is admitted. Twenty at once that are one and the same, or that
/// a quota lets through once, would hold twenty places for a moment, and the last of them would hear that the line is
/// full, which it is not: they are to find the answer that there is, or to hear of the quota.
final class AdmissionGate: Sendable {
    /// What is admitted one at a time.
    enum Key: Hashable, Sendable {
        case account(AccountID)
        /// The copies of one turn.
        case turn(TurnID)
        /// The copies of one further answer.
        case answer(AnswerID)
    }

    /// Who waits, for each key that is being served.
    private let waiting = Mutex<[Key: [CheckedContinuation<Void, Never>]]>([:])

    /// Runs a body while no other of the key runs.
    func run<Result>(_ key: Key, _ body: () async throws -> Result) async rethrows -> Result {
        await enter(key)
        defer { leave(key) }
        return try await body()
    }

    private func enter(_ key: Key) async {
        await withCheckedContinuation { continuation in
            let isFree = waiting.withLock { waiting in
                guard waiting[key] != nil else {
                    waiting[key] = []
                    return true
                }
                waiting[key]?.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave(_ key: Key) {
        let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            guard let first = waiting[key]?.first else {
                waiting[key] = nil
                return nil
            }
            waiting[key]?.removeFirst()
            return first
        }
        next?.resume()
    }
}
