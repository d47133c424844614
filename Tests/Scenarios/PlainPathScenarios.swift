import RejoinAssist
import Testing

/// Not every feature needs a route to choose and a stream to show.
@Suite(.timeLimit(.minutes(1))) struct PlainPathScenarios {
    @Test("R61 given one model and nothing to stream, when a text is rewritten, then a few lines are enough")
    func plain() async throws {
        let engine = ScriptedEngine(availability: .preparing) { _ in [.say(#"{"text":"Good day."}"#)] }
        let local = LocalService(engine: engine)
        let note = Rewrite.Input(text: "hi", tone: .formal)
        let draft = try await local.draft(Rewrite.self, for: note)
        let text = try Rewrite.pipeline(draft, against: note).value
        #expect(text == "Good day.")
    }
}
