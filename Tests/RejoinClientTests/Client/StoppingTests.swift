import RejoinCore
import RejoinTestKit
import Synchronization
import Testing

@testable import RejoinClient

@Suite(.timeLimit(.minutes(1))) struct StoppingTests {
    @Test("A11 A12 stop is a request of its own; what was shown stays, and survives a restart of the client")
    func stop() async throws {
        try await Household.open { house in
            let sent = try await house.ask("one two three")
            try await house.server.say(sent.answer, 2)
            try await house.see("one two ", sent.answer)
            try await house.phone.chat.stop(sent.answer)
            try await eventually("told") { house.server.read { $0.stops } == [sent.answer] }
            let stored = try await house.end(of: sent.answer)
            #expect(stored.answer.text == "one two ")
            #expect(stored.answer.state.end?.state == .stopped)
            #expect(try await house.phone.shown(sent.conversation) == ["one two three", "one two "])
        }
    }

    @Test("A11 a line that closes is no stop: the answer goes on, and the rest of it comes")
    func closing() async throws {
        try await Household.open { house in
            let sent = try await house.ask("one two three")
            try await house.server.say(sent.answer, 1)
            try await house.see("one ", sent.answer)
            house.phone.link.breakLines()
            await house.phone.stop()
            #expect(house.server.read { $0.stops }.isEmpty)
            try await house.server.sayAll()
            house.phone.start()
            #expect(try await house.end(of: sent.answer).answer.text == "one two three ")
        }
    }

    @Test("A13 A14 a stop without a connection counts at once here, is told once, and later text only extends")
    func offline() async throws {
        try await Household.open { house in
            let sent = try await house.ask("one two three four")
            try await house.server.say(sent.answer, 1)
            try await house.see("one ", sent.answer)
            house.phone.link.setDown(true)
            try await house.phone.chat.stop(sent.answer)
            try await house.phone.chat.stop(sent.answer)
            #expect(try await house.phone.answer(sent.answer)?.local == .stopRequested)
            // The model says more before the stop reaches it.
            try await house.server.say(sent.answer, 2)
            #expect(try await house.phone.shown(sent.conversation) == ["one two three four", "one "])
            house.phone.link.setDown(false)
            let stored = try await house.end(of: sent.answer)
            #expect(stored.answer.state.end?.state == .stopped)
            #expect(stored.answer.text == "one two three ")
            try await house.settle()
            #expect(house.server.read { $0.stops } == [sent.answer])
        }
    }

    @Test("A16 stop twice, after the end, or of nothing at all is harmless")
    func harmless() async throws {
        try await Household.open { house in
            let sent = try await house.ask("one two")
            try await house.server.sayAll()
            let whole = try await house.end(of: sent.answer)
            try await house.phone.chat.stop(sent.answer)
            try await house.phone.chat.stop(ID(high: 1, low: 1))
            try await house.settle()
            #expect(try await house.phone.answer(sent.answer) == whole)
            #expect(house.server.read { $0.stops }.isEmpty)
        }
    }

    @Test("A16 a stop before anything left takes the prompt back into the draft")
    func beforeSending() async throws {
        try await Household.open(starts: false) { house in
            let sent = try await house.phone.chat.send("one", in: nil)
            try await house.phone.chat.stop(sent.answer)
            #expect(try await house.phone.store.outbox().isEmpty)
            #expect(try await house.phone.chat.draft(for: nil)?.text == "one")
            #expect(try await house.phone.chat.list().isEmpty)
            house.phone.start()
            try await house.settle()
            #expect(house.server.read { $0.runs }.isEmpty)
        }
    }

    @Test("A16 a stop while the prompt is on its way is told after it")
    func whileSending() async throws {
        try await Household.open { house in
            try await house.settle()
            house.phone.link.set { $0.repliesToLose = 2 }
            let sent = try await house.phone.chat.send("one two", in: nil)
            try await house.runs(1)
            try await house.phone.chat.stop(sent.answer)
            let stored = try await house.end(of: sent.answer)
            #expect(stored.answer.state.end?.state == .stopped)
            #expect(house.server.read { $0.stops } == [sent.answer])
            #expect(house.server.read { $0.runs } == [sent.answer])
            try await house.settle()
        }
    }

    @Test("A60 A16 a stop goes with the prompt that the server refused, and does not meet the next attempt")
    func refusedAfterStop() async throws {
        try await Household.open { house in
            try await house.settle()
            let isHeld = Mutex(true)
            house.server.change {
                $0.refusal = { request in
                    guard request.method == "PUT", request.url.contains("/turns/") else { return nil }
                    let document = #"{"type":"/problems/limit-reached","title":"","status":429,"detail":""}"#
                    return isHeld.withLock { $0 } ? .json("{}", status: 503) : .json(document, status: 429)
                }
            }
            let sent = try await house.phone.chat.send("one two", in: nil)
            try await eventually("tried") { house.server.count("PUT /v1/conversations") > 0 }
            try await house.phone.chat.stop(sent.answer)
            isHeld.withLock { $0 = false }
            try await eventually("refused, or taken back") {
                guard let turn = try await house.phone.store.turn(sent.turn) else { return true }
                return turn.delivery.isDead
            }
            house.server.change { $0.refusal = nil }
            let turn = try #require(try await house.phone.store.turn(sent.turn), "the stop took the prompt back")
            #expect(turn.delivery.isDead)
            #expect(try await house.phone.answer(sent.answer)?.local == LocalState.none)
            #expect(try await house.phone.store.outbox().isEmpty)
            #expect(try await house.phone.chat.retry(sent.turn) == sent.answer)
            try await house.runs(1)
            try await house.server.sayAll()
            let stored = try await house.end(of: sent.answer)
            #expect(stored.answer.state.end?.state == .done)
            #expect(house.server.read { $0.stops }.isEmpty)
            try await house.settle()
        }
    }

    @Test("A13 a stop during a replay keeps what was shown")
    func duringReplay() async throws {
        try await Household.open { house in
            let sent = try await house.ask("one two three four five")
            try await house.server.say(sent.answer, 3)
            try await house.see("one two three ", sent.answer)
            house.phone.link.setDown(true)
            try await eventually("interrupted") {
                try await house.phone.answer(sent.answer)?.local == .interrupted
            }
            try await house.server.say(sent.answer, 1)
            house.phone.link.setDown(false)
            try await house.phone.chat.stop(sent.answer)
            let stored = try await house.end(of: sent.answer)
            #expect(stored.answer.text.hasPrefix("one two three "))
            #expect(stored.answer.state.end?.state == .stopped)
            try await house.settle()
        }
    }

    @Test("A13 A89 an answer that was stopped before its line came about ends as it does on the server")
    func beforeItsLine() async throws {
        try await Household.open { house in
            let sent = try await house.ask("one two")
            try await house.server.sayAll()
            try await house.settle()
            await house.phone.stop()
            let other = try await house.phone.chat.regenerate(sent.turn)
            try await house.phone.chat.stop(other)
            // For a while nobody tells how it ended, but for the line, whose words are not shown any more.
            house.server.change { $0.refusal = Self.refusing(other) }
            house.phone.start()
            try await eventually("told") { house.server.read { $0.stops } == [other] }
            try await eventually("asked") { house.server.count("GET /v1/answers/\(other)") > 4 }
            #expect(try await house.phone.answer(other)?.local == .stopRequested)
            house.server.change { $0.refusal = nil }
            let stored = try await house.end(of: other)
            #expect(stored.answer.state.end?.state == .stopped)
            #expect(stored.answer.seq == 1)
            try await house.settle()
        }
    }

    @Test("A13 A89 how a stopped answer ended is asked until it is known, also after a restart")
    func asksUntilKnown() async throws {
        try await Household.open { house in
            let sent = try await house.ask("one two")
            try await house.server.say(sent.answer, 1)
            try await house.see("one ", sent.answer)
            await house.phone.stop()
            // As a kill leaves it that came when the stop had been told, and its end been heard of.
            try await house.phone.store.requestStop(sent.answer, at: house.clock.wall)
            for entry in try await house.phone.store.outbox() { try await house.phone.store.finish(entry.number) }
            try await house.server.sayAll()
            let newest = try await house.server.newestCursor
            try await house.phone.store.setSyncState(SyncState(cursor: newest, listedAt: house.clock.wall))
            house.server.change { $0.refusal = Self.refusing(sent.answer) }
            house.phone.start()
            try await eventually("asked") { house.server.count("GET /v1/answers/\(sent.answer)") > 6 }
            house.server.change { $0.refusal = nil }
            #expect(try await house.end(of: sent.answer).answer.text == "one two ")
            try await house.settle()
        }
    }

    @Test("A08 A89 an answer that streamed when the app went to sleep is taken up, even if the feed told of its end")
    func asleep() async throws {
        try await Household.open { house in
            let sent = try await house.ask("one two")
            try await house.server.say(sent.answer, 1)
            try await house.see("one ", sent.answer)
            house.phone.chat.enterBackground()
            try await eventually("asleep") { house.phone.chat.diagnostics.followed == 0 }
            try await house.server.sayAll()
            let newest = try await house.server.newestCursor
            try await house.phone.store.setSyncState(SyncState(cursor: newest, listedAt: house.clock.wall))
            house.phone.chat.enterForeground()
            #expect(try await house.end(of: sent.answer).answer.text == "one two ")
            try await house.settle()
        }
    }

    /// Does not tell how an answer ended; its line goes on.
    private static func refusing(_ answer: AnswerID) -> @Sendable (TransportRequest) -> TransportReply? {
        { request in
            guard request.method == "GET", request.url.hasSuffix("/v1/answers/\(answer)") else { return nil }
            return .problem(Problem(.temporarilyUnavailable, "busy"))
        }
    }

    @Test("A39 a deletion stops what is being written first, and late words change nothing")
    func deletion() async throws {
        try await Household.open(devices: 2) { house in
            let sent = try await house.ask("one two three")
            try await house.server.say(sent.answer, 1)
            try await house.see("one ", sent.answer)
            try await house.phone.chat.delete(sent.conversation)
            #expect(try await house.phone.chat.tree(sent.conversation) == nil)
            try await house.settle()
            let requests = house.server.read { $0.requests }
            let stop = try #require(requests.firstIndex { $0.hasPrefix("POST") })
            let deletion = try #require(requests.firstIndex { $0.hasPrefix("DELETE") })
            #expect(stop < deletion)
            try await house.settle(house.laptop)
            #expect(try await house.laptop.chat.list().isEmpty)
            await #expect(throws: ClientRefusal(.deleted)) {
                try await house.phone.chat.send("more", in: sent.conversation)
            }
        }
    }
}
