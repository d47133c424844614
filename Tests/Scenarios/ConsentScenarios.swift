import RejoinAssist
import RejoinCore
import Testing

/// What leaves the device, and who was asked before it did.
@Suite(.timeLimit(.minutes(1))) struct ConsentScenarios {
    private let input = Rewrite.Input(text: "hi there everyone", tone: .formal)
    private let serverAnswer: @Sendable (CloudRequest) -> Result<CloudReply, CloudTransportFailure> = { _ in
        .success(.output(#"{"text":"Good day, everyone."}"#))
    }

    @Test(
        "R21 given no model here and no consent, when a text is rewritten, then the person is asked and nothing leaves")
    func asks() async throws {
        let stage = Stage(local: .hardwareIneligible, serverSays: serverAnswer)
        let reason = await #expect(throws: NoProposal.self) {
            try await stage.assistant.propose(Rewrite.self, for: input)
        }
        guard case .needsConsent(let question) = reason else {
            Issue.record("\(String(describing: reason))")
            return
        }
        #expect(question.request.recipient == Stage.server && question.request.data == .freeForm)
        #expect(stage.world.withLock { $0.questions.count } == 1)
        #expect(stage.line.requests.isEmpty)
    }

    @Test("R26 given a person who agrees, when asked once, then it is sent, remembered, and can be taken back")
    func remembers() async throws {
        let stage = Stage(local: .hardwareIneligible, serverSays: serverAnswer)
        stage.world.withLock { $0.agrees = true }
        for _ in 0..<2 { _ = try await stage.assistant.propose(Rewrite.self, for: input) }
        #expect(stage.world.withLock { $0.questions.count } == 1)
        #expect(stage.line.requests.count == 2)
        #expect(await stage.consents.grants().count == 1)
        await stage.consents.revokeAll()
        stage.world.withLock { $0.agrees = false }
        await #expect(throws: NoProposal.self) { try await stage.assistant.propose(Rewrite.self, for: input) }
        #expect(stage.line.requests.count == 2)
    }

    @Test(
        "R25 given a failure here and no consent, when a text is rewritten, then it asks or stops, and nothing leaves")
    func failsHere() async throws {
        let stage = Stage(says: { _ in [.fail(.timeout)] }, serverSays: serverAnswer)
        let reason = await #expect(throws: NoProposal.self) {
            try await stage.assistant.propose(Rewrite.self, for: input)
        }
        guard case .needsConsent = reason else {
            Issue.record("\(String(describing: reason))")
            return
        }
        #expect(stage.line.requests.isEmpty)
    }

    @Test("R19 given consent taken back while the model works, when it then fails, then nothing is sent")
    func takenBack() async throws {
        let gate = ScriptedGate()
        let stage = Stage(says: { _ in [.wait(gate), .fail(.timeout)] }, serverSays: serverAnswer)
        await stage.consent(to: .freeForm)
        let outcome = Task { [input] in try await stage.assistant.propose(Rewrite.self, for: input) }
        while stage.engine.record.tasks.isEmpty { await Task.yield() }
        await stage.consents.revokeAll()
        gate.open()
        await #expect(throws: NoProposal.self) { try await outcome.value }
        #expect(stage.line.requests.isEmpty)
    }

    @Test(
        "R17 given a failure here and consent, when a text is rewritten, then the server answers under the same rules")
    func fallsBack() async throws {
        let stage = Stage(says: { _ in [.say("{\"te"), .fail(.timeout)] }, serverSays: serverAnswer)
        await stage.consent(to: .freeForm)
        let crossings = Locked<[DataBoundary]>([])
        let proposal = try await stage.assistant.propose(Rewrite.self, for: input) { update in
            if case .crossing(let boundary) = update { crossings.withLock { $0.append(boundary) } }
        }
        #expect(proposal.output.value == "Good day, everyone." && proposal.route == .cloud(.small))
        #expect(stage.line.requests.count == 1)
        // R56: the person is told before it leaves, and only then.
        #expect(crossings.withLock { $0 } == [DataBoundary(Stage.server)])
        #expect(stage.telemetry.events.map(\.name) == [.decidedAutomatic, .failed, .decidedAutomatic, .validated])
    }

    @Test("R56 given a model here and a permitted fallback, when it runs here, then no notice is shown")
    func noNotice() async throws {
        let stage = Stage(says: { _ in [.say(#"{"text":"Good day."}"#)] })
        await stage.consent(to: .freeForm)
        let crossings = Locked(0)
        _ = try await stage.assistant.propose(Rewrite.self, for: input) { update in
            if case .crossing = update { crossings.withLock { $0 += 1 } }
        }
        #expect(crossings.withLock { $0 } == 0)
    }

    @Test("R27 given free work here and paid work there behind one button, when the plan lacks it, then it runs here")
    func plan() async throws {
        let stage = Stage(says: { _ in [.say(#"{"1":"Food"}"#)] })
        stage.world.withLock { $0.entitlement = .denied }
        let input = Classify.Input(items: [.init(id: "1", title: "Milk")], groups: [.init(id: "a", title: "Food")])
        let proposal = try await stage.assistant.propose(Classify.self, for: input)
        #expect(proposal.route == .onDevice)
        #expect(proposal.output.value.entries.map(\.decision) == [.change("a")])
    }

    @Test("R41 given a server with words of its own, when it refuses, then none of them reach the person")
    func canary() async throws {
        let stage = Stage(
            local: .hardwareIneligible,
            serverSays: { _ in
                .success(CloudReply(status: 418, body: Array(#"{"title":"CANARY","detail":"CANARY"}"#.utf8)))
            })
        await stage.consent(to: .freeForm)
        let reason = await #expect(throws: NoProposal.self) {
            try await stage.assistant.propose(Rewrite.self, for: input)
        }
        #expect(!String(reflecting: reason).contains("CANARY"))
    }
}
