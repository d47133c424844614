package import LocalModel
package import RejoinCore
internal import Synchronization

/// A model in this process: no network, no key, no other program.
package final class LlamaProvider: ModelProvider {
    package let name: String
    package let placement = Event.Placement.server
    package var capacity: Int { configuration.sequences }

    private let path: String
    private let configuration: LocalModelConfiguration
    private let sampling: Sampling
    private let seed: @Sendable () -> UInt32
    private let state = Mutex(State.unloaded)

    private enum State: Sendable {
        case unloaded
        case loading(progress: Double, waiters: [CheckedContinuation<Void, Never>])
        case ready(LocalModel)
        case failed(LocalModelError)
        case closed
    }

    /// Room that a context keeps for the answer where the request sets no bound of its own, in tokens.
    private static let roomForAnswer = 1024
    /// The most that an answer takes where the request sets no bound: a small model may go on for ever.
    private static let mostOutputTokens = 2048

    /// Serves the model in a GGUF file; ``prepare()`` or the first request loads it.
    ///
    /// - Parameters:
    ///   - configuration: holds the system text of conversations that have none; keep it the same for all of them.
    ///   - sampling: what a request does not say, but for the seed.
    ///   - seed: makes the seed of a request that has none, so that asking again gives another answer.
    package init(
        name: String, path: String, configuration: LocalModelConfiguration = LocalModelConfiguration(),
        sampling: Sampling = Sampling(), seed: @escaping @Sendable () -> UInt32 = { .random(in: .min ... .max) }
    ) {
        self.name = name
        self.path = path
        self.configuration = configuration
        self.sampling = sampling
        self.seed = seed
    }

    package var availability: ModelAvailability {
        state.withLock { state in
            switch state {
            case .unloaded: .loading(progress: nil)
            case .loading(let progress, _): .loading(progress: progress)
            case .ready: .ready
            case .failed(let error): .unavailable(error.description)
            case .closed: .unavailable("the model is shut down")
            }
        }
    }

    /// Loads the model unless it is there; whoever comes while it loads waits for the same.
    ///
    /// After a failure this tries again: the file may have been fetched meanwhile.
    package func prepare() async {
        switch claimLoad() {
        case .done: return
        case .wait: await waitForLoad()
        case .load: await load()
        }
    }

    package func fit(_ request: ModelRequest) async -> ContextFit {
        guard let model = await loadedModel() else { return .fits }
        return await fitting(request, model).fit
    }

    package func generate(_ request: ModelRequest, emit: @Sendable (ModelPiece) async -> Void) async -> ModelEnd {
        guard let model = await loadedModel() else {
            return Task.isCancelled ? .cancelled : .failed(.modelUnavailable)
        }
        guard !Task.isCancelled else { return .cancelled }
        let (fit, messages) = await fitting(request, model)
        guard fit != .tooLarge else { return .refused(.contextTooLarge) }
        do {
            let schema = try request.schema.map { try JSONReader.parse($0) }
            let order = GenerationRequest(
                messages: messages, sampling: sampling(for: request),
                maximumOutputTokens: request.maximumOutputTokens ?? Self.mostOutputTokens,
                stop: request.stop, schema: schema)
            let result = try await model.generate(order) { text in await emit(.text(text)) }
            await emit(.usage(usage(of: result.statistics)))
            return end(result.reason)
        } catch let error as LocalModelError {
            return end(error)
        } catch is JSONError {
            return .failed(.upstreamRejected)
        } catch {
            return .failed(.internalError)
        }
    }

    /// Ends the answers in the making and frees the model.
    package func shutdown() async {
        let model = state.withLock { state -> LocalModel? in
            guard case .ready(let model) = state else { return nil }
            state = .closed
            return model
        }
        await model?.shutdown()
    }

    // Loading.

    private enum Claim { case load, wait, done }

    private func claimLoad() -> Claim {
        state.withLock { state in
            switch state {
            case .ready, .closed: return .done
            case .loading: return .wait
            case .unloaded, .failed:
                state = .loading(progress: 0, waiters: [])
                return .load
            }
        }
    }

    private func waitForLoad() async {
        await withCheckedContinuation { waiter in
            let isOver = state.withLock { state in
                guard case .loading(let progress, let waiters) = state else { return true }
                state = .loading(progress: progress, waiters: waiters + [waiter])
                return false
            }
            if isOver { waiter.resume() }
        }
    }

    private func load() async {
        do {
            let model = try await LocalModel.load(path: path, configuration: configuration) { [weak self] progress in
                self?.state.withLock { state in
                    if case .loading(_, let waiters) = state { state = .loading(progress: progress, waiters: waiters) }
                }
            }
            endLoad(.ready(model))
        } catch let error as LocalModelError {
            endLoad(.failed(error))
        } catch {
            // Given up by the task that loaded: the next to need the model begins again.
            endLoad(.unloaded)
        }
    }

    private func endLoad(_ next: State) {
        let waiters = state.withLock { state in
            defer { state = next }
            guard case .loading(_, let waiters) = state else { return [] as [CheckedContinuation<Void, Never>] }
            return waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    private func loadedModel() async -> LocalModel? {
        await prepare()
        return state.withLock { state in
            guard case .ready(let model) = state else { return nil }
            return model
        }
    }

    // Fitting.

    /// Whether the request fits, and its messages without the turns that do not.
    private func fitting(_ request: ModelRequest, _ model: LocalModel) async -> (fit: ContextFit, [LocalMessage]) {
        let messages = request.messages.map { LocalMessage($0.role.local, $0.text) }
        let context = model.configuration.contextPerSequence
        let answer = min(request.maximumOutputTokens ?? Self.roomForAnswer, max(1, context / 4))
        guard let shares = try? await model.tokenShares(messages) else { return (.tooLarge, messages) }
        var excess = shares.beside + shares.messages.reduce(0, +) + answer - context
        let first = messages.prefix { $0.role == .system }.count
        var kept = first
        var dropped = 0
        while excess > 0 {
            // A turn is a prompt with all that follows it up to the next prompt; the last one stays.
            let next = messages.indices.dropFirst(kept + 1).first { messages[$0].role == .user }
            guard let next else { return (.tooLarge, messages) }
            excess -= shares.messages[kept..<next].reduce(0, +)
            kept = next
            dropped += 1
        }
        let fitting = Array(messages[..<first] + messages[kept...])
        return (dropped == 0 ? .fits : .cut(droppedTurns: dropped), fitting)
    }

    // Translating.

    private func sampling(for request: ModelRequest) -> Sampling {
        var sampling = sampling
        if let temperature = request.temperature { sampling.temperature = temperature }
        if let topP = request.topP { sampling.topP = topP }
        sampling.seed = request.seed.map { UInt32(truncatingIfNeeded: $0) } ?? seed()
        return sampling
    }

    private func usage(of statistics: GenerationStatistics) -> Event.Usage {
        Event.Usage(
            inputTokens: statistics.promptTokens, outputTokens: statistics.outputTokens, isEstimated: false)
    }

    private func end(_ reason: GenerationResult.Reason) -> ModelEnd {
        switch reason {
        case .complete, .stopText: .finished(.complete)
        case .outputLimit, .contextFull: .finished(.length)
        case .cancelled: .cancelled
        }
    }

    private func end(_ error: LocalModelError) -> ModelEnd {
        switch error.code {
        case .contextTooLarge: .refused(.contextTooLarge)
        case .schemaUnsupported: .failed(.upstreamRejected)
        case .shutDown: .interrupted(.serverStopped)
        case .evaluationFailed: .failed(.upstreamFailed)
        case .fileMissing, .notAModel, .fileDamaged, .noChatTemplate, .libraryMismatch, .noBackend, .notEnoughMemory:
            .failed(.modelUnavailable)
        }
    }
}

extension ModelRole {
    fileprivate var local: LocalMessage.Role {
        switch self {
        case .system: .system
        case .user: .user
        case .assistant: .assistant
        }
    }
}
