import Foundation
import LocalModel
import RejoinCore
import Synchronization
import Testing

@testable import RejoinServer

@Suite(.serialized, .timeLimit(.minutes(2)))
struct LlamaProviderTests {
    private static let path: String? = {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let path =
            ProcessInfo.processInfo.environment["REJOIN_TEST_MODEL"]
            ?? package.appending(path: "models/smollm2-135m.gguf").path
        return FileManager.default.isReadableFile(atPath: path) ? path : nil
    }()
    private static var isThere: Bool { path != nil }

    private func provider(context: Int = 1024, sequences: Int = 1) -> LlamaProvider {
        LlamaProvider(
            name: "tiny", path: Self.path ?? "",
            configuration: LocalModelConfiguration(sequences: sequences, contextPerSequence: context, threads: 1))
    }

    private func request(_ prompt: String, most: Int = 16) -> ModelRequest {
        ModelRequest(messages: [ModelMessage(.user, prompt)], maximumOutputTokens: most, temperature: 0)
    }

    @Test func `a missing file makes it unavailable, in words`() async {
        let provider = LlamaProvider(name: "none", path: "/nowhere/model.gguf")
        #expect(provider.availability == .loading(progress: nil))
        await provider.prepare()
        guard case .unavailable(let words) = provider.availability else {
            Issue.record("available without a file")
            return
        }
        #expect(!words.isEmpty && !words.contains("nowhere"))
        let end = await provider.generate(request("Hello")) { _ in }
        #expect(end == .failed(.modelUnavailable))
    }

    @Test(.enabled(if: isThere, "needs the test model")) func `loads once, answers, and reports exact usage`() async {
        let provider = provider()
        async let first: Void = provider.prepare()
        async let second: Void = provider.prepare()
        _ = await (first, second)
        #expect(provider.availability == .ready)
        let pieces = Mutex([ModelPiece]())
        let end = await provider.generate(request("What is the capital of France?")) { piece in
            pieces.withLock { $0.append(piece) }
        }
        #expect(end == .finished(.complete) || end == .finished(.length))
        let text = pieces.withLock { $0 }.reduce(into: "") { if case .text(let text) = $1 { $0 += text } }
        #expect(text.contains("Paris"))
        guard case .usage(let usage) = pieces.withLock({ $0.last }) else {
            Issue.record("no usage at the end")
            return
        }
        #expect(!usage.isEstimated && usage.inputTokens > 5 && (1...16).contains(usage.outputTokens))
        await provider.shutdown()
    }

    @Test(.enabled(if: isThere, "needs the test model"))
    func `asked again it answers otherwise, with a seed the same`() async {
        let seeds = Shared(UInt32(0))
        let provider = LlamaProvider(
            name: "tiny", path: Self.path ?? "",
            configuration: LocalModelConfiguration(sequences: 1, contextPerSequence: 256, threads: 1),
            sampling: Sampling(temperature: 1.2, topP: 1, minP: 0),
            seed: {
                seeds.withLock { seeds in
                    seeds += 1
                    return seeds
                }
            })
        func answer(seed: Int?) async -> String {
            let text = Shared("")
            var request = ModelRequest(messages: [ModelMessage(.user, "Invent a story.")], maximumOutputTokens: 20)
            request.seed = seed
            _ = await provider.generate(request) { piece in
                if case .text(let more) = piece { text.withLock { $0 += more } }
            }
            return text.withLock { $0 }
        }
        let (first, second) = (await answer(seed: nil), await answer(seed: nil))
        #expect(first != second)
        let (third, fourth) = (await answer(seed: 7), await answer(seed: 7))
        #expect(third == fourth)
        await provider.shutdown()
    }

    @Test(.enabled(if: isThere, "needs the test model")) func `the output limit is told as length`() async {
        let provider = provider()
        let end = await provider.generate(request("Write a long story.", most: 3)) { _ in }
        #expect(end == .finished(.length))
        await provider.shutdown()
    }

    @Test("S15 a context that is too long loses its oldest turns, and says so", .enabled(if: isThere))
    func dropsOldestTurns() async throws {
        let provider = provider(context: 256)
        let long = String(repeating: "water ", count: 60)
        var messages = [ModelMessage(.system, "Be brief.")]
        for number in 0..<4 {
            messages.append(ModelMessage(.user, "\(number) \(long)"))
            messages.append(ModelMessage(.assistant, "Yes."))
        }
        messages.append(ModelMessage(.user, "Say hello."))
        var request = ModelRequest(messages: messages, maximumOutputTokens: 8, temperature: 0)
        guard case .cut(let dropped) = await provider.fit(request) else {
            Issue.record("nothing was cut")
            return
        }
        #expect((1..<4).contains(dropped))
        let usage = Mutex(0)
        let end = await provider.generate(request) { piece in
            if case .usage(let report) = piece { usage.withLock { $0 = report.inputTokens } }
        }
        #expect(end == .finished(.complete) || end == .finished(.length))
        #expect((1...256).contains(usage.withLock { $0 }))
        // What the caller has cut itself fits.
        request.messages.removeSubrange(1..<(1 + 2 * dropped))
        #expect(await provider.fit(request) == .fits)
        await provider.shutdown()
    }

    @Test("S15 a prompt that is too long alone is refused", .enabled(if: isThere))
    func refusesTooLargePrompt() async {
        let provider = provider(context: 128)
        let long = request(String(repeating: "water ", count: 300))
        #expect(await provider.fit(long) == .tooLarge)
        let end = await provider.generate(long) { _ in }
        #expect(end == .refused(.contextTooLarge))
        #expect(await provider.fit(request("Hello")) == .fits)
        await provider.shutdown()
    }

    @Test(.enabled(if: isThere)) func `a schema is kept, and one that cannot be kept is refused`() async throws {
        let provider = provider()
        var order = request("Is water wet?", most: 40)
        order.schema = Array(#"{"type":"object","properties":{"wet":{"type":"boolean"}},"required":["wet"]}"#.utf8)
        let text = Mutex("")
        _ = await provider.generate(order) { piece in
            if case .text(let more) = piece { text.withLock { $0 += more } }
        }
        let answer = try JSONReader.parse(Array(text.withLock { $0 }.utf8))
        #expect(answer.object?["wet"]?.bool != nil)
        order.schema = Array(#"{"type":"string","pattern":"a"}"#.utf8)
        #expect(await provider.generate(order) { _ in } == .failed(.upstreamRejected))
        order.schema = Array("{".utf8)
        #expect(await provider.generate(order) { _ in } == .failed(.upstreamRejected))
        await provider.shutdown()
    }

    @Test("S05 cancelling ends the run at once and keeps what was said", .enabled(if: isThere))
    func cancels() async {
        let provider = provider()
        let text = Shared("")
        let task = Task {
            await provider.generate(request("Write a very long story.", most: 900)) { piece in
                if case .text(let more) = piece { text.withLock { $0 += more } }
            }
        }
        let deadline = ContinuousClock.now.advanced(by: .seconds(20))
        while text.withLock({ $0.isEmpty }), ContinuousClock.now < deadline {
            try? await Task.sleep(for: .milliseconds(1))
        }
        let start = ContinuousClock.now
        task.cancel()
        #expect(await task.value == .cancelled)
        // The bar of the acceptance list is in the tests of the model; this allows for a busy machine.
        #expect(start.duration(to: .now) < .seconds(2))
        await provider.shutdown()
        #expect(await provider.generate(request("Hello")) { _ in } == .failed(.modelUnavailable))
    }
}

private final class Shared<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    func withLock<Result: Sendable>(_ body: (inout sending Value) -> sending Result) -> Result {
        value.withLock(body)
    }
}
