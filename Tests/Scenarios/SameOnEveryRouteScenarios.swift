import RejoinAssist
import RejoinCore
import Testing

/// What a model says is worth the same wherever it was said: one set of drafts, every route.
@Suite(.timeLimit(.minutes(1))) struct SameOnEveryRouteScenarios {
    private static let items = [ItemBrief(id: "x", title: "Milk"), ItemBrief(id: "y", title: "Train")]
    private static let groups = [GroupBrief(id: "a", title: "Food"), GroupBrief(id: "b", title: "Travel")]

    /// What comes of a model's words on the device and at the server; nil where they may not be shown.
    private func outcomes<O: AssistantOperation>(
        _ operation: O.Type, _ input: O.Input, _ words: String
    ) async throws -> [O.Output?] {
        var outcomes: [O.Output?] = []
        for isHere in [true, false] {
            let stage = Stage(
                local: isHere
                    ? .ready(CapabilityRecord(capabilities: [.text, .structuredOutput])) : .hardwareIneligible,
                says: { _ in [.say(words)] }, serverSays: { _ in .success(.output(words)) })
            if !isHere { await stage.consent(to: O.profile.dataClass) }
            let proposal = try? await stage.assistant.propose(operation, for: input)
            if let proposal { #expect(proposal.route == (isHere ? .onDevice : .cloud(.small))) }
            #expect(stage.line.requests.isEmpty == isHere)
            outcomes.append(proposal?.output.value)
        }
        return outcomes
    }

    @Test(
        "R03 given the same words of a model, when they come from the device or the server, then the proposals are equal",
        arguments: [
            #"{"1":"Food","2":"Travel"}"#, #"Sure! ```json{"1":"food","2":"nowhere"}```"#,
            #"{"items":[{"id":"y","group":"Food"},{"id":"z","group":"Food"}]}"#, #"{"1":"Food""#, "no", "{} {}",
        ])
    func sorting(words: String) async throws {
        let found = try await outcomes(Classify.self, .init(items: Self.items, groups: Self.groups), words)
        #expect(found[0] == found[1])
    }

    @Test(
        "R03 given the same text of a model, when it comes from the device or the server, then the proposals are equal",
        arguments: [
            #"{"text":" “Good day.” "}"#, #"{"text":""}"#, #"{"text":"See https://evil.example"}"#,
            #"{"text":"I'm sorry, but I cannot help with that."}"#, "Good day.",
        ])
    func rewriting(words: String) async throws {
        let found = try await outcomes(Rewrite.self, .init(text: "hi there everyone", tone: .formal), words)
        #expect(found[0] == found[1])
    }

    @Test("R03 given what a rule would say, when a model says it instead, then the proposal is the same")
    func rule() async throws {
        let history = [Complete.PastChoice("train to work", "Transport")]
        let ruled = try await Stage().assistant.propose(
            Complete.self, for: .init(text: "Train to work", history: history))
        let said = try await outcomes(
            Complete.self, .init(text: "Quite another thing", history: history), #"{"category":"transport"}"#)
        #expect(ruled.route == .deterministic)
        #expect(said == [ruled.output.value, ruled.output.value])
    }
}
