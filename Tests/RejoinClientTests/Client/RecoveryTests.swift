import RejoinCore
import RejoinTestKit
import Testing

@testable import RejoinClient

@Suite(.timeLimit(.minutes(1))) struct RecoveryTests {
    @Test("A04 what is shown is in the store within one flush interval, and not a flush for each piece")
    func flushInterval() async throws {
        try await Household.open(timePasses: false) { house in
            let sent = try await house.phone.chat.send("one two three four", in: nil)
            try await house.runs(1)
            try await house.server.say(sent.answer, 2)
            try await house.see("one two ", sent.answer)
            #expect(try await house.phone.answer(sent.answer)?.answer.text == "")
            try await eventually("the flush waits") { house.phone.chat.fullWake.waiting == 1 }
            house.clock.advance(by: .milliseconds(249))
            #expect(try await house.phone.answer(sent.answer)?.answer.text == "")
            house.clock.advance(by: .milliseconds(1))
            try await eventually("flushed") {
                try await house.phone.answer(sent.answer)?.answer.text == "one two "
            }
            // The end does not wait.
            try await house.server.sayAll()
            try await house.end(of: sent.answer)
        }
    }

    @Test("A04 a kilobyte does not wait for the interval")
    func flushBytes() async throws {
        try await Household.open(timePasses: false, script: { _ in [.text(String(repeating: "a", count: 1024))] }) {
            house in
            let sent = try await house.phone.chat.send("x", in: nil)
            try await house.runs(1)
            try await house.server.sayAll()
            try await eventually("flushed") {
                try await house.phone.answer(sent.answer)?.answer.text.count == 1024
            }
        }
    }

    @Test("A05 A07 A18 A25 a drop keeps the text, marked interrupted, and the rest comes from the cursor on")
    func drop() async throws {
        try await Household.open { house in
            let sent = try await house.ask("one two three four")
            try await house.server.say(sent.answer, 2)
            try await house.see("one two ", sent.answer)
            house.phone.link.setDown(true)
            try await eventually("interrupted") { try await house.phone.answer(sent.answer)?.local == .interrupted }
            #expect(try await house.phone.shown(sent.conversation) == ["one two three four", "one two "])
            try await house.server.say(sent.answer, 1)
            house.phone.link.setDown(false)
            try await house.see("one two three ", sent.answer)
            try await eventually("streaming") { try await house.phone.answer(sent.answer)?.local == .streaming }
            try await house.server.sayAll()
            #expect(try await house.end(of: sent.answer).answer.state.end?.state == .done)
            let reads = house.server.read { $0.requests.filter { $0.contains("/events") } }
            #expect(reads.allSatisfy { $0.hasSuffix("events?after=2") } && !reads.isEmpty)
            #expect(house.server.read { $0.runs.count } == 1)
        }
    }

    @Test("A07 each end is stored as it was said, the limit with its reset")
    func ends() async throws {
        let resetsAt = Timestamp(milliseconds: 1_800_000_900_000)
        let ends: [String: Event.End] = [
            "done": .init(.done, .complete), "failed": .init(.failed, .upstreamFailed),
            "refused": .init(.refused, .limitReached, resetsAt: resetsAt),
            "interrupted": .init(.interrupted, .serverCrashed), "stopped": .init(.stopped, .stoppedByPerson),
        ]
        try await Household.open(script: { [.text("words"), .end(ends[$0] ?? .init(.failed, .internalError))] }) {
            house in
            for (prompt, end) in ends {
                let sent = try await house.phone.chat.send(prompt, in: nil)
                try await eventually("it runs") { house.server.read { $0.runs.contains(sent.answer) } }
                try await house.server.sayAll()
                let stored = try await house.end(of: sent.answer)
                #expect(stored.answer.state == .ended(end) && stored.local == .none)
                #expect(stored.answer.text == "words")
            }
        }
    }

    @Test("A08 A19 what streamed when the process died is interrupted at launch, taken up once, and completes")
    func launch() async throws {
        let folder = try Folder()
        let clock = ManualClock()
        let server = try await AccountServer(now: { clock.wall })
        try await clock.running {
            let before = try await Device(server, clock: clock, seed: 1, folder: folder.path)
            before.start()
            let sent = try await before.chat.send("one two three", in: nil)
            try await eventually("it runs") { server.read { $0.runs.count } == 1 }
            try await server.say(sent.answer, 1)
            try await eventually("flushed") { try await before.answer(sent.answer)?.answer.text == "one " }
            await before.kill()
            try await server.sayAll()
            let after = try await Device(server, clock: clock, seed: 2, folder: folder.path)
            #expect(try await after.answer(sent.answer)?.local == .streaming)
            let reads = server.count("GET /v1/answers/\(sent.answer)/events")
            after.start()
            try await eventually("whole") { try await after.answer(sent.answer)?.answer.state.end != nil }
            #expect(try await after.shown(sent.conversation) == ["one two three", "one two three "])
            #expect(server.count("GET /v1/answers/\(sent.answer)/events") == reads + 1)
            #expect(server.read { $0.runs.count } == 1)
            await after.close()
        }
    }

    @Test("A90 a session of every kind of act leaves no task, no line and no listener behind")
    func session() async throws {
        // The household counts what is left once the devices have closed.
        try await Household.open(devices: 2) { house in
            let chat = house.phone.chat
            let sent = try await house.ask("one two three")
            #expect(chat.diagnostics != ConversationClient.Diagnostics())
            house.phone.link.breakLines()
            try await chat.stop(sent.answer)
            try await house.end(of: sent.answer)
            let again = try await chat.regenerate(sent.turn)
            try await house.runs(2)
            chat.enterBackground()
            chat.enterForeground()
            try await house.server.sayAll()
            try await house.end(of: again)
            let edited = try await chat.edit(sent.turn, [.text("four five")])
            try await house.runs(3)
            try await house.server.sayAll()
            try await house.end(of: edited.answer)
            try await chat.select(again)
            try await chat.rename(sent.conversation, to: "Numbers")
            try await house.settle()
            try await house.settle(house.laptop)
            try await chat.delete(sent.conversation)
            try await house.settle()
        }
    }

    @Test("A17 in the background the lines close without a failure, and coming back goes on by itself")
    func background() async throws {
        try await Household.open { house in
            let sent = try await house.ask("one two three")
            try await house.server.say(sent.answer, 1)
            try await house.see("one ", sent.answer)
            house.phone.chat.enterBackground()
            try await eventually("quiet") {
                let isQuiet = house.phone.chat.diagnostics.followed == 0
                return try await house.phone.answer(sent.answer)?.answer.text == "one " && isQuiet
            }
            let stored = try await house.phone.answer(sent.answer)
            #expect(stored?.answer.state.end == nil && stored?.local == .streaming)
            #expect(house.phone.chat.connection == .online)
            try await house.server.sayAll()
            house.phone.chat.enterForeground()
            #expect(try await house.end(of: sent.answer).answer.text == "one two three ")
            #expect(house.server.read { $0.stops }.isEmpty && house.server.read { $0.runs.count } == 1)
        }
    }

    @Test("A20 an answer that the server does not have stays interrupted, and only a person tries again")
    func unknownAnswer() async throws {
        try await Household.open { house in
            let sent = try await house.ask("one two")
            try await house.server.say(sent.answer, 1)
            try await house.see("one ", sent.answer)
            house.server.change {
                $0.refusal = { $0.url.contains("/answers/") ? .problem(Problem(.notFound, "")) : nil }
            }
            house.phone.link.breakLines()
            try await eventually("given up") { house.phone.chat.diagnostics.followed == 0 }
            let stored = try #require(try await house.phone.answer(sent.answer))
            #expect(stored.local == .interrupted && stored.answer.text == "one ")
            #expect(house.server.read { $0.runs.count } == 1)
            house.server.change { $0.refusal = nil }
            let again = try await house.phone.chat.retry(sent.turn)
            #expect(again != sent.answer)
            try await house.runs(2)
            try await house.server.say(again)
            try await house.end(of: again)
            #expect(try await house.phone.shown(sent.conversation) == ["one two", "one two "])
        }
    }

    @Test("A21 an old cursor on a log that is gone gets the whole, and the text is never blanked")
    func oldCursor() async throws {
        try await Household.open { house in
            let sent = try await house.ask("one two three")
            try await house.server.say(sent.answer, 1)
            try await house.see("one ", sent.answer)
            house.phone.link.setDown(true)
            try await house.server.sayAll()
            try await house.server.compact()
            let isOver = Flag()
            async let blanks = house.blanks(sent, until: isOver)
            house.phone.link.setDown(false)
            let stored = try await house.end(of: sent.answer)
            isOver.set()
            #expect(try await blanks == 0)
            #expect(stored.answer.text == "one two three ")
        }
    }

    @Test("A26 text that is taken back goes from the screen and from the store")
    func withdrawn() async throws {
        try await Household.open(script: { _ in
            [.text("secret "), .withdrawn(reason: "safety"), .end(.init(.refused, .contentFilter))]
        }) { house in
            let sent = try await house.ask("x")
            try await house.server.say(sent.answer, 1)
            try await house.see("secret ", sent.answer)
            try await house.server.sayAll()
            let stored = try await house.end(of: sent.answer)
            #expect(stored.answer.text.isEmpty && stored.answer.withdrawal == "safety")
            #expect(stored.local == .withdrawn(reason: "safety"))
            #expect(try await house.phone.chat.search("secret").isEmpty)
        }
    }

    @Test("A26 A21 text that was taken back stays so where only a snapshot tells of it")
    func withdrawnInSnapshot() async throws {
        try await Household.open(
            devices: 2,
            script: { _ in
                [.text("secret "), .withdrawn(reason: "safety"), .end(.init(.refused, .contentFilter))]
            }
        ) { house in
            let sent = try await house.ask("x")
            try await house.server.say(sent.answer, 1)
            try await house.see("secret ", sent.answer)
            // It is taken back, and the log is dropped, while the one is away and the other has never seen it.
            house.phone.link.setDown(true)
            try await house.server.sayAll()
            try await house.server.compact()
            house.phone.link.setDown(false)
            try await house.laptop.chat.open(sent.conversation)
            for device in house.devices {
                let stored = try await house.end(of: sent.answer, on: device)
                #expect(stored.answer.text.isEmpty && stored.answer.withdrawal == "safety")
                #expect(AnswerPhase(stored, delivery: .delivered) == .withdrawn(reason: "safety"))
                #expect(try await device.chat.search("secret").isEmpty)
            }
        }
    }

    @Test("A24 without a network nothing is tried, and its return is enough to go on")
    func reachability() async throws {
        try await Household.open { house in
            let sent = try await house.ask("one two")
            house.phone.reachability.set(isReachable: false)
            house.phone.link.setDown(true)
            try await eventually("offline") {
                if case .offline = house.phone.chat.connection { true } else { false }
            }
            // What was under way ends, and then nothing more is tried for longer than any wait between two tries.
            var quiet = (operations: -1, since: Int64.max)
            try await eventually("nothing is tried") {
                let (now, operations) = (house.clock.wall.milliseconds, house.phone.link.operations)
                if operations != quiet.operations { quiet = (operations, now) }
                return now - quiet.since > 50_000
            }
            try await house.server.sayAll()
            house.phone.link.setDown(false)
            house.phone.reachability.set(isReachable: true)
            try await house.end(of: sent.answer)
            try await eventually("online") { house.phone.chat.connection == .online }
        }
    }

    @Test("A24 a device that is signed out elsewhere says so, and loses nothing")
    func revoked() async throws {
        try await Household.open(configure: { $0.offlinePolicy = .queue(expiry: .seconds(100_000)) }) { house in
            let sent = try await house.ask("one two")
            try await house.server.say(sent.answer, 1)
            try await house.see("one ", sent.answer)
            house.server.change { _ = $0.revoked.insert("Bearer t1") }
            house.phone.link.breakLines()
            try await eventually("signed out") { house.phone.chat.connection == .signedOut }
            try await eventually("quiet") { house.phone.chat.diagnostics.followed == 0 }
            #expect(try await house.phone.shown(sent.conversation) == ["one two", "one "])
            await #expect(throws: ClientRefusal(.unauthenticated)) {
                try await house.phone.chat.send("more", in: nil)
            }
            try await house.phone.chat.rename(sent.conversation, to: "Mine")
            let before = house.phone.link.operations
            try await eventually("a long time") { house.clock.wall.milliseconds > 1_800_000_060_000 }
            #expect(house.phone.link.operations == before)
            #expect(try await house.phone.store.outbox().map(\.kind) == [.rename("Mine")])
        }
    }

    @Test("A62 the model that answers, and a change of it, is an event that is shown")
    func model() async throws {
        try await Household.open(script: { _ in
            [
                .model(.init("big", placement: .provider)), .text("a"),
                .model(.init("small", placement: .server, reason: "limit")), .text("b"),
                .end(.init(.done, .complete)),
            ]
        }) { house in
            let sent = try await house.ask("x")
            try await house.server.say(sent.answer, 2)
            try await eventually("big") { house.phone.chat.live(sent.answer)?.model?.model == "big" }
            try await house.server.sayAll()
            #expect(try await house.end(of: sent.answer).answer.model?.model == "small")
        }
    }
}

extension Household {
    /// Counts how often the shown text is empty until something is over.
    func blanks(_ sent: ConversationClient.Sent, until isOver: Flag) async throws -> Int {
        var blanks = 0
        while !isOver.isSet {
            if try await phone.shown(sent.conversation).last?.isEmpty ?? true { blanks += 1 }
            await Task.yield()
        }
        return blanks
    }
}
