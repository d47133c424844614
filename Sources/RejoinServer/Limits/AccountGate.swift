import RejoinCore
import Synchronization

/// Lets one request of an account be admitted at a time, in the order they came; accounts do not wait for each other.
///
/// Twenty prompts at once against a quota of one would hold twenty places in the model's line for a moment, and the last
/// of them would hear that the line is full, which it is not: they are to hear of the quota.
final class AccountGate: Sendable {
    /// Who waits, for each account that is being served.
    private let waiting = Mutex<[AccountID: [CheckedContinuation<Void, Never>]]>([:])

    /// Runs a body while no other of the account runs.
    func run<Result>(_ account: AccountID, _ body: () async throws -> Result) async rethrows -> Result {
        await enter(account)
        defer { leave(account) }
        return try await body()
    }

    private func enter(_ account: AccountID) async {
        await withCheckedContinuation { continuation in
            let isFree = waiting.withLock { waiting in
                guard waiting[account] != nil else {
                    waiting[account] = []
                    return true
                }
                waiting[account]?.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave(_ account: AccountID) {
        let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            guard let first = waiting[account]?.first else {
                waiting[account] = nil
                return nil
            }
            waiting[account]?.removeFirst()
            return first
        }
        next?.resume()
    }
}
