internal import Synchronization

/// Whether the evaluation under way has become useless.
///
/// The library asks from its own threads, many times a second.
final class Interruption: Sendable {
    private let wanted = Atomic<Bool>(false)

    var isWanted: Bool { wanted.load(ordering: .relaxed) }

    func request() { wanted.store(true, ordering: .releasing) }

    func clear() { wanted.store(false, ordering: .releasing) }
}
