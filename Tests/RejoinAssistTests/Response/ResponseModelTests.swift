import RejoinAssist
import RejoinCore
import Synchronization
import Testing

/// A rewrite that counts how often a draft is decoded.
private enum Counting: ReviewableOperation {
    static let decodes = Mutex<[String: Int]>([:])
    static func count(_ input: Rewrite.Input) -> Int { decodes.withLock { $0[input.text, default: 0] } }

    static var profile: OperationProfile { Rewrite.profile }
    static var kind: ResponseKind { .actionable }
    static var pipeline: ValidationPipeline<Rewrite.Input, Rewrite.Draft, String> { Rewrite.pipeline }
    static func task(for input: Rewrite.Input) -> ModelTask { Rewrite.task(for: input) }
    static func draft(from text: String, for input: Rewrite.Input) throws(ValidationFailure) -> Rewrite.Draft {
        decodes.withLock { $0[input.text, default: 0] += 1 }
        return try Rewrite.draft(from: text, for: input)
    }
    static func request(for input: Rewrite.Input) -> JSONValue { Rewrite.request(for: input) }
    static func changes(in output: String, for input: Rewrite.Input) -> [Change] {
        Rewrite.changes(in: output, for: input)
    }
    static func draft(
        of output: String, replacing change: ChangeID, with text: String, for input: Rewrite.Input
    ) throws(ValidationFailure) -> Rewrite.Draft { Rewrite.Draft(text, isByPerson: true) }
}

@Suite @MainActor struct ResponseModelTests {
    private func updates<O: AssistantOperation>(
        _: O.Type, _ input: O.Input, _ pieces: [String], failure: AssistantFailure? = nil
    ) -> ResponseUpdates<O> {
        let stream = AsyncThrowingStream<String, any Error> { continuation in
            for piece in pieces { continuation.yield(piece) }
            continuation.finish(throwing: failure)
        }
        return ResponseUpdates(id: Samples.id, route: .onDevice, input: input, pieces: stream)
    }

    @Test("R53 the buffer is decoded once, at the end, also where an earlier piece was a whole object")
    func decodesOnce() async {
        let input = Rewrite.Input(text: "decode once", tone: .plain)
        var iterator = updates(Counting.self, input, [#"{"text": "Decode "#, #"it once"}"#, " \n", " "])
            .makeAsyncIterator()
        var previews: [String] = []
        while let update = await iterator.next() {
            switch update {
            case .preview(let text):
                previews.append(text)
                #expect(Counting.count(input) == 0)
            case .ended: #expect(Counting.count(input) == 0)
            case .proposal(let proposal): #expect(proposal.output.value == "Decode it once")
            default: Issue.record("not expected: \(update)")
            }
        }
        #expect(previews == ["Decode ", "Decode it once"])
        #expect(Counting.count(input) == 1)
        #expect(await iterator.next() == nil)
    }

    @Test("R62 a stream without one piece ends in a final phase, whatever the operation")
    func noPieces() async {
        let model = ResponseModel<Rewrite>()
        let input = Samples.rewrite
        model.begin(Samples.request(1))
        for await update in updates(Rewrite.self, input, []) { model.receive(update, for: Samples.request(1)) }
        #expect(model.phase == .failed && model.rejection == .undecodable)
        let prose = ResponseModel<Interpret<PictureAlone>>()
        prose.begin(Samples.request(2))
        let picture = Interpret<PictureAlone>.Input(picture: .init(id: "p", mediaType: "image/png"), question: "?")
        for await update in updates(Interpret<PictureAlone>.self, picture, []) {
            prose.receive(update, for: Samples.request(2))
        }
        #expect(prose.phase == .failed && prose.rejection == .empty)
    }

    @Test("R49 nothing with consequences is enabled before ready, and the validated text takes the preview's place")
    func enabled() async throws {
        let model = ResponseModel<Rewrite>()
        let request = Samples.request(1)
        #expect(!model.controls.contains(.accept))
        model.begin(request)
        var phases: [ResponsePhase] = []
        for await update in updates(Rewrite.self, Samples.rewrite, [#"{"text": "  Could you"#, #" send it? "}"#]) {
            model.receive(update, for: request)
            phases.append(model.phase)
            #expect(model.controls.contains(.accept) == (model.phase == .ready))
            if model.phase == .streaming { #expect(model.preview.hasPrefix("  Could yo") && model.proposal == nil) }
        }
        #expect(phases == [.streaming, .streaming, .validating, .ready])
        #expect(model.preview.isEmpty)
        #expect(model.proposal?.output.value == "Could you send it?")
        for phase in ResponsePhase.allCases {
            #expect(ResponseControl.enabled(in: phase).contains(.accept) == (phase == .ready))
        }
    }

    @Test("R49 a plan that fails is taken away and says so; prose that breaks stays and is marked")
    func failures() {
        let plan = ResponseModel<Rewrite>()
        plan.begin(Samples.request(1))
        plan.receive(.preview("Half a plan"), for: Samples.request(1))
        plan.receive(.failed(.offline), for: Samples.request(1))
        #expect(plan.phase == .failed && plan.preview.isEmpty && plan.failure == .offline && plan.proposal == nil)

        let prose = ResponseModel<Interpret<PictureAlone>>()
        prose.begin(Samples.request(2))
        prose.receive(.preview("Half a sentence."), for: Samples.request(2))
        prose.receive(.failed(.offline), for: Samples.request(2))
        #expect(prose.phase == .interrupted && prose.preview == "Half a sentence" && prose.isPreviewMarked)
    }

    @Test("R51 a result that was overtaken changes nothing and is noted once under its own request")
    func overtaken() throws {
        for late in [
            ResponseUpdate<Rewrite>.proposal(try Samples.proposal(Rewrite.self, "Late", Samples.rewrite)),
            .failed(.timeout),
        ] {
            var notes: [ResponseNote] = []
            let model = ResponseModel<Rewrite> { notes.append($0) }
            let (a, b) = (Samples.request(1), Samples.request(2))
            model.begin(a)
            model.receive(.preview("from A"), for: a)
            model.begin(b)
            let proposal = try Samples.proposal(Rewrite.self, "From B", Samples.rewrite)
            model.receive(.proposal(proposal), for: b)
            model.receive(.preview("from A, later"), for: a)
            model.receive(late, for: a)
            model.receive(late, for: a)
            #expect(model.phase == .ready && model.request == b && model.failure == nil && model.preview.isEmpty)
            #expect(model.proposal?.output.value == "From B")
            #expect(notes.count { $0 == .stale(a) } == 1)
            #expect(notes.count { $0 == .discarded(a, from: .streaming) } == 1)
            #expect(model.tally.stale == 1 && model.tally.discarded == 1)
        }
    }

    /// Updates that end when the task that reads them is cancelled, and say so.
    private struct Waiting: AsyncSequence, AsyncIteratorProtocol, Sendable {
        let name: String
        let log: @Sendable (String) -> Void
        func makeAsyncIterator() -> Waiting { self }
        func next() async -> ResponseUpdate<Rewrite>? {
            log("\(name) started")
            let gate = AsyncStream<Never>.makeStream()
            await withTaskCancellationHandler {
                for await _ in gate.stream {}
            } onCancel: {
                gate.continuation.finish()
            }
            log("\(name) cancelled")
            return .failed(.cancelled)
        }
    }

    @Test(
        "R52 what is under way is cancelled before its replacement starts and where the view goes, and shows no error")
    func cancels() async {
        let log = Mutex<[String]>([])
        let model = ResponseModel<Rewrite>()
        func count(_ text: String) -> Int { log.withLock { $0.count { $0 == text } } }
        let first = Waiting(name: "A") { text in log.withLock { $0.append(text) } }
        let second = Waiting(name: "B") { text in log.withLock { $0.append(text) } }
        model.ask(Samples.request(1)) { first }
        await until { count("A started") == 1 }
        model.ask(Samples.request(2)) { second }
        await until { count("B started") == 1 && count("A cancelled") == 1 }
        #expect(model.phase == .preparing && model.failure == nil)
        model.disappear()
        await until { count("B cancelled") > 0 }
        #expect(model.phase == .discarded && model.failure == nil && model.rejection == nil)
    }

    @Test("R51 a commit that is running cannot be overtaken")
    func committing() async throws {
        let model = ResponseModel<Classify>()
        let proposal = try Samples.proposal(Classify.self, BatchDraft([("a", .named("g1"))]), Samples.classify)
        model.begin(Samples.request(1))
        model.receive(.proposal(proposal), for: Samples.request(1))
        let review = Review(proposal)
        let failing = RecordingEffect(failures: 1)
        let ledger = MemoryCommitLedger()
        let failure = await model.commit(review, failing, ledger: ledger)
        #expect(model.phase == .ready)
        guard case .failure(.effectFailed)? = failure else {
            Issue.record("the effect was to fail")
            return
        }
        let probe = OvertakingEffect(model: model)
        _ = await model.commit(review, probe, ledger: ledger)
        #expect(model.phase == .committed && model.request == Samples.request(1))
        #expect(!model.controls.contains(.accept))
    }

    /// Tries to overtake the commit that it is part of.
    private struct OvertakingEffect: CommitEffect {
        typealias Operation = Classify
        let model: ResponseModel<Classify>
        func apply(_ accepted: Accepted<Classify>, key: IdempotencyKey) async throws -> Int {
            await MainActor.run {
                #expect(model.phase == .committing && model.controls.isEmpty)
                #expect(!model.begin(Samples.request(9)))
                model.stop()
                model.dismiss()
                #expect(model.phase == .committing)
            }
            return 1
        }
    }

    /// Waits, with a bound, for a state of other tasks.
    private func until(_ isTrue: () -> Bool) async {
        let end = ContinuousClock.now + .seconds(20)
        while !isTrue(), ContinuousClock.now < end { await Task.yield() }
        #expect(isTrue())
    }
}
