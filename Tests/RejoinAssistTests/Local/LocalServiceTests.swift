import RejoinAssist
import RejoinCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct LocalServiceTests {
    private static let record = CapabilityRecord(capabilities: [.text, .structuredOutput])

    private func task(_ prompt: String, instructions: String = "Be brief.") -> ModelTask {
        ModelTask(instructions: instructions, prompt: prompt, maximumTokens: 10)
    }

    private func engine(
        answersPerSession: Int = .max, _ script: @escaping @Sendable (ModelTask) -> [ScriptedEngine.Step]
    ) -> ScriptedEngine {
        ScriptedEngine(availability: .ready(Self.record), answersPerSession: answersPerSession, script: script)
    }

    @Test("R28 a hundred calls at once into a strict session never overlap")
    func overlaps() async {
        let gate = ScriptedGate()
        let engine = engine { [.say("a"), .wait(gate), .say($0.prompt)] }
        let service = LocalService(engine: engine, mostWaiting: 100)
        let answers = await withTaskGroup(of: String?.self) { group in
            for number in 0..<100 {
                group.addTask { try? await service.respond(to: self.task("\(number)")) }
            }
            group.addTask {
                _ = await eventually { engine.record.tasks.count == 1 }
                gate.open()
                return nil
            }
            return await group.reduce(into: Set<String>()) { all, answer in if let answer { all.insert(answer) } }
        }
        #expect(answers == Set((0..<100).map { "a\($0)" }))
        #expect(engine.record.overlaps == 0)
        #expect(engine.record.sessions == 1)
    }

    @Test("R28 a call that comes while the model is suspended waits until it has let go")
    func suspension() async throws {
        let gate = ScriptedGate()
        let engine = engine { $0.prompt == "first" ? [.wait(gate), .say("1")] : [.say("2")] }
        let service = LocalService(engine: engine)
        async let first = service.respond(to: task("first"))
        #expect(await eventually { gate.waiting == 1 })
        async let second = service.respond(to: task("second"))
        #expect(await eventually { service.waitingCount == 1 })
        #expect(engine.record.tasks.map(\.prompt) == ["first"])
        gate.open()
        #expect(try await [first, second] == ["1", "2"])
        #expect(engine.record.overlaps == 0)
    }

    @Test("R28 a cancelled run keeps the gate until the model has let go, while its caller returns at once")
    func cancelKeepsTheGate() async throws {
        let stuck = StubbornEngine()
        let service = LocalService(engine: stuck)
        let first = Task { try await service.respond(to: self.task("first")) }
        #expect(await eventually { stuck.isIn })
        first.cancel()
        await #expect(throws: AssistantFailure.cancelled) { try await first.value }
        let second = Task { try await service.respond(to: self.task("second")) }
        #expect(await eventually { service.waitingCount == 1 })
        #expect(stuck.calls == 1)
        stuck.letGo()
        #expect(try await second.value == "second")
        #expect(stuck.overlaps == 0)
    }

    @Test("R29 over the bound of the line a request is busy at once")
    func bound() async throws {
        let gate = ScriptedGate()
        let engine = engine { [.wait(gate), .say($0.prompt)] }
        let service = LocalService(engine: engine, mostWaiting: 1)
        async let running = service.respond(to: task("running"))
        #expect(await eventually { gate.waiting == 1 })
        let waiting = Task { try await service.respond(to: self.task("waiting")) }
        #expect(await eventually { service.waitingCount == 1 })
        await #expect(throws: AssistantFailure.busy(until: nil)) { try await service.respond(to: self.task("third")) }
        gate.open()
        _ = try await (running, waiting.value)
        #expect(engine.record.tasks.map(\.prompt) == ["running", "waiting"])
    }

    @Test("R29 equal requests run the model once and everybody gets the answer, whoever gives up")
    func coalescing() async throws {
        let gate = ScriptedGate()
        let engine = engine { [.say("half "), .wait(gate), .say($0.prompt)] }
        let service = LocalService(engine: engine)
        let first = Task { try await service.respond(to: self.task("same")) }
        #expect(await eventually { gate.waiting == 1 })
        let others = (0..<5).map { _ in Task { try await service.respond(to: self.task("same")) } }
        #expect(await eventually { service.callerCount == 6 })
        first.cancel()
        others[0].cancel()
        await #expect(throws: AssistantFailure.cancelled) { try await first.value }
        await #expect(throws: AssistantFailure.cancelled) { try await others[0].value }
        gate.open()
        for other in others[1...] { #expect(try await other.value == "half same") }
        #expect(engine.record.tasks.count == 1)
        #expect(engine.record.cancelled == 0)
    }

    @Test("R29 a superseded request that waits never starts, and one that runs is cancelled")
    func superseding() async throws {
        let (gate, other) = (ScriptedGate(), ScriptedGate())
        let engine = engine { $0.prompt == "old" ? [.wait(gate), .say("old")] : [.wait(other), .say($0.prompt)] }
        let service = LocalService(engine: engine)
        let key = SupersedeKey("field")
        let old = Task { try await service.respond(to: self.task("old"), superseding: key) }
        #expect(await eventually { gate.waiting == 1 })
        // Another place's request holds the gate next, so that the middle one has to wait.
        let beside = Task { try await service.respond(to: self.task("beside")) }
        #expect(await eventually { service.waitingCount == 1 })
        let middle = Task { try await service.respond(to: self.task("middle"), superseding: key) }
        await #expect(throws: AssistantFailure.cancelled) { try await old.value }
        #expect(await eventually { engine.record.tasks.map(\.prompt) == ["old", "beside"] })
        let new = Task { try await service.respond(to: self.task("new"), superseding: key) }
        await #expect(throws: AssistantFailure.cancelled) { try await middle.value }
        other.open()
        #expect(try await beside.value == "beside")
        #expect(try await new.value == "new")
        #expect(engine.record.tasks.map(\.prompt) == ["old", "beside", "new"])
        #expect(engine.record.cancelled == 1)
    }

    @Test(
        "R30 after what may have spoiled a session the next call gets a new one",
        arguments: [AssistantFailure.guardrail, .refused, .decoding, .gateViolation, .contextTooLarge])
    func spoiled(failure: AssistantFailure) async throws {
        let engine = engine { $0.prompt == "bad" ? [.say("x"), .fail(failure)] : [.say("ok")] }
        let service = LocalService(engine: engine)
        _ = try await service.respond(to: task("good"))
        await #expect(throws: failure) { try await service.respond(to: self.task("bad")) }
        _ = try await service.respond(to: task("good again"))
        #expect(engine.record.sessionOfTask == [1, 1, 2])
    }

    @Test("R30 after a cancel the next call gets a new session")
    func cancelled() async throws {
        let gate = ScriptedGate()
        let engine = engine { $0.prompt == "slow" ? [.wait(gate)] : [.say("ok")] }
        let service = LocalService(engine: engine)
        let slow = Task { try await service.respond(to: self.task("slow")) }
        #expect(await eventually { gate.waiting == 1 })
        slow.cancel()
        await #expect(throws: AssistantFailure.cancelled) { try await slow.value }
        _ = try await service.respond(to: task("next"))
        #expect(engine.record.sessionOfTask == [1, 2])
    }

    @Test("R30 after an output that cannot be read the next call gets a new session")
    func undecodable() async throws {
        let engine = engine { [.say($0.prompt)] }
        let service = LocalService(engine: engine)
        #expect(try await service.draft(EchoOperation.self, for: "fine") == "fine")
        await #expect(throws: AssistantFailure.decoding) {
            try await service.draft(EchoOperation.self, for: EchoOperation.undecodable)
        }
        _ = try await service.draft(EchoOperation.self, for: "again")
        #expect(engine.record.sessionOfTask == [1, 1, 2])
    }

    @Test("R30 after success the session is used again and warmed no second time")
    func reuse() async throws {
        let engine = engine { [.say($0.prompt)] }
        let service = LocalService(engine: engine)
        await service.prewarm(for: task("a"))
        await service.prewarm(for: task("b"))
        _ = try await service.respond(to: task("a"))
        await service.prewarm(for: task("c"))
        _ = try await service.respond(to: task("d"))
        #expect(engine.record.sessions == 1)
        #expect(engine.record.prewarms == 1)
        // Other instructions need a session that was told them.
        _ = try await service.respond(to: task("e", instructions: "Be long."))
        #expect(engine.record.sessionOfTask == [1, 1, 2])
    }

    @Test("R30 a worn session is not used again")
    func worn() async throws {
        let engine = engine(answersPerSession: 2) { [.say($0.prompt)] }
        let service = LocalService(engine: engine)
        for number in 0..<4 { _ = try await service.respond(to: task("\(number)")) }
        #expect(engine.record.sessionOfTask == [1, 1, 2, 2])
    }

    @Test("R34 a batch tells its progress step by step and never backwards")
    func batch() async {
        let engine = engine { $0.prompt == "2" ? [.fail(.timeout)] : [.say($0.prompt)] }
        let service = LocalService(engine: engine)
        let seen = Mutex<[BatchProgress]>([])
        let results = await service.respond(toAll: (0..<4).map { task("\($0)") }) { progress in
            seen.withLock { $0.append(progress) }
        }
        #expect(results == [.success("0"), .success("1"), .failure(.timeout), .success("3")])
        #expect(seen.withLock { $0 } == (1...4).map { BatchProgress(done: $0, total: 4) })
    }

    @Test func `a preview shows plain text, the display field of an object, and nothing else`() async throws {
        let engine = engine { _ in [.say(#"{"a":"no","text":"He"#), .say("llo"), .say(#"","b":1}"#)] }
        let service = LocalService(engine: engine)
        func previews(_ schema: DraftSchema?, _ field: String?) async throws -> [String] {
            var task = task("x")
            (task.schema, task.displayField) = (schema, field)
            let seen = Mutex<[String]>([])
            _ = try await service.respond(to: task) { text in seen.withLock { $0.append(text) } }
            return seen.withLock { $0 }
        }
        let shape = DraftSchema.object([.init("text", .string(upTo: 10))])
        #expect(try await previews(shape, "text") == ["He", "Hello", "Hello"])
        #expect(try await previews(shape, nil) == [])
        #expect(try await previews(nil, nil).last == #"{"a":"no","text":"Hello","b":1}"#)
    }

    @Test func `a request that was cancelled before it began runs nothing`() async {
        let engine = engine { [.say($0.prompt)] }
        let service = LocalService(engine: engine)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await service.respond(to: self.task("never"))
        }
        await #expect(throws: AssistantFailure.cancelled) { try await task.value }
        #expect(engine.record.tasks.isEmpty)
    }
}

/// An engine that does not listen to a cancel until it is told to let go.
private final class StubbornEngine: LocalEngine, LocalSession {
    private let state = Mutex((isIn: false, calls: 0, overlaps: 0))
    private let gate = ScriptedGate()

    var isIn: Bool { state.withLock { $0.isIn } }
    var calls: Int { state.withLock { $0.calls } }
    var overlaps: Int { state.withLock { $0.overlaps } }
    var availability: LocalAvailability { get async { .unknown } }

    func letGo() { gate.open() }

    func makeSession(instructions: String) async throws(AssistantFailure) -> any LocalSession { self }

    func respond(
        to task: ModelTask, preview: @escaping @Sendable (String) -> Void
    ) async throws(AssistantFailure) -> String {
        state.withLock { state in
            if state.isIn { state.overlaps += 1 }
            state.isIn = true
            state.calls += 1
        }
        // A task of its own, which the caller's cancel does not reach.
        let gate = gate
        await Task { await gate.pass() }.value
        state.withLock { $0.isIn = false }
        return task.prompt
    }
}
