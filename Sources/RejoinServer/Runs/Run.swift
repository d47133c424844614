import RejoinCore
import Synchronization

/// The one owner of one answer, from its place in line to its end state.
///
/// Connections follow it; none owns it.
final class Run: Sendable {
    let record: AnswerRecord
    let log: AnswerLog
    let provider: any ModelProvider
    private let store: any Store
    private let surroundings: Surroundings
    private let metrics: Metrics
    private let maximumBytes: Int
    /// Why this model answers and not the one that was asked for; nil for the one that was.
    private let reason: EndReason?
    private let switches: KillSwitches
    /// The path to the turn, if it was known at admission.
    private let knownPath: [PathStep]?
    private let state = Mutex(State())

    private struct State {
        var task: Task<Void, Never>?
        var inputBytes = 0
    }

    init(
        record: AnswerRecord, path: [PathStep]?, log: AnswerLog, provider: any ModelProvider, reason: EndReason?,
        switches: KillSwitches, store: any Store, surroundings: Surroundings, metrics: Metrics, maximumBytes: Int
    ) {
        self.reason = reason
        self.switches = switches
        self.maximumBytes = maximumBytes
        self.record = record
        knownPath = path
        self.log = log
        self.provider = provider
        self.store = store
        self.surroundings = surroundings
        self.metrics = metrics
    }

    /// Starts the work; `whenOver` is called when the model has let go, whatever the end.
    func start(whenOver: @escaping @Sendable (Run) async -> Void) {
        let task = Task {
            await work()
            await whenOver(self)
        }
        state.withLock { $0.task = task }
        // A stop that came before the task was kept would have missed it.
        if log.numbered.state.end != nil { task.cancel() }
    }

    /// Ends the answer now: the log takes nothing more, and the model is told to stop.
    ///
    /// - Returns: false if it had ended before.
    @discardableResult
    func end(_ end: Event.End) -> Bool {
        let isFirst = log.finish(end, usage: estimatedUsage, at: surroundings.monotonic())
        state.withLock { $0.task }?.cancel()
        return isFirst
    }

    /// Tells the model to stop without a word in the log, for an answer whose conversation is gone.
    func abandon() { state.withLock { $0.task }?.cancel() }

    private func work() async {
        let model = Event.Model(provider.name, placement: provider.placement, reason: reason?.rawValue)
        await log.append(.model(model), at: surroundings.monotonic())
        // It may have been switched off while the answer waited in line.
        if switches.isOff(model: provider.name) { return finish(Event.End(.failed, .modelUnavailable)) }
        if case .loading = provider.availability {
            let status = Event.Status(.starting, detail: "The model is being loaded.")
            await log.append(.status(status), at: surroundings.monotonic())
            await provider.prepare()
        }
        if Task.isCancelled { return }
        if case .unavailable = provider.availability { return finish(Event.End(.failed, .modelUnavailable)) }
        let path: [PathStep]
        do {
            if let knownPath {
                path = knownPath
            } else {
                path = try await store.path(to: record.turn, of: record.account)
            }
        } catch {
            return finish(Event.End(.failed, .storageFailed))
        }
        // Deleted between admission and now: the log goes the same way.
        guard !path.isEmpty else { return finish(Event.End(.stopped, .conversationDeleted)) }
        let options = RunOptions(stored: record.options)
        var facts = await recalled(options)
        let plain = ModelContext.request(path: path, options: options)
        var request = MemoryBlock.adding(facts, to: plain)
        var fit = await provider.fit(request)
        // What the person asked comes before what is remembered of them.
        if fit == .tooLarge, !facts.isEmpty {
            (facts, request) = ([], plain)
            fit = await provider.fit(request)
        }
        switch fit {
        case .fits: break
        case .tooLarge: return finish(Event.End(.refused, .contextTooLarge))
        case .cut(let droppedTurns):
            request.messages = ModelContext.dropping(droppedTurns, from: request.messages)
            let cut = Event.compaction(droppedTurns: droppedTurns, summary: nil)
            await log.append(cut, at: surroundings.monotonic())
        }
        let bytes = request.messages.reduce(0) { $0 + $1.text.utf8.count }
        state.withLock { $0.inputBytes = bytes }
        log.note(
            Sending(.answer, model: provider.name, placement: provider.placement, bytes: bytes, facts: facts.map(\.id)))
        finish(await generate(request))
    }

    /// What is remembered for this conversation; nothing for a client that sends its own context.
    private func recalled(_ options: RunOptions) async -> [Fact] {
        if switches.isOff(.memory) || !options.context.isEmpty { return [] }
        return (try? await store.recall(for: record.conversation, of: record.account)) ?? []
    }

    private func generate(_ request: ModelRequest) async -> Event.End {
        let started = surroundings.monotonic()
        let progress = Mutex((first: Duration?.none, bytes: 0))
        let end = await provider.generate(request) { [self] piece in
            let now = surroundings.monotonic()
            switch piece {
            case .text(let text):
                let bytes = progress.withLock { progress in
                    if progress.first == nil { progress.first = now - started }
                    progress.bytes += text.utf8.count
                    return progress.bytes
                }
                // A model that never ends must not fill the disk.
                if bytes > maximumBytes { self.end(Event.End(.done, .length)) }
                await log.append(.text(text), at: now)
            case .reasoning(let text): await log.append(.reasoning(text), at: now)
            case .status(let status): await log.append(.status(status), at: now)
            case .usage(let usage): await log.append(.usage(usage), at: now)
            }
        }
        metrics.ran(
            model: provider.name, firstPiece: progress.withLock { $0.first }, total: surroundings.monotonic() - started)
        switch end {
        case .finished(let reason):
            if log.numbered.isBlank { return Event.End(.failed, .emptyAnswer) }
            return Event.End(.done, reason)
        case .refused(let reason, let resetsAt, let retryAfter):
            return Event.End(.refused, reason, resetsAt: resetsAt, retryAfter: retryAfter)
        case .interrupted(let reason): return Event.End(.interrupted, reason)
        case .failed(let reason, let retryAfter): return Event.End(.failed, reason, retryAfter: retryAfter)
        case .cancelled: return Event.End(.stopped, .stoppedByPerson)
        }
    }

    private func finish(_ end: Event.End) {
        // After a stop the log is closed already, with the stop's own reason.
        log.finish(end, usage: estimatedUsage, at: surroundings.monotonic())
    }

    /// What to settle when the model did not report: nothing for a run that never asked it.
    private var estimatedUsage: Event.Usage? {
        let input = state.withLock { $0.inputBytes }
        guard input > 0 else { return nil }
        return Event.Usage(
            inputTokens: ModelContext.estimatedTokens(input),
            outputTokens: ModelContext.estimatedTokens(log.numbered.words.utf8Count), isEstimated: true)
    }
}
