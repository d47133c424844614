import RejoinCore
import RejoinTestKit
import Testing

@testable import RejoinClient

@Suite(.timeLimit(.minutes(1))) struct ConnectionMachineTests {
    static func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    @Test("A24 one broken moment is a reconnection; only failures that go on are an absent network")
    func patience() {
        var machine = ConnectionMachine()
        #expect(machine.state == .reconnecting(attempt: 0))
        machine.noteAnswer()
        #expect(machine.state == .online)
        for attempt in 1...9 {
            machine.noteFailure(at: Self.at(100))
            #expect(machine.state == .reconnecting(attempt: attempt))
        }
        machine.noteFailure(at: Self.at(1100))
        #expect(machine.state == .offline(since: Self.at(100)))
        #expect(machine.mayTry)
        machine.noteAnswer()
        #expect(machine.state == .online)
    }

    @Test("A24 a network that the system says is gone is not tried until it says otherwise")
    func hints() {
        var machine = ConnectionMachine()
        machine.noteHint(false, at: Self.at(5))
        #expect(machine.state == .offline(since: Self.at(5)) && !machine.mayTry)
        machine.noteAnswer()
        #expect(!machine.mayTry)
        machine.noteHint(true, at: Self.at(9))
        #expect(machine.state == .reconnecting(attempt: 0) && machine.mayTry)
    }

    @Test func `a device that was signed out stays so`() {
        var machine = ConnectionMachine()
        machine.noteSignOut()
        machine.noteAnswer()
        machine.noteFailure(at: Self.at(1))
        machine.noteHint(true, at: Self.at(2))
        #expect(machine.state == .signedOut && !machine.mayTry)
    }

    @Test func `updates are a set for each listener, and one that leaves is forgotten`() async {
        let hub = UpdateHub()
        do {
            var first = hub.updates().makeAsyncIterator()
            var second = hub.updates().makeAsyncIterator()
            #expect(hub.count == 2)
            for _ in 0..<1000 { hub.post([.list, .connection, .list]) }
            #expect(await first.next() == .list)
            #expect(await first.next() == .connection)
            hub.post(.limits)
            #expect(await first.next() == .limits)
            #expect(await second.next() == .list)
        }
        #expect(hub.count == 0)
        let stream = hub.updates()
        let reader = Task { for await _ in stream {} }
        reader.cancel()
        await reader.value
        #expect(hub.count <= 1)
    }

    @Test func `a call that comes before the wait is not missed, and a wait ends by itself`() async throws {
        let (wake, clock) = (WakeUp(), ManualClock())
        let seen = wake.count
        wake.call()
        try await wake.wait(beyond: seen, clock: clock)
        async let waited: Void = wake.wait(beyond: wake.count, atMost: .seconds(5), clock: clock)
        try await eventually("it waits") { clock.sleepers == 1 }
        clock.advance(by: .seconds(5))
        try await waited
        let task = Task { try await wake.wait(beyond: wake.count, clock: clock) }
        try await eventually("it waits") { wake.waiting == 1 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(wake.waiting == 0)
    }

    @Test func `a gate lets one through at a time, in order`() async {
        let gate = Gate()
        let inside = Counter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    await gate.pass {
                        #expect(await inside.enter() == 1)
                        await Task.yield()
                        await inside.leave()
                    }
                }
            }
        }
        #expect(await inside.total == 50)
    }

    @Test("A13 A22 live words apply once, a sealed answer takes no more, and what is drained is in order")
    func live() {
        let live = LiveAnswers()
        let id: AnswerID = ID(high: 3, low: 1)
        let conversation: ConversationID = ID(high: 1, low: 1)
        live.begin(Answer(id: id, turn: ID(high: 2, low: 1)), in: conversation)
        let log = numbered([.text("a"), .text("b"), .text("c")])
        #expect(live.take(Array(log[0...1]), of: id, flushBytes: 100) == .shown(isFull: false))
        #expect(live.take(Array(log[0...1]), of: id, flushBytes: 100) == .shown(isFull: false))
        #expect(live.drain().flatMap(\.events) == Array(log[0...1]))
        #expect(live.drain().isEmpty)
        live.seal(id)
        #expect(live.take(Array(log[2...2]), of: id, flushBytes: 100) == .unwanted)
        #expect(live.fold(id)?.text == "ab")
        live.end(id)
        #expect(live.count == 0)
        #expect(live.take(log, of: id, flushBytes: 1) == .unwanted)
    }
}

private actor Counter {
    private var inside = 0
    private(set) var total = 0

    func enter() -> Int {
        inside += 1
        total += 1
        return inside
    }

    func leave() { inside -= 1 }
}
