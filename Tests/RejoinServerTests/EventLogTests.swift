import RejoinCore
import RejoinServer
import Synchronization
import TestSupport
import Testing

@Suite struct EventLogTests {
    private let clock = ManualClock()

    /// A log over a memory store with one admitted answer, its committer running until the body returns.
    private func withLog(
        _ policy: EventLog.Policy = .init(),
        _ body: (EventLog, MemoryStore, AnswerLog) async throws -> Void
    ) async throws {
        let store = MemoryStore { _, _ in }
        let answer = try await Fixture.admit(in: store, clock.surroundings)
        let eventLog = EventLog(store: store, surroundings: Surroundings.system, policy: policy)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await eventLog.run() }
            try await body(eventLog, store, eventLog.open(Answer(id: answer.id, turn: answer.turn)))
            group.cancelAll()
        }
    }

    private func events(_ bytes: [UInt8]) -> [NumberedEvent] {
        var parser = EventStreamParser()
        var events: [NumberedEvent] = []
        parser.feed(bytes) { event in if let numbered = NumberedEvent(event) { events.append(numbered) } }
        return events
    }

    private func readAll(_ follower: inout LogFollower) async throws -> [NumberedEvent] {
        var all: [NumberedEvent] = []
        while let bytes = try await follower.next() { all += events(bytes) }
        return all
    }

    @Test("S04 nothing is readable before the store has it")
    func durableFirst() async throws {
        let store = MemoryStore { _, _ in }
        let answer = try await Fixture.admit(in: store, clock.surroundings)
        // Without its committer running, nothing is ever committed.
        let eventLog = EventLog(store: store, surroundings: clock.surroundings)
        let log = eventLog.open(Answer(id: answer.id, turn: answer.turn))
        await log.append(.text("unseen"), at: .zero)
        #expect(log.numbered.text == "unseen")
        #expect(log.read(after: 0, maximumBytes: 1000) == .upToDate)
    }

    @Test("S03 a follower from any cursor gets exactly what follows, from memory and from the store")
    func everyCursor() async throws {
        try await withLog { eventLog, store, log in
            for number in 1...40 { await log.append(.text("piece \(number) "), at: .seconds(number)) }
            log.finish(Event.End(.done, .complete), usage: nil, at: .seconds(41))
            await log.waitForEnd()
            let whole = log.numbered
            for cursor in 0...whole.seq {
                var follower = LogFollower(answer: log.answer, cursor: cursor, eventLog: eventLog, store: store)
                let seen = try await readAll(&follower).map(\.seq)
                #expect(seen == Array((cursor + 1)...(whole.seq + 1)).dropLast())
            }
        }
    }

    @Test("S11 text that comes fast is joined; text that comes slowly is not held back")
    func joining() async throws {
        try await withLog { _, _, log in
            await log.append(.text("a"), at: .milliseconds(100))
            await log.append(.text("b"), at: .milliseconds(105))
            await log.append(.text("c"), at: .milliseconds(110))
            await log.append(.text("d"), at: .milliseconds(200))
            await log.append(.text("e"), at: .milliseconds(300))
            log.finish(Event.End(.done, .complete), usage: nil, at: .milliseconds(310))
            await log.waitForEnd()
            guard case .events(let bytes, _) = log.read(after: 0, maximumBytes: 1000) else {
                Issue.record("nothing to read")
                return
            }
            let pieces = events(bytes).compactMap { if case .text(let text) = $0.event { text } else { nil } }
            #expect(pieces.first == "a" && pieces.joined() == "abcde")
            #expect(pieces.count < 5)
        }
    }

    @Test("S11 a follower that falls behind what memory holds goes on from the store without loss")
    func slowFollower() async throws {
        var policy = EventLog.Policy()
        policy.tailBytes = 400
        policy.readBytes = 200
        try await withLog(policy) { eventLog, store, log in
            var follower = LogFollower(answer: log.answer, cursor: 0, eventLog: eventLog, store: store)
            for number in 1...100 { await log.append(.text("piece \(number) "), at: .seconds(number)) }
            log.finish(Event.End(.done, .complete), usage: nil, at: .seconds(101))
            await log.waitForEnd()
            let seen = try await readAll(&follower)
            var answer = Answer(id: log.answer, turn: log.numbered.turn)
            for event in seen { #expect(answer.apply(event) == .applied) }
            #expect(answer == log.numbered)
        }
    }

    @Test("S05 after the end nothing is taken, and a second end changes nothing")
    func fence() async throws {
        try await withLog { _, _, log in
            await log.append(.text("kept"), at: .zero)
            #expect(log.finish(Event.End(.stopped, .stoppedByPerson), usage: nil, at: .zero))
            #expect(await log.append(.text("late"), at: .zero) == false)
            #expect(log.finish(Event.End(.done, .complete), usage: nil, at: .zero) == false)
            await log.waitForEnd()
            #expect(log.numbered.text == "kept")
            #expect(log.numbered.state.end?.state == .stopped)
        }
    }

    @Test("S18 a conversation that is deleted while its answer is being committed ends the log, and nothing else")
    func deletedDuringCommit() async throws {
        let memory = MemoryStore { _, _ in }
        let answer = try await Fixture.admit(in: memory, clock.surroundings)
        let held = HeldStore(memory)
        let eventLog = EventLog(store: held, surroundings: .system)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await eventLog.run() }
            let log = eventLog.open(Answer(id: answer.id, turn: answer.turn))
            await log.append(.text("one "), at: .zero)
            await held.isCommitting.pass()
            eventLog.abandon(answer.id)
            held.mayGoOn.open()
            while eventLog.statistics.commits < 1 { await Task.yield() }
            #expect(log.read(after: 0, maximumBytes: 1000) == .deleted)
            group.cancelAll()
        }
    }

    @Test("S28 a store that fails for a while loses nothing and shows nothing early")
    func failingStore() async throws {
        let memory = MemoryStore { _, _ in }
        let answer = try await Fixture.admit(in: memory, clock.surroundings)
        let failing = FailingStore(memory)
        var policy = EventLog.Policy()
        policy.retry = .milliseconds(5)
        let eventLog = EventLog(store: failing, surroundings: .system, policy: policy)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await eventLog.run() }
            let log = eventLog.open(Answer(id: answer.id, turn: answer.turn))
            failing.fail(StoreFailure(.full, detail: "test"))
            await log.append(.text("one "), at: .zero)
            await failing.waitForFailures(3)
            #expect(log.read(after: 0, maximumBytes: 1000) == .upToDate)
            await log.append(.text("two"), at: .seconds(1))
            failing.fail(nil)
            log.finish(Event.End(.done, .complete), usage: nil, at: .seconds(2))
            await log.waitForEnd()
            var follower = LogFollower(answer: answer.id, cursor: 0, eventLog: eventLog, store: memory)
            let seen = try await readAll(&follower)
            #expect(seen.map(\.seq) == Array(1...seen.count))
            #expect(log.numbered.text == "one two")
            group.cancelAll()
        }
    }

    @Test("S03 what was appended before a shutdown is committed by it")
    func shutdown() async throws {
        let store = MemoryStore { _, _ in }
        let answer = try await Fixture.admit(in: store, clock.surroundings)
        let eventLog = EventLog(store: store, surroundings: .system)
        let log = eventLog.open(Answer(id: answer.id, turn: answer.turn))
        await log.append(.text("first"), at: .zero)
        await log.append(.text(" joined"), at: .zero)
        let committer = Task { await eventLog.run() }
        committer.cancel()
        await committer.value
        guard case .events(let bytes, _, _, _) = try await store.log(of: answer.id, after: 0, maximumBytes: 1000) else {
            Issue.record("nothing in the store")
            return
        }
        #expect(events(bytes).count == 2)
    }
}

/// A store whose first commit takes as long as a test wants.
private final class HeldStore: LogStore {
    let isCommitting = Gate()
    let mayGoOn = Gate()
    private let store: any LogStore

    init(_ store: any LogStore) { self.store = store }

    func append(_ entries: [LogEntry]) async throws -> [AnswerID] {
        isCommitting.open()
        await mayGoOn.pass()
        return try await store.append(entries)
    }

    func log(of answer: AnswerID, after seq: Int, maximumBytes: Int) async throws -> LogPage {
        try await store.log(of: answer, after: seq, maximumBytes: maximumBytes)
    }
}

/// A store whose appends fail for as long as a test wants.
private final class FailingStore: LogStore {
    private let store: any LogStore
    private let state = Mutex((failure: StoreFailure?.none, count: 0))

    init(_ store: any LogStore) { self.store = store }

    func fail(_ failure: StoreFailure?) { state.withLock { $0.failure = failure } }

    func waitForFailures(_ count: Int) async { while state.withLock({ $0.count < count }) { await Task.yield() } }

    func append(_ entries: [LogEntry]) async throws -> [AnswerID] {
        let failure = state.withLock { state in
            if state.failure != nil { state.count += 1 }
            return state.failure
        }
        if let failure { throw failure }
        return try await store.append(entries)
    }

    func log(of answer: AnswerID, after seq: Int, maximumBytes: Int) async throws -> LogPage {
        try await store.log(of: answer, after: seq, maximumBytes: maximumBytes)
    }
}
