import RejoinCore
import RejoinServer
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct RunSupervisorTests {
    /// The rooms around the supervisor, over a memory store, with the committer running until the body returns.
    private func withHouse(
        _ model: ScriptedModel, waiting: Int = 10, _ body: (Rooms) async throws -> Void
    ) async throws {
        let rooms = Rooms(model, waiting: waiting)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await rooms.eventLog.run() }
            try await rooms.createAccount()
            try await body(rooms)
            group.cancelAll()
        }
    }

    /// A store, a log and a supervisor, and one account to ask with.
    private final class Rooms: Sendable {
        let store: any Store
        let eventLog: EventLog
        let runs: RunSupervisor
        let surroundings = Surroundings.system
        let account: AccountRecord

        init(_ model: ScriptedModel, waiting: Int) {
            store = MemoryStore { _, _ in }
            eventLog = EventLog(store: store, surroundings: surroundings)
            runs = RunSupervisor(
                models: ModelRegistry([model], defaultName: model.name),
                limits: .init(running: 100, waiting: waiting, waitingPerAccount: 100), store: store,
                eventLog: eventLog, surroundings: surroundings, metrics: Metrics())
            account = AccountRecord(
                id: surroundings.makeID(), name: "ann", passwordHash: nil, createdAt: surroundings.wall())
        }

        func createAccount() async throws { _ = try await store.createAccount(account) }

        /// Admits a turn of a new conversation and starts its run.
        func ask(_ prompt: String) async throws -> AnswerRecord {
            let permit = try runs.reserve(account.id, model: "auto")
            let answer = try await Fixture.admit(in: store, surroundings, account: account.id, prompt: prompt)
            runs.start(answer, permit)
            return answer
        }

        func stored(_ id: AnswerID) async throws -> AnswerRecord {
            guard case .found(let record) = try await store.answer(id, of: account.id) else {
                throw Fixture.NotAdmitted()
            }
            return record
        }

        /// Follows an answer to its end, as a connection would.
        func follow(_ id: AnswerID) async throws -> Answer {
            var follower = LogFollower(answer: id, cursor: 0, eventLog: eventLog, store: store)
            var parser = EventStreamParser()
            var answer = Answer(id: id, turn: TurnID(high: 0, low: 0))
            while let bytes = try await follower.next() {
                parser.feed(bytes) { event in
                    if let numbered = NumberedEvent(event) { answer.apply(numbered) }
                }
            }
            return answer
        }
    }

    @Test("S02 with nobody following from before the first piece to the end, the stored answer is the whole script")
    func noSubscribers() async throws {
        let pieces = (1...50).map { "piece \($0) " }
        try await withHouse(ScriptedModel(saying: pieces)) { rooms in
            let answer = try await rooms.ask("Hello")
            await rooms.eventLog.live(answer.id)?.waitForEnd()
            let stored = try await rooms.stored(answer.id)
            #expect(ContentPart.text(of: stored.content) == pieces.joined())
            #expect(stored.end?.state == .done)
        }
    }

    @Test("S05 stop reaches the model, keeps the text, and lets the next turn start at once")
    func stopping() async throws {
        let said = Gate()
        let never = Gate()
        let model = ScriptedModel(capacity: 1) { request in
            if request.messages.last?.text == "second" {
                return [.piece(.text("two")), .end(.finished(.complete))]
            }
            said.open()
            return [.piece(.text("one")), .wait(never), .piece(.text("late")), .end(.finished(.complete))]
        }
        try await withHouse(model) { rooms in
            let first = try await rooms.ask("first")
            await said.pass()
            let second = try await rooms.ask("second")
            #expect(rooms.runs.load(of: "scripted") == (running: 1, waiting: 1))
            // The text is on its way while the model waits: it counts as soon as somebody could have seen it.
            while rooms.eventLog.live(first.id)?.numbered.text != "one" { await Task.yield() }
            #expect(await rooms.runs.stop(first.id))
            let stopped = try await rooms.stored(first.id)
            #expect(stopped.end?.state == .stopped)
            #expect(ContentPart.text(of: stopped.content) == "one")
            #expect(try await rooms.follow(second.id).text == "two")
            #expect(model.cancelledCount == 1)
            #expect(try await rooms.stored(first.id) == stopped)
        }
    }

    @Test("S05 a turn that is stopped while it waits never calls the model")
    func stoppingInLine() async throws {
        let never = Gate()
        let model = ScriptedModel(capacity: 1) { _ in [.wait(never), .end(.finished(.complete))] }
        try await withHouse(model) { rooms in
            let first = try await rooms.ask("first")
            let second = try await rooms.ask("second")
            #expect(await rooms.runs.stop(second.id))
            #expect(try await rooms.stored(second.id).end?.state == .stopped)
            #expect(await rooms.runs.stop(first.id))
            #expect(model.requests.count == 1)
        }
    }

    @Test("S06 stopping one answer never touches another, and stopping twice or after the end changes nothing")
    func stoppingTwice() async throws {
        let never = Gate()
        let model = ScriptedModel { request in
            request.messages.last?.text == "long"
                ? [.piece(.text("…")), .wait(never)] : [.piece(.text("short")), .end(.finished(.complete))]
        }
        try await withHouse(model) { rooms in
            let long = try await rooms.ask("long")
            let short = try await rooms.ask("short")
            #expect(try await rooms.follow(short.id).state.end?.state == .done)
            _ = await rooms.runs.stop(short.id)
            #expect(try await rooms.stored(short.id).end?.state == .done)
            #expect(rooms.runs.isRunning(long.id))
            _ = await rooms.runs.stop(long.id)
            let once = try await rooms.stored(long.id)
            _ = await rooms.runs.stop(long.id)
            #expect(try await rooms.stored(long.id) == once)
        }
    }

    @Test(
        "S07 each way to end is stored under its own state with a reason, and the text so far stays",
        arguments: [
            (ModelEnd.finished(.complete), EndState.done), (.finished(.length), .done),
            (.interrupted(.upstreamClosed), .interrupted), (.refused(.contentFilter), .refused),
            (.failed(.upstreamFailed), .failed),
        ])
    func ends(end: ModelEnd, state: EndState) async throws {
        let model = ScriptedModel { _ in [.piece(.text("so far")), .end(end)] }
        try await withHouse(model) { rooms in
            let answer = try await rooms.ask("Hello")
            let seen = try await rooms.follow(answer.id)
            #expect(seen.state.end?.state == state)
            #expect(seen.state.end?.reason.flatMap(EndReason.init(rawValue:)) != nil)
            #expect(seen.text == "so far")
            #expect(try await rooms.stored(answer.id).end == seen.state.end)
        }
    }

    @Test("S07 a model that says nothing has failed, and is not done")
    func emptyAnswer() async throws {
        try await withHouse(ScriptedModel(saying: [])) { rooms in
            let seen = try await rooms.follow(try await rooms.ask("Hello").id)
            #expect(seen.state.end == Event.End(.failed, .emptyAnswer))
        }
    }

    @Test("S13 a full line refuses before anything is stored")
    func fullLine() async throws {
        let never = Gate()
        let model = ScriptedModel(capacity: 1) { _ in [.wait(never)] }
        try await withHouse(model, waiting: 1) { rooms in
            let first = try await rooms.ask("first")
            let second = try await rooms.ask("second")
            await #expect(throws: Problem.self) { _ = try await rooms.ask("third") }
            #expect(try await rooms.store.conversations(of: rooms.account.id, limit: 10, before: nil).count == 2)
            for answer in [first, second] { _ = await rooms.runs.stop(answer.id) }
        }
    }

    @Test("S15 a context that does not fit is refused, or cut by an event that everybody sees")
    func contextFit() async throws {
        let cutting = ScriptedModel(fit: { _ in .cut(droppedTurns: 2) }) { _ in
            [.piece(.text("ok")), .end(.finished(.complete))]
        }
        try await withHouse(cutting) { rooms in
            let seen = try await rooms.follow(try await rooms.ask("Hello").id)
            #expect(seen.droppedTurns == 2)
        }
        let refusing = ScriptedModel(fit: { _ in .tooLarge }) { _ in [] }
        try await withHouse(refusing) { rooms in
            let seen = try await rooms.follow(try await rooms.ask("Hello").id)
            #expect(seen.state.end == Event.End(.refused, .contextTooLarge))
            #expect(refusing.requests.isEmpty)
        }
    }

    @Test("S31 draining lets running answers finish and ends what waits")
    func draining() async throws {
        let finish = Gate()
        let begun = Gate()
        let model = ScriptedModel(capacity: 1) { _ in
            begun.open()
            return [.piece(.text("all")), .wait(finish), .piece(.text(" of it")), .end(.finished(.complete))]
        }
        try await withHouse(model) { rooms in
            let running = try await rooms.ask("running")
            let waiting = try await rooms.ask("waiting")
            await begun.pass()
            async let drained: Void = rooms.runs.drain(within: .seconds(30))
            let told = try await rooms.follow(waiting.id)
            #expect(told.state.end == Event.End(.interrupted, .serverStopped))
            await #expect(throws: Problem.self) { _ = try await rooms.ask("too late") }
            finish.open()
            await drained
            let stored = try await rooms.stored(running.id)
            #expect(ContentPart.text(of: stored.content) == "all of it")
        }
    }

    @Test("S31 what does not finish within the time is interrupted with its text")
    func drainingTooLong() async throws {
        let never = Gate()
        let model = ScriptedModel { _ in [.piece(.text("half")), .wait(never)] }
        try await withHouse(model) { rooms in
            let answer = try await rooms.ask("Hello")
            while rooms.eventLog.live(answer.id)?.numbered.text != "half" { await Task.yield() }
            await rooms.runs.drain(within: .milliseconds(20))
            let stored = try await rooms.stored(answer.id)
            #expect(stored.end == Event.End(.interrupted, .serverStopped))
            #expect(ContentPart.text(of: stored.content) == "half")
        }
    }
}
