import RejoinAssist
import RejoinCore
import Testing

/// What a view shows while an answer grows, and what it lets a person do.
@Suite(.timeLimit(.minutes(1))) @MainActor struct ResponseScenarios {
    private let input = Rewrite.Input(text: "hi there everyone", tone: .formal)

    @Test("R49 given a stream, when it breaks off, then the plan's preview goes, nothing can be accepted, and it shows")
    func breaksOff() async throws {
        let stage = Stage(says: { _ in [.say(#"{"text":"Good da"#), .fail(.timeout)] })
        stage.world.withLock { $0.mode = .onDeviceOnly }
        let model = ResponseModel<Rewrite>()
        let request = RequestID(high: 1, low: 1)
        model.begin(request)
        for await update in stage.assistant.updates(Rewrite.self, for: input) {
            model.receive(update, for: request)
            #expect(!model.controls.contains(.accept))
        }
        #expect(model.preview.isEmpty && model.failure == .timeout && model.phase == .failed)
    }

    @Test("R49 given a stream that ends, when it holds up, then the validated text takes the preview's place")
    func holdsUp() async throws {
        let stage = Stage(says: { _ in [.say(#"{"text":" “Good "#), .say(#"day.” "}"#)] })
        let model = ResponseModel<Rewrite>()
        let request = RequestID(high: 1, low: 1)
        model.begin(request)
        var previews: [String] = []
        for await update in stage.assistant.updates(Rewrite.self, for: input) {
            model.receive(update, for: request)
            if !model.preview.isEmpty { previews.append(model.preview) }
        }
        #expect(!previews.isEmpty)
        #expect(model.phase == .ready && model.controls.contains(.accept) && model.preview.isEmpty)
        #expect(model.proposal?.output.value == "Good day.")
    }

    @Test("R62 given a model that says nothing at all, when it ends, then the response ends too")
    func silence() async throws {
        let stage = Stage(says: { _ in [] })
        stage.world.withLock { $0.mode = .onDeviceOnly }
        let model = ResponseModel<Rewrite>()
        let request = RequestID(high: 1, low: 1)
        model.begin(request)
        for await update in stage.assistant.updates(Rewrite.self, for: input) { model.receive(update, for: request) }
        #expect(model.phase.isFinal)
    }

    @Test("R24 given on-device only and no model, when a view asks, then it shows one reason and what would help")
    func reason() async throws {
        let stage = Stage(local: .disabledByUser)
        stage.world.withLock { $0.mode = .onDeviceOnly }
        let model = ResponseModel<Rewrite>()
        let request = RequestID(high: 1, low: 1)
        model.begin(request)
        for await update in stage.assistant.updates(Rewrite.self, for: input) { model.receive(update, for: request) }
        let explanation = try #require(model.obstacle?.resolution?.explain())
        #expect(explanation.action == .turnOnModel && !explanation.sentence.isEmpty)
        #expect(model.phase == .refused)
    }

    @Test("R48 given a proposal, when only some of it is accepted, then only that is applied, once")
    func selected() async throws {
        let stage = Stage(says: { _ in [.say(#"{"1":"Food","2":"Food"}"#)] })
        let input = Classify.Input(
            items: [.init(id: "x", title: "Milk"), .init(id: "y", title: "Bread")],
            groups: [.init(id: "a", title: "Food")])
        let review = Review(try await stage.assistant.propose(Classify.self, for: input))
        review.selection = [ChangeID("y")]
        let shelf = Shelf()
        let ledger = MemoryCommitLedger()
        let permit = try review.accept()
        let receipt = try await permit.apply(shelf, ledger: ledger)
        review.committed()
        #expect(receipt == 1 && shelf.applied.withLock { $0 } == ["y"])
        #expect(throws: ReviewError.closed) { _ = try review.accept() }
    }

    /// Where accepted changes are put.
    private struct Shelf: CommitEffect {
        typealias Operation = Classify
        let applied = Locked<[String]>([])

        func apply(_ accepted: Accepted<Classify>, key: IdempotencyKey) async throws -> Int {
            applied.withLock { $0 += accepted.changes.map(\.id.name) }
            return accepted.changes.count
        }
    }
}
