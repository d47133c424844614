import RejoinAssist
import RejoinCore
import RejoinServer
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ProviderEngineTests {
    private let shape = DraftSchema.object([.init("a", .string(upTo: 3))])

    @Test func `a task becomes a request with its schema, and the text comes back as it grows`() async throws {
        let model = ScriptedModel { _ in
            [.piece(.reasoning("no")), .piece(.text("{\"a\":")), .piece(.text("\"x\"}")), .end(.finished(.complete))]
        }
        let service = LocalService(engine: ProviderEngine(model))
        let task = ModelTask(
            instructions: "Be brief.", prompt: "Go.", schema: shape, displayField: "a", maximumTokens: 9)
        let seen = Mutex<[String]>([])
        let text = try await service.respond(to: task) { text in seen.withLock { $0.append(text) } }
        #expect(text == #"{"a":"x"}"#)
        #expect(seen.withLock { $0 } == ["x"])
        let request = try #require(model.requests.first)
        #expect(request.messages == [.init(.system, "Be brief."), .init(.user, "Go.")])
        #expect(request.maximumOutputTokens == 9 && request.temperature == 0)
        #expect(try JSONReader.parse(try #require(request.schema)) == shape.jsonSchema)
    }

    @Test(
        arguments: [
            (.finished(.length), .decoding), (.refused(.contextTooLarge), .contextTooLarge),
            (.refused(.contentFilter), .guardrail), (.failed(.modelUnavailable), .assetsUnavailable),
            (.failed(.upstreamFailed), .serviceDown), (.interrupted(.upstreamClosed), .serviceDown),
            (.cancelled, .cancelled),
        ] as [(ModelEnd, AssistantFailure)])
    func `each other end is a failure`(end: ModelEnd, failure: AssistantFailure) async {
        let service = LocalService(engine: ProviderEngine(ScriptedModel { _ in [.piece(.text("x")), .end(end)] }))
        await #expect(throws: failure) {
            try await service.respond(to: ModelTask(instructions: "", prompt: "Go.", maximumTokens: 9))
        }
    }

    @Test func `what does not fit whole is not cut`() async {
        let model = ScriptedModel(fit: { _ in .cut(droppedTurns: 1) }) { _ in [.end(.finished(.complete))] }
        let service = LocalService(engine: ProviderEngine(model))
        await #expect(throws: AssistantFailure.contextTooLarge) {
            try await service.respond(to: ModelTask(instructions: "", prompt: "Go.", maximumTokens: 9))
        }
        #expect(model.requests.isEmpty)
    }
}
