internal import RejoinCore
internal import Synchronization

/// The one way to a model on this device: one run at a time, a bounded line, and no run for nothing.
///
/// Actors are entered again while they wait, so the gate is explicit: the next run starts when the model has let go of
/// the last, and not when its caller gave up. Equal requests run once. Whoever is cancelled returns at once.
public final class LocalService: Sendable {
    private let engine: any LocalEngine
    private let state: Mutex<State>

    private struct State {
        var queue: LocalQueue
        var callers: [Int: Caller] = [:]
        var lastCaller = 0
        /// The run in the gate.
        var run: Task<Void, Never>?
        var session: HeldSession?
        var lastSession = 0
        /// Sessions up to this one are not kept any more: an answer of theirs could not be read.
        var lastSpoiled = 0
    }

    private struct Caller {
        let continuation: CheckedContinuation<Result<Answer, AssistantFailure>, Never>
        let preview: @Sendable (String) -> Void
    }

    private struct HeldSession {
        let number: Int
        let instructions: String
        let session: any LocalSession
        var isWarm: Bool
    }

    private struct Answer: Sendable {
        let text: String
        let session: Int
    }

    /// Puts a gate and a line before an engine.
    ///
    /// - Parameter mostWaiting: how many different requests may wait; the next is `busy` at once.
    public init(engine: any LocalEngine, mostWaiting: Int = 8) {
        self.engine = engine
        state = Mutex(State(queue: LocalQueue(mostWaiting: mostWaiting)))
    }

    /// What is true of the model right now.
    public var availability: LocalAvailability {
        get async { await engine.availability }
    }

    /// How many different requests wait for the one that runs.
    public var waitingCount: Int { state.withLock { $0.queue.waitingCount } }
    /// How many callers wait for an answer, of the running request too.
    public var callerCount: Int { state.withLock { $0.callers.count } }

    /// Runs a task and gives back the model's whole text.
    ///
    /// - Parameters:
    ///   - key: makes earlier requests of the same key obsolete, unless their task is equal.
    ///   - preview: told what may be shown so far: plain text, or the task's display field.
    /// - Throws: `busy` at once where the line is full, `cancelled` for a cancelled or obsolete request.
    public func respond(
        to task: ModelTask, superseding key: SupersedeKey? = nil,
        preview: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws(AssistantFailure) -> String {
        try await run(task, key, preview).get().text
    }

    /// Runs an operation and reads its draft; a session whose answer cannot be read is thrown away.
    ///
    /// - Throws: as ``respond(to:superseding:preview:)``, and `decoding`.
    public func draft<Operation: AssistantOperation>(
        _ operation: Operation.Type, for input: Operation.Input, superseding key: SupersedeKey? = nil,
        preview: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws(AssistantFailure) -> Operation.Draft {
        let answer = try await run(Operation.task(for: input), key, preview).get()
        do throws(ValidationFailure) {
            return try Operation.draft(from: answer.text, for: input)
        } catch {
            // The next run may be in that session already: then it is not kept afterwards.
            state.withLock { state in
                state.lastSpoiled = max(state.lastSpoiled, answer.session)
                if let held = state.session, held.number <= state.lastSpoiled { state.session = nil }
            }
            throw error == .refusedInWords ? .refused : .decoding
        }
    }

    /// Runs many tasks one after the other; other requests may come between.
    ///
    /// - Parameter progress: told after each task how many are over; never backwards.
    /// - Returns: one result a task, in order. After a cancel the rest are `cancelled`.
    public func respond(
        toAll tasks: [ModelTask], progress: @Sendable (BatchProgress) -> Void = { _ in }
    ) async -> [Result<String, AssistantFailure>] {
        var results: [Result<String, AssistantFailure>] = []
        results.reserveCapacity(tasks.count)
        for task in tasks {
            if Task.isCancelled {
                results.append(.failure(.cancelled))
            } else {
                results.append(await run(task, nil, { _ in }).map(\.text))
            }
            progress(BatchProgress(done: results.count, total: tasks.count))
        }
        return results
    }

    /// Runs an operation on a long list, chunk after chunk, and puts the drafts together.
    ///
    /// - Parameter progress: told after each chunk how many are over; never backwards.
    /// - Throws: the first chunk's failure where none came back; `cancelled` for a cancelled batch.
    public func draft<Operation: BatchOperation>(
        batch operation: Operation.Type, for input: Operation.Input,
        progress: @Sendable (BatchProgress) -> Void = { _ in }
    ) async throws(AssistantFailure) -> Operation.Draft {
        try await Operation.draft(for: input, progress: progress) { (_, chunk) throws(AssistantFailure) in
            try await draft(operation, for: chunk)
        }
    }

    /// Loads what a task will need, where nothing else is going on and nothing is loaded yet.
    public func prewarm(for task: ModelTask) async {
        let isIn = state.withLock { state in
            if let held = state.session, held.instructions == task.instructions, held.isWarm { return false }
            return state.queue.occupy()
        }
        guard isIn else { return }
        if let held = try? await session(for: task) {
            await held.session.prewarm(for: task)
            keep(held)
        }
        _ = state.withLock { $0.queue.release() }
        startNext()
    }

    // MARK: Callers

    private func run(
        _ task: ModelTask, _ key: SupersedeKey?, _ preview: @escaping @Sendable (String) -> Void
    ) async -> Result<Answer, AssistantFailure> {
        let id = state.withLock { state in
            state.lastCaller += 1
            return state.lastCaller
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                submit(task, LocalQueue.Caller(id: id, key: key), Caller(continuation: continuation, preview: preview))
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func submit(_ task: ModelTask, _ place: LocalQueue.Caller, _ caller: Caller) {
        let (failure, superseded) = state.withLock { state -> (AssistantFailure?, [Caller]) in
            // Whoever is cancelled from here on is known.
            guard !Task.isCancelled else { return (.cancelled, []) }
            let submission = state.queue.submit(task, from: place)
            if submission.stopsRunning { state.run?.cancel() }
            let superseded = submission.superseded.compactMap { state.callers.removeValue(forKey: $0) }
            if submission.isBusy { return (.busy(until: nil), superseded) }
            state.callers[place.id] = caller
            return (nil, superseded)
        }
        for other in superseded { other.continuation.resume(returning: .failure(.cancelled)) }
        if let failure { caller.continuation.resume(returning: .failure(failure)) }
        startNext()
    }

    private func cancel(_ id: Int) {
        let caller = state.withLock { state -> Caller? in
            guard let caller = state.callers.removeValue(forKey: id) else { return nil }
            if state.queue.leave(id) { state.run?.cancel() }
            return caller
        }
        caller?.continuation.resume(returning: .failure(.cancelled))
    }

    // MARK: The gate

    /// Lets the next job in if nobody is inside.
    private func startNext() {
        state.withLock { state in
            guard let job = state.queue.next() else { return }
            // Nobody's own task: the callers of one job come and go, and the last to leave cancels it.
            state.run = Task { await self.work(on: job) }
        }
    }

    private func work(on job: LocalQueue.Job) async {
        let result = await answer(job.task)
        let callers = state.withLock { state in
            state.run = nil
            return state.queue.release().compactMap { state.callers.removeValue(forKey: $0) }
        }
        for caller in callers { caller.continuation.resume(returning: result) }
        startNext()
    }

    private func answer(_ task: ModelTask) async -> Result<Answer, AssistantFailure> {
        do throws(AssistantFailure) {
            let held = try await session(for: task)
            guard !Task.isCancelled else {
                keep(held)
                return .failure(.cancelled)
            }
            let text = try await held.session.respond(to: task) { [weak self] text in
                self?.show(text, of: task)
            }
            // An answer that came after the cancel: nobody waits for it, and the session may hold half of it.
            guard !Task.isCancelled else { return .failure(.cancelled) }
            if task.conversation == nil, !held.session.isWorn { keep(held) }
            return .success(Answer(text: text, session: held.number))
        } catch {
            return .failure(error)
        }
    }

    /// Takes the session that is there and knows the instructions, or makes one.
    ///
    /// Whoever takes it has to give it back with `keep`; what failed in between is thereby thrown away.
    private func session(for task: ModelTask) async throws(AssistantFailure) -> HeldSession {
        let (held, number) = state.withLock { state -> (HeldSession?, Int) in
            if task.conversation != nil {
                state.lastSession += 1
                return (nil, state.lastSession)
            }
            defer { state.session = nil }
            if let held = state.session, held.instructions == task.instructions { return (held, held.number) }
            state.lastSession += 1
            return (nil, state.lastSession)
        }
        if let held { return held }
        let session = try await engine.makeSession(instructions: task.instructions)
        return HeldSession(number: number, instructions: task.instructions, session: session, isWarm: false)
    }

    private func keep(_ held: HeldSession) {
        state.withLock { state in
            guard held.number > state.lastSpoiled else { return }
            state.session = held
            state.session?.isWarm = true
        }
    }

    private func show(_ text: String, of task: ModelTask) {
        // A snapshot may be another text than the one before: it is looked through from its beginning.
        var preview = Preview(of: task)
        guard preview.append(text) else { return }
        let shown = preview.text
        let previews = state.withLock { state -> [@Sendable (String) -> Void] in
            guard let job = state.queue.running, job.task == task else { return [] }
            return job.callers.compactMap { state.callers[$0.id]?.preview }
        }
        for preview in previews { preview(shown) }
    }
}

/// How far a batch is.
public struct BatchProgress: Sendable, Hashable {
    /// How many parts are over, well or badly.
    public let done: Int
    /// How many there are.
    public let total: Int

    /// Counts parts.
    public init(done: Int, total: Int) {
        self.done = done
        self.total = total
    }
}
