import RejoinAssist
import RejoinCore
import Testing

/// Where an operation runs, as a person meets it: each test is one scenario, given, when, then.
@Suite(.timeLimit(.minutes(1))) struct RoutingScenarios {
    private let rewritten: @Sendable (ModelTask) -> [ScriptedEngine.Step] = { _ in [.say(#"{"text":"Good day."}"#)] }

    @Test("R05 given a category chosen before, when the same is typed again, then a rule answers and no model runs")
    func rule() async throws {
        let stage = Stage()
        let input = Complete.Input(text: "Train to work", history: [.init("train to work", "Transport")])
        let resolution = await stage.assistant.resolve(Complete.self, for: input)
        let proposal = try await stage.assistant.propose(Complete.self, for: input)
        #expect(proposal.output.value == "Transport" && proposal.route == .deterministic)
        #expect(stage.engine.record.sessions == 0 && stage.line.requests.isEmpty)
        let decision = try #require(resolution.decision)
        #expect(decision.fallback == nil && !decision.mayUpload)
    }

    @Test("R18 given a ready model here, when a short text is rewritten, then it runs here and nobody else is asked")
    func nearest() async throws {
        let stage = Stage(says: rewritten)
        let proposal = try await stage.assistant.propose(
            Rewrite.self, for: .init(text: "hi there everyone", tone: .formal))
        #expect(proposal.output.value == "Good day." && proposal.route == .onDevice)
        #expect(stage.world.withLock { $0.cloudProbes } == 0 && stage.world.withLock { $0.entitlementProbes } == 0)
        #expect(stage.line.requests.isEmpty)
    }

    @Test("R23 given on-device only and no model, when items are sorted, then it says so and nothing is even asked")
    func onDeviceOnly() async throws {
        let stage = Stage(local: .notDownloaded)
        stage.world.withLock { $0.mode = .onDeviceOnly }
        await stage.consent(to: .minimised)
        let input = Classify.Input(items: [.init(id: "1", title: "Milk")], groups: [.init(id: "a", title: "Food")])
        let reason = await #expect(throws: NoProposal.self) {
            try await stage.assistant.propose(Classify.self, for: input)
        }
        guard case .unavailable(let refusal) = reason else {
            Issue.record("\(String(describing: reason))")
            return
        }
        let here = try #require(refusal.rejected.first { $0.route == .onDevice })
        #expect(here.why == [.local(.notDownloaded)])
        #expect(stage.line.requests.isEmpty && stage.world.withLock { $0.cloudProbes } == 0)
        #expect(Resolution.unavailable(refusal).explain().action == .downloadModel)
    }

    @Test("R12 given a model that comes and goes, when the same is asked three times, then three decisions fit")
    func readAtEachTap() async throws {
        let stage = Stage(says: rewritten)
        let input = Rewrite.Input(text: "hi there", tone: .plain)
        var routes: [Route?] = []
        for state in [
            LocalAvailability.ready(CapabilityRecord(capabilities: .text)), .preparing,
            .ready(CapabilityRecord(capabilities: .text)),
        ] {
            stage.engine.setAvailability(state)
            routes.append(await stage.assistant.resolve(Rewrite.self, for: input).decision?.primary)
        }
        #expect(routes.first == .onDevice && routes.last == .onDevice && routes[1] != .onDevice)
    }

    @Test("R11 given a model that is being prepared, when items that can wait are sorted, then the decision may wait")
    func waits() async throws {
        let stage = Stage(local: .preparing)
        let input = Classify.Input(items: [.init(id: "1", title: "Milk")], groups: [.init(id: "a", title: "Food")])
        let resolution = await stage.assistant.resolve(Classify.self, for: input)
        guard case .wait = resolution else {
            Issue.record("\(resolution)")
            return
        }
        #expect(resolution.status.words == "Preparing on this device")
        let reason = await #expect(throws: NoProposal.self) {
            try await stage.assistant.propose(Classify.self, for: input)
        }
        guard case .mustWait = reason else {
            Issue.record("\(String(describing: reason))")
            return
        }
    }

    @Test("R07 given a text beyond the model's context, when it is to be rewritten, then needed and there are told")
    func tooLong() async throws {
        let stage = Stage(local: .ready(CapabilityRecord(capabilities: .text, contextSize: 2048)))
        stage.world.withLock { $0.mode = .onDeviceOnly }
        let input = Rewrite.Input(text: String(repeating: "many words here ", count: 1000), tone: .plain)
        let resolution = await stage.assistant.resolve(Rewrite.self, for: input)
        let here = resolution.rejected.first { $0.route == .onDevice }
        guard case .contextTooSmall(let needed, let available)? = here?.why.first else {
            Issue.record("\(resolution)")
            return
        }
        #expect(needed > 2048 && available == 2048)
    }

    @Test("R07 given a long document and a short answer, when it is read, then what it takes to read it is counted")
    func longDocument() async throws {
        let stage = Stage(
            local: .ready(CapabilityRecord(capabilities: [.text, .structuredOutput], contextSize: 2048)))
        stage.world.withLock { $0.mode = .onDeviceOnly }
        let short = await stage.assistant.resolve(Extract<Expense>.self, for: .init(text: "Total 3.68 EUR"))
        #expect(short.decision?.primary == .onDevice)
        let text = String(repeating: "one line of many 1.00 EUR\n", count: 500)
        let long = await stage.assistant.resolve(Extract<Expense>.self, for: .init(text: text))
        guard case .contextTooSmall(let needed, _)? = long.rejected.first(where: { $0.route == .onDevice })?.why.first
        else {
            Issue.record("\(long)")
            return
        }
        #expect(needed > text.utf8.count / 4)
    }
}
