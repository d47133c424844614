import Foundation
import LocalModel
import Synchronization

/// The small model that the tests load.
enum TestModel {
    /// Where it is: named by the environment, or in the package's folder; nil if nobody has fetched it.
    static let path: String? = {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let named = ProcessInfo.processInfo.environment["REJOIN_TEST_MODEL"]
        let path = named ?? package.appending(path: "models/smollm2-135m.gguf").path
        return FileManager.default.isReadableFile(atPath: path) ? path : nil
    }()

    static var isThere: Bool { path != nil }
    static let absence = "the test model is not there: scripts/setup test fetches it"

    /// Loads it with one thread unless told otherwise, which a busy machine slows down the least.
    static func load(
        sequences: Int = 2, context: Int = 1024, threads: Int? = 1
    ) async throws -> LocalModel {
        try await LocalModel.load(
            path: path ?? "",
            configuration: LocalModelConfiguration(
                sequences: sequences, contextPerSequence: context, threads: threads,
                systemText: "You are a helpful assistant."))
    }
}

extension LocalModel {
    /// The whole answer, with how it ended.
    func answer(_ request: GenerationRequest) async throws -> (text: String, result: GenerationResult) {
        var text = ""
        let result = try await generate(request) { text += $0 }
        return (text, result)
    }
}

extension GenerationRequest {
    /// A greedy request of one prompt.
    static func greedy(_ prompt: String, most: Int? = 24) -> Self {
        GenerationRequest(messages: [LocalMessage(.user, prompt)], sampling: .greedy, maximumOutputTokens: most)
    }
}

/// Waits until something is so, for at most ten seconds; says whether it came.
func eventually(_ condition: @Sendable () -> Bool) async -> Bool {
    let clock = ContinuousClock()
    let deadline = clock.now.advanced(by: .seconds(10))
    while clock.now < deadline {
        if condition() { return true }
        // Not a spin: the model needs the processor.
        try? await Task.sleep(for: .milliseconds(1))
    }
    return condition()
}

/// A value that several tasks of a test change.
final class Shared<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    func withLock<Result: Sendable>(_ body: (inout sending Value) -> sending Result) -> Result {
        value.withLock(body)
    }
}
