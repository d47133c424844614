import Synchronization

/// Something that has happened or not.
final class Flag: Sendable {
    private let state = Atomic(false)
    var isSet: Bool { state.load(ordering: .sequentiallyConsistent) }
    func set() { state.store(true, ordering: .sequentiallyConsistent) }
}
