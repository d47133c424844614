import RejoinAssist
import RejoinCore
import Testing

@Suite struct PictureScenarios {
    private static let picture = Interpret<PictureAlone>.Input(
        picture: PictureReference(id: "p", mediaType: "image/png"), question: "What is it?")

    @Test(
        "R06 R24 given a model that cannot see and no server, when asked about a picture, then it says that it cannot see"
    )
    func blind() async {
        let engine = ScriptedEngine(
            availability: .ready(CapabilityRecord(capabilities: [.text, .structuredOutput], contextSize: 4096))
        ) { _ in [.say("a cat")] }
        let local = LocalService(engine: engine)
        let environment = RouteEnvironment(local: { await local.availability })
        let resolution = await RoutePolicy.standard.resolve(Interpret<PictureAlone>.profile, in: environment)
        #expect(resolution.explain().sentence == "The model cannot see pictures.")
        #expect(resolution.explain().support.contains("vision"))
        #expect(engine.record.tasks.isEmpty)
    }

    @Test(
        "R06 given the same, when the picture is asked about all the same, then no model is shown half of the question")
    func forced() async throws {
        let engine = ScriptedEngine(availability: .unknown) { _ in [.fail(.capabilityMissing)] }
        let service = LocalService(engine: engine)
        await #expect(throws: AssistantFailure.capabilityMissing) {
            _ = try await service.respond(to: Interpret<PictureAlone>.task(for: Self.picture))
        }
    }
}
