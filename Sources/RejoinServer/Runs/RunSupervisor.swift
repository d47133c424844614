package import RejoinCore
import Synchronization

/// Starts, queues, stops and drains the runs: the one place that knows which answers are being worked on.
package final class RunSupervisor: Sendable {
    /// Bounds over all models.
    package struct Limits: Equatable, Sendable {
        package var running: Int
        package var waiting: Int
        package var waitingPerAccount: Int
        /// Bytes of text in one answer; a model that goes on is stopped there.
        package var answerBytes: Int

        package init(running: Int, waiting: Int, waitingPerAccount: Int, answerBytes: Int = 4 << 20) {
            self.running = running
            self.waiting = waiting
            self.waitingPerAccount = waitingPerAccount
            self.answerBytes = answerBytes
        }
    }

    package let models: ModelRegistry
    private let limits: Limits
    private let store: any Store
    private let eventLog: EventLog
    private let surroundings: Surroundings
    private let metrics: Metrics
    package let switches: KillSwitches
    /// Called once for each run that reached its end, when the end is durable.
    private let whenEnded: @Sendable (AnswerRecord, Answer) -> Void
    private let state: Mutex<State>

    private struct State {
        var queues: [String: RunQueue]
        var runs: [AnswerID: Run] = [:]
        var isDraining = false
        var idle: [CheckedContinuation<Void, Never>] = []
    }

    package init(
        models: ModelRegistry, limits: Limits, store: any Store, eventLog: EventLog, surroundings: Surroundings,
        metrics: Metrics, switches: KillSwitches = KillSwitches(),
        whenEnded: @escaping @Sendable (AnswerRecord, Answer) -> Void = { _, _ in }
    ) {
        self.models = models
        self.limits = limits
        self.store = store
        self.eventLog = eventLog
        self.surroundings = surroundings
        self.metrics = metrics
        self.switches = switches
        self.whenEnded = whenEnded
        var queues: [String: RunQueue] = [:]
        for provider in models.providers {
            queues[provider.name] = RunQueue(
                .init(
                    running: min(provider.capacity, limits.running), waiting: limits.waiting,
                    waitingPerAccount: limits.waitingPerAccount))
        }
        state = Mutex(State(queues: queues))
    }

    // MARK: Starting

    /// A reserved place in a model's line: used once, or given back when dropped.
    package struct Permit: ~Copyable {
        fileprivate let supervisor: RunSupervisor
        fileprivate let account: AccountID
        fileprivate let provider: any ModelProvider

        /// The model that will answer.
        package var model: String { provider.name }

        deinit { supervisor.state.withLock { $0.queues[provider.name]?.release(account) } }
    }

    /// Reserves a place before a turn is admitted, so that a refusal stores and counts nothing.
    ///
    /// - Throws: a ``Problem`` of kind `queueFull`, `modelUnavailable`, `invalidRequest` or `temporarilyUnavailable`.
    package func reserve(_ account: AccountID, model requested: String) throws(Problem) -> Permit {
        let provider = try models.resolve(requested)
        if switches.isOff(model: provider.name) {
            throw Problem(.modelUnavailable, "The operator has switched this model off.", field: "model")
        }
        if case .unavailable(let words) = provider.availability {
            throw Problem(.modelUnavailable, words, field: "model")
        }
        let problem = state.withLock { state -> Problem? in
            if state.isDraining {
                return Problem(.temporarilyUnavailable, "The server is stopping.", retryAfter: 5)
            }
            do throws(Problem) {
                try state.queues[provider.name]?.reserve(account)
                return nil
            } catch {
                return error
            }
        }
        if let problem { throw problem }
        return Permit(supervisor: self, account: account, provider: provider)
    }

    /// Begins the run of an answer that was admitted under the permit.
    ///
    /// - Parameters:
    ///   - path: the path to the answer's turn, where it is known already.
    ///   - reason: why another model answers than the one that was asked for.
    package func start(
        _ record: AnswerRecord, path: [PathStep]? = nil, reason: EndReason? = nil, _ permit: consuming Permit
    ) {
        let provider = permit.provider
        let log = eventLog.open(Answer(id: record.id, turn: record.turn))
        let run = Run(
            record: record, path: path, log: log, provider: provider, reason: reason, switches: switches,
            store: store, surroundings: surroundings, metrics: metrics, maximumBytes: limits.answerBytes)
        let actions = state.withLock { state in
            state.runs[record.id] = run
            // The place in line is counted before the reservation goes with the permit.
            return state.queues[provider.name]?.enqueue(record.id, of: record.account) ?? []
        }
        perform(actions)
    }

    private func perform(_ actions: [RunQueue.Action]) {
        for action in actions {
            switch action {
            case .start(let answer):
                state.withLock { $0.runs[answer] }?.start { [weak self] run in await self?.over(run) }
            case .position(let answer, let position):
                guard let run = state.withLock({ $0.runs[answer] }) else { continue }
                _ = run.log.appendNow(
                    .status(Event.Status(.queued, position: position)), at: surroundings.monotonic())
            }
        }
    }

    private func over(_ run: Run) async {
        let actions = state.withLock { state in
            state.queues[run.provider.name]?.remove(run.record.id) ?? []
        }
        perform(actions)
        // A stopped run's task is cancelled, but its end has to become durable all the same.
        await Task { await run.log.waitForEnd() }.value
        leave(run)
    }

    private func leave(_ run: Run) {
        let (isFirst, idle) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
            let isFirst = state.runs.removeValue(forKey: run.record.id) != nil
            guard state.runs.isEmpty else { return (isFirst, []) }
            defer { state.idle = [] }
            return (isFirst, state.idle)
        }
        if isFirst {
            let answer = run.log.numbered
            if let end = answer.state.end {
                metrics.ended(end.state, model: run.provider.name, usage: answer.usage)
            }
            whenEnded(run.record, answer)
        }
        for waiter in idle { waiter.resume() }
    }

    // MARK: Stopping

    /// Stops an answer: the model is told at once, and this returns when the end is durable.
    ///
    /// - Returns: false if the answer was not being worked on.
    package func stop(_ answer: AnswerID) async -> Bool {
        guard let run = state.withLock({ $0.runs[answer] }) else { return false }
        let wasWaiting = end(run, Event.End(.stopped, .stoppedByPerson))
        await run.log.waitForEnd()
        if wasWaiting { leave(run) }
        return true
    }

    /// Lets the model go of answers whose conversation was deleted.
    package func abandon(_ answers: [AnswerID]) {
        for answer in answers {
            guard let run = state.withLock({ $0.runs[answer] }) else { continue }
            let actions = state.withLock { state -> [RunQueue.Action] in
                guard state.queues[run.provider.name]?.isWaiting(answer) == true else { return [] }
                return state.queues[run.provider.name]?.remove(answer) ?? []
            }
            run.abandon()
            eventLog.abandon(answer)
            perform(actions)
            leave(run)
        }
    }

    /// Ends a run's answer.
    ///
    /// - Returns: whether it was still in line, so that nobody else will take it out.
    private func end(_ run: Run, _ end: Event.End) -> Bool {
        let (wasWaiting, actions) = state.withLock { state -> (Bool, [RunQueue.Action]) in
            guard state.queues[run.provider.name]?.isWaiting(run.record.id) == true else { return (false, []) }
            return (true, state.queues[run.provider.name]?.remove(run.record.id) ?? [])
        }
        run.end(end)
        perform(actions)
        return wasWaiting
    }

    /// Takes no more turns, lets the running ones finish within a time, and ends the rest as `interrupted`.
    ///
    /// Turns that wait are ended at once: they would not finish either, and their person can ask again elsewhere.
    package func drain(within limit: Duration) async {
        let waiting = state.withLock { state in
            state.isDraining = true
            return state.runs.values.filter { state.queues[$0.provider.name]?.isWaiting($0.record.id) == true }
        }
        let stopped = Event.End(.interrupted, .serverStopped)
        for run in waiting where end(run, stopped) {
            await run.log.waitForEnd()
            leave(run)
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.waitUntilIdle() }
            group.addTask { [surroundings] in try? await surroundings.sleep(limit) }
            await group.next()
            for run in self.state.withLock({ Array($0.runs.values) }) { _ = self.end(run, stopped) }
            await self.waitUntilIdle()
            group.cancelAll()
        }
    }

    private func waitUntilIdle() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                guard !state.runs.isEmpty else { return true }
                state.idle.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
    }

    // MARK: Looking

    /// Whether new turns are taken.
    package var takesWork: Bool { state.withLock { !$0.isDraining } }

    /// Whether an answer is being worked on or waits.
    package func isRunning(_ answer: AnswerID) -> Bool { state.withLock { $0.runs[answer] != nil } }

    /// How many run and how many wait, for one model.
    package func load(of model: String) -> (running: Int, waiting: Int) {
        state.withLock { state in
            guard let queue = state.queues[model] else { return (0, 0) }
            return (queue.runningCount, queue.waitingCount)
        }
    }
}
