#if canImport(FoundationModels)
internal import FoundationModels
internal import RejoinAssist
internal import Synchronization

/// One session of the framework; its own flag and the framework's both keep a second call out.
@available(macOS 26.0, iOS 26.0, visionOS 26.0, *)
final class FrameworkSession: LocalSession {
    private let session: LanguageModelSession
    private let contextSize: Int
    private let state: Mutex<State>

    private struct State {
        var isIn = false
        /// Roughly how many tokens the transcript holds; every answer stays in it.
        var tokens: Int
    }

    /// Bytes of text that make a token, by a careful rule of thumb.
    private static let bytesPerToken = 3

    /// Wraps a session that was told its instructions.
    ///
    /// - Parameter contextSize: 0 where nobody knows.
    init(_ session: LanguageModelSession, instructions: String, contextSize: Int) {
        self.session = session
        self.contextSize = contextSize
        state = Mutex(State(tokens: instructions.utf8.count / Self.bytesPerToken))
    }

    /// A transcript of half the context leaves the next request too little; one that still responds was broken off.
    var isWorn: Bool {
        session.isResponding || contextSize > 0 && state.withLock { $0.tokens } > contextSize / 2
    }

    func prewarm(for task: ModelTask) async {
        guard !session.isResponding else { return }
        session.prewarm()
    }

    func respond(
        to task: ModelTask, preview: @escaping @Sendable (String) -> Void
    ) async throws(AssistantFailure) -> String {
        guard task.pictures.isEmpty else { throw .capabilityMissing }
        let isFree = state.withLock { state in
            guard !state.isIn, !session.isResponding else { return false }
            state.isIn = true
            return true
        }
        guard isFree else { throw .gateViolation }
        defer { state.withLock { $0.isIn = false } }
        do {
            let text = try await read(task, preview)
            let size = (task.wholePrompt.utf8.count + text.utf8.count) / Self.bytesPerToken
            state.withLock { $0.tokens += size }
            return text
        } catch {
            throw FrameworkFailure.failure(of: error)
        }
    }

    private func read(_ task: ModelTask, _ preview: @Sendable (String) -> Void) async throws -> String {
        let options = GenerationOptions(
            temperature: task.schema == nil ? nil : 0, maximumResponseTokens: task.maximumTokens)
        var text = SnapshotText()
        if let schema = task.schema {
            let stream = session.streamResponse(
                to: task.wholePrompt, schema: try FrameworkSchema.schema(of: schema), includeSchemaInPrompt: true,
                options: options)
            for try await snapshot in stream {
                try Task.checkCancellation()
                if text.take(snapshot.rawContent.jsonString) { preview(text.whole) }
            }
        } else {
            for try await snapshot in session.streamResponse(to: task.wholePrompt, options: options) {
                try Task.checkCancellation()
                if text.take(snapshot.content) { preview(text.whole) }
            }
        }
        // A cancelled stream may end in order, with half of the text.
        try Task.checkCancellation()
        return text.whole
    }
}
#endif
