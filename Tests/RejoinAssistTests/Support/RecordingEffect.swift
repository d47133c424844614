import RejoinAssist
import RejoinCore
import Synchronization

/// An effect on a world that outlives the process: it remembers under which keys it was applied, if it is one that can.
final class RecordingEffect: CommitEffect {
    typealias Operation = Classify

    struct Broken: Error {}

    private struct State {
        var applied: [IdempotencyKey: [String]] = [:]
        var calls = 0
        var failures = 0
    }

    private let state = Mutex(State())
    private let remembers: Bool

    init(failures: Int = 0, remembers: Bool = true) {
        self.remembers = remembers
        state.withLock { $0.failures = failures }
    }

    /// How often the world was changed.
    var calls: Int { state.withLock(\.calls) }

    func applied(under key: IdempotencyKey) -> [String]? { remembers ? state.withLock { $0.applied[key] } : nil }

    func apply(_ accepted: Accepted<Classify>, key: IdempotencyKey) throws -> [String] {
        let receipt = accepted.changes.map { "\($0.id.name)=\($0.after)" }
        try state.withLock { state in
            if state.failures > 0 {
                state.failures -= 1
                throw Broken()
            }
            state.calls += 1
            state.applied[key] = receipt
        }
        return receipt
    }
}
