internal import Dispatch
internal import Foundation

/// A language model in this process: text in, text out, several answers at once.
///
/// One thread of its own loads the model, evaluates it and frees it; nothing of that runs where tasks run. Answers
/// that continue an earlier conversation evaluate only what is new.
package final class LocalModel: Sendable {
    /// The configuration in force: its context is at most what the model was trained for.
    package let configuration: LocalModelConfiguration
    private let template: ChatTemplate
    private let vocabulary: Vocabulary
    private let inbox: Inbox
    /// Long prompts take a while to cut into tokens: not on the threads that tasks share.
    private let promptQueue = DispatchQueue(label: "local-model-prompts")

    private init(
        weights: Weights, template: ChatTemplate, configuration: LocalModelConfiguration, inbox: Inbox
    ) {
        vocabulary = Vocabulary(weights: weights)
        self.template = template
        self.configuration = configuration
        self.inbox = inbox
    }

    deinit { inbox.stop() }

    /// Loads a model from a GGUF file.
    ///
    /// - Parameter progress: told from time to time how far it is, from 0 to 1, on the thread that loads.
    /// - Throws: ``LocalModelError``, or `CancellationError` when the task is cancelled meanwhile.
    package static func load(
        path: String, configuration: LocalModelConfiguration = LocalModelConfiguration(),
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws -> LocalModel {
        let progress = LoadProgress(progress)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { loaded in
                let thread = Thread {
                    Self.live(path: path, configuration: configuration, progress: progress, loaded: loaded)
                }
                thread.name = "local-model"
                // The library's deepest calls need more than the half megabyte of a thread made by default.
                thread.stackSize = 8 << 20
                thread.start()
            }
        } onCancel: {
            progress.cancel()
        }
    }

    /// The life of the model's thread.
    private static func live(
        path: String, configuration: LocalModelConfiguration, progress: LoadProgress,
        loaded: CheckedContinuation<LocalModel, any Error>
    ) {
        let inbox = Inbox()
        do {
            let weights = try Weights(path: path, progress: progress)
            let template = try ChatTemplate(Vocabulary(weights: weights))
            var configuration = configuration
            configuration.contextPerSequence = min(configuration.contextPerSequence, weights.trainingContext)
            let threads = configuration.threads ?? ProcessInfo.processInfo.activeProcessorCount
            let engine = try Engine(weights, configuration: configuration, threads: threads, inbox: inbox)
            loaded.resume(
                returning: LocalModel(
                    weights: weights, template: template, configuration: configuration, inbox: inbox))
            engine.work()
        } catch {
            loaded.resume(throwing: error)
        }
        // By now the engine and its memory are gone.
        inbox.leave()
    }

    /// How many answers are in the making or wait for a place.
    package var runsHeld: Int { inbox.runsHeld }

    /// How many tokens a conversation has, the model's own words around it included.
    ///
    /// - Throws: ``LocalModelError`` if the model's template cannot hold such a conversation.
    package func tokenCount(_ messages: [LocalMessage]) async throws -> Int {
        try await prompt(messages).tokens.count
    }

    /// The same in parts: the tokens of each message, and those that every conversation has beside them.
    ///
    /// When the conversation does not begin with a system message, the configured one is among the latter.
    package func tokenShares(_ messages: [LocalMessage]) async throws -> (messages: [Int], beside: Int) {
        let prompt = try await prompt(messages)
        let shares = Array(prompt.shares.suffix(messages.count))
        return (shares, prompt.tokens.count - shares.reduce(0, +))
    }

    /// Answers a conversation.
    ///
    /// `emit` gets whole characters. While it waits the model works at most a few tokens ahead. When the task is
    /// cancelled this returns, with ``GenerationResult/Reason/cancelled``, as soon as the model has let go.
    ///
    /// - Throws: ``LocalModelError``.
    package func generate(
        _ request: GenerationRequest, emit: (String) async -> Void
    ) async throws -> GenerationResult {
        let asked = ContinuousClock.now
        let grammar = try request.schema.map { try JSONSchemaGrammar($0).text }
        let order = Run.Order(
            prompt: try await prompt(request.messages).tokens, sampling: request.sampling, grammar: grammar,
            stop: request.stop, maximumOutputTokens: request.maximumOutputTokens)
        let run = Run(order, asked: asked, inbox: inbox)
        guard inbox.submit(run) else { throw LocalModelError(.shutDown) }
        return try await withTaskCancellationHandler {
            while true {
                switch await run.next() {
                case .text(let text): await emit(text)
                case .end(let end): return try end.get()
                }
            }
        } onCancel: {
            run.cancel()
        }
    }

    /// Ends all answers with an error and returns when the model's memory is free.
    package func shutdown() async {
        inbox.stop()
        await inbox.waitUntilLeft()
    }

    private func prompt(_ messages: [LocalMessage]) async throws -> ChatTemplate.Prompt {
        // The forms of many models put in a system message of their own where there is none; the library does not.
        let begins = messages.first?.role == .system
        let messages = begins ? messages : [LocalMessage(.system, configuration.systemText)] + messages
        return try await withCheckedThrowingContinuation { done in
            promptQueue.async { [template] in
                done.resume(with: Result { try template.prompt(messages) })
            }
        }
    }
}
