package import RejoinCore
import Synchronization

/// Durable, then delivered: commits what all running answers append, in groups, and only then lets followers see it.
///
/// One committer serves every answer. A piece that comes alone is committed at once; under load, a commit waits a moment
/// for what comes with the first piece and takes all that has gathered, so that the cost is per flush and not per piece.
package final class EventLog: Sendable {
    /// The times and sizes that bound the log.
    package struct Policy: Sendable {
        /// Text that follows the piece before it sooner than this is joined with what comes next.
        package var window = Duration.milliseconds(25)
        /// How long a commit that follows another closely waits for the pieces that come with the first.
        package var gathering = Duration.microseconds(400)
        /// How often text that is being joined is looked at while nothing else comes.
        package var spacing = Duration.milliseconds(2)
        /// Joined text of this many bytes is numbered without waiting longer.
        package var maximumPiece = 4096
        /// Bytes appended but not committed, above which a run has to wait.
        package var maximumPending = 256 << 10
        /// Bytes of each running answer kept in memory for its followers.
        package var tailBytes = 128 << 10
        /// Bytes handed to a follower at once.
        package var readBytes = 64 << 10
        /// The wait after a failed commit, before the next try.
        package var retry = Duration.milliseconds(250)
        /// How long commits may fail before the running answers are given up.
        package var patience = Duration.seconds(30)

        package init() {}
    }

    private let store: any LogStore
    private let surroundings: Surroundings
    package let policy: Policy
    private let state = Mutex(State())
    /// Called when commits have failed for longer than the policy's patience.
    private let onTrouble: @Sendable (StoreFailure) -> Void

    private struct State {
        var live: [AnswerID: AnswerLog] = [:]
        var dirty: [AnswerLog] = []
        /// Something was appended since the last commit; otherwise the dirty logs hold text that is being joined.
        var hasNews = false
        var committer: CheckedContinuation<Void, Never>?
        var isClosed = false
        var statistics = Statistics()
    }

    /// Counts for the metrics.
    package struct Statistics: Equatable, Sendable {
        package var commits = 0
        package var entries = 0
        package var events = 0
        package var bytes = 0
        package var failures = 0
    }

    package init(
        store: any LogStore, surroundings: Surroundings, policy: Policy = Policy(),
        onTrouble: @escaping @Sendable (StoreFailure) -> Void = { _ in }
    ) {
        self.store = store
        self.surroundings = surroundings
        self.policy = policy
        self.onTrouble = onTrouble
    }

    /// Waits, on the clock that the log was given.
    package var sleep: @Sendable (Duration) async throws -> Void { surroundings.sleep }

    package var statistics: Statistics { state.withLock { $0.statistics } }

    /// Opens the log of an answer that was admitted just now.
    package func open(_ answer: Answer) -> AnswerLog {
        let log = AnswerLog(answer, policy: policy) { [weak self] log in self?.wake(log) }
        state.withLock { $0.live[answer.id] = log }
        return log
    }

    /// The log of a running answer; nil once it has ended and is read from the store.
    package func live(_ answer: AnswerID) -> AnswerLog? { state.withLock { $0.live[answer] } }

    /// Forgets a log whose conversation was deleted, and lets its followers go.
    package func abandon(_ answer: AnswerID) {
        state.withLock { $0.live.removeValue(forKey: answer) }?.abandon()
    }

    private func wake(_ log: AnswerLog) {
        let committer = state.withLock { state in
            state.dirty.append(log)
            state.hasNews = true
            defer { state.committer = nil }
            return state.committer
        }
        committer?.resume()
    }

    // MARK: The committer

    /// Commits until the task is cancelled; then commits what is left, and returns.
    package func run() async {
        await withTaskExecutorPreference(store.executor) { await commitUntilCancelled() }
    }

    private func commitUntilCancelled() async {
        var lastCommit = Duration.seconds(-1)
        var failingSince: Duration?
        while true {
            await waitForWork()
            let isLast = Task.isCancelled
            if !isLast { await gather(since: lastCommit) }
            lastCommit = surroundings.monotonic()
            let batch = takeBatch(now: isLast ? lastCommit + policy.window : lastCommit)
            if !batch.isEmpty {
                if await commit(batch) {
                    failingSince = nil
                } else {
                    let since = failingSince ?? lastCommit
                    failingSince = since
                    if isLast { return }
                    try? await surroundings.sleep(policy.retry)
                    if surroundings.monotonic() - since > policy.patience {
                        failingSince = nil
                        giveUp()
                    }
                }
            } else if isLast {
                return
            }
        }
    }

    private func waitForWork() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    guard state.dirty.isEmpty, !state.isClosed else { return true }
                    state.committer = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            state.withLock { state in
                state.isClosed = true
                defer { state.committer = nil }
                return state.committer
            }?.resume()
        }
    }

    /// Waits for what is about to be appended: one commit for all of it.
    private func gather(since lastCommit: Duration) async {
        let hasNews = state.withLock { $0.hasNews }
        // Runs that are ready to append get to it first.
        if hasNews, surroundings.monotonic() - lastCommit > policy.window { return await Task.yield() }
        let pause = hasNews ? policy.gathering : policy.spacing
        guard store.executor == nil else { return surroundings.doze(pause) }
        try? await surroundings.sleep(pause)
    }

    private func takeBatch(now: Duration) -> [(log: AnswerLog, entry: LogEntry)] {
        let dirty = state.withLock { state in
            defer { state.dirty = [] }
            state.hasNews = false
            return state.dirty
        }
        let time = surroundings.wall()
        var batch: [(log: AnswerLog, entry: LogEntry)] = []
        batch.reserveCapacity(dirty.count)
        var still: [AnswerLog] = []
        for log in dirty {
            let (entry, staysDirty) = log.takePending(now: now, at: time)
            if let entry { batch.append((log, entry)) }
            if staysDirty { still.append(log) }
        }
        if !still.isEmpty { state.withLock { $0.dirty.append(contentsOf: still) } }
        return batch
    }

    /// Commits a batch and publishes it.
    ///
    /// - Returns: false if the store failed; the batch is dirty again then.
    private func commit(_ batch: [(log: AnswerLog, entry: LogEntry)]) async -> Bool {
        let deleted: Set<AnswerID>
        do {
            deleted = Set(try await store.append(batch.map(\.entry)))
        } catch {
            let failure = error as? StoreFailure ?? StoreFailure(.other, detail: String(reflecting: error))
            let uncommitted = batch.map(\.log).filter { $0.keepPending() }
            state.withLock { state in
                state.statistics.failures += 1
                state.dirty.append(contentsOf: uncommitted)
            }
            onTrouble(failure)
            return false
        }
        var gone: [AnswerID] = []
        var waiters: [CheckedContinuation<Void, Never>] = []
        for (log, entry) in batch {
            if deleted.contains(log.answer) {
                gone.append(log.answer)
                continue
            }
            waiters += log.publish(entry)
            if entry.ended != nil { gone.append(log.answer) }
        }
        state.withLock { state in
            state.statistics.commits += 1
            state.statistics.entries += batch.count
            for (_, entry) in batch {
                state.statistics.events += entry.lastSeq - entry.firstSeq + 1
                state.statistics.bytes += entry.bytes.count
            }
        }
        for waiter in waiters { waiter.resume() }
        for answer in gone {
            let log = state.withLock { $0.live.removeValue(forKey: answer) }
            if deleted.contains(answer) { log?.abandon() }
        }
        return true
    }

    private func giveUp() {
        let live = state.withLock { Array($0.live.values) }
        let now = surroundings.monotonic()
        for log in live {
            log.finish(Event.End(.interrupted, .storageFailed), usage: nil, at: now)
        }
    }
}
