import Synchronization

/// Indexes in the background what was said, a moment after it was.
///
/// Nothing of it is on the way of an answer: admitting and ending leave an id in a queue, and this empties the queue in
/// small steps between the writer's other work.
package final class SearchIndexer: Sendable {
    private let store: any Store
    private let surroundings: Surroundings
    private let logger: Logger
    /// Something may wait: true at the start, for what an earlier process left.
    private let hasWork = Atomic<Bool>(true)

    /// How much text one step indexes, in bytes: a few milliseconds.
    private static let step = 12 << 10
    /// How often words of deleted texts are merged out of the file while there are any.
    private static let sweepEvery = Duration.seconds(600)

    package init(store: any Store, surroundings: Surroundings, logger: Logger) {
        self.store = store
        self.surroundings = surroundings
        self.logger = logger
    }

    /// Notes that an account changed, so that something may wait.
    package func changed() { hasWork.store(true, ordering: .relaxed) }

    /// Works until cancelled.
    package func run() async {
        var swept = surroundings.monotonic() - Self.sweepEvery + .seconds(30)
        while true {
            do {
                try await surroundings.sleep(.milliseconds(700))
                if hasWork.exchange(false, ordering: .relaxed) {
                    while try await store.settleSearch(maximumBytes: Self.step) {
                        try await surroundings.sleep(.milliseconds(4))
                    }
                }
                guard surroundings.monotonic() - swept >= Self.sweepEvery else { continue }
                swept = surroundings.monotonic()
                while try await store.sweepSearch() { try await surroundings.sleep(.milliseconds(40)) }
            } catch let failure as StoreFailure {
                hasWork.store(true, ordering: .relaxed)
                logger.log(.error, "search-index", ["code": failure.code.name])
            } catch {
                return
            }
        }
    }
}
