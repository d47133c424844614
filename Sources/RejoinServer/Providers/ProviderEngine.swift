package import RejoinAssist
import RejoinCore
import Synchronization

/// A model of the server's seam as a local engine, so that commands run operations on the model in this process.
///
/// A provider keeps nothing of a run, so its sessions hold their instructions and nothing else.
package struct ProviderEngine: LocalEngine {
    private let provider: any ModelProvider
    private let contextSize: Int

    /// Puts a model behind the one protocol of local models.
    ///
    /// - Parameter contextSize: how much the model reads and writes together, in tokens; 0 where nobody knows.
    package init(_ provider: any ModelProvider, contextSize: Int = 0) {
        self.provider = provider
        self.contextSize = contextSize
    }

    /// A model that is not loaded is preparing; ``ModelProvider/prepare()`` loads it.
    package var availability: LocalAvailability {
        get async {
            switch provider.availability {
            case .ready: .ready(CapabilityRecord(capabilities: [.text, .structuredOutput], contextSize: contextSize))
            case .loading: .preparing
            case .unavailable: .unknown
            }
        }
    }

    package func makeSession(instructions: String) async throws(AssistantFailure) -> any LocalSession {
        Session(provider: provider, instructions: instructions)
    }

    private struct Session: LocalSession {
        let provider: any ModelProvider
        let instructions: String

        func prewarm(for task: ModelTask) async { await provider.prepare() }

        func respond(
            to task: ModelTask, preview: @escaping @Sendable (String) -> Void
        ) async throws(AssistantFailure) -> String {
            guard task.pictures.isEmpty else { throw .capabilityMissing }
            var messages = instructions.isEmpty ? [] : [ModelMessage(.system, instructions)]
            for exchange in task.conversation ?? [] {
                messages.append(ModelMessage(.user, exchange.prompt))
                if !exchange.reply.isEmpty { messages.append(ModelMessage(.assistant, exchange.reply)) }
            }
            let request = ModelRequest(
                messages: messages + [ModelMessage(.user, task.prompt)],
                maximumOutputTokens: task.maximumTokens, temperature: task.schema == nil ? nil : 0,
                schema: task.schema.map { schema in
                    var json = JSONWriter()
                    json.value(schema.jsonSchema)
                    return json.bytes
                })
            // Half of the input would be answered as if it were all.
            guard await provider.fit(request) == .fits else { throw .contextTooLarge }
            let text = Mutex("")
            let end = await provider.generate(request) { piece in
                guard case .text(let piece) = piece else { return }
                preview(
                    text.withLock { text in
                        text += piece
                        return text
                    })
            }
            if let failure = Self.failure(of: end) { throw failure }
            return text.withLock { $0 }
        }

        private static func failure(of end: ModelEnd) -> AssistantFailure? {
            switch end {
            // Cut off at the limit: half of an object, or of a sentence.
            case .finished(.length): .decoding
            case .finished: nil
            case .refused(.contextTooLarge, _, _): .contextTooLarge
            case .refused(.contentFilter, _, _): .guardrail
            case .refused: .busy(until: nil)
            case .failed(.modelUnavailable, _): .assetsUnavailable
            case .failed, .interrupted: .serviceDown
            case .cancelled: .cancelled
            }
        }
    }
}
