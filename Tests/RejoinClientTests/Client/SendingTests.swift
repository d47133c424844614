import RejoinCore
import RejoinTestKit
import Synchronization
import Testing

@testable import RejoinClient

@Suite(.timeLimit(.minutes(1))) struct SendingTests {
    @Test("A01 A03 a prompt and the row of its answer are stored and shown before anything is sent")
    func keptFirst() async throws {
        try await Household.open(starts: false) { house in
            let sent = try await house.phone.chat.send("one two", in: nil)
            #expect(house.phone.link.operations == 0)
            let tree = try #require(try await house.phone.chat.tree(sent.conversation))
            #expect(tree.turns.map(\.delivery) == [.sending])
            #expect(tree.answers[sent.answer]?.local == .sending)
            #expect(try await house.phone.shown(sent.conversation) == ["one two", ""])
            #expect(try await house.phone.chat.list().map(\.id) == [sent.conversation])
            house.phone.start()
            try await house.runs(1)
            try await house.server.sayAll()
            try await house.end(of: sent.answer)
            #expect(try await house.phone.shown(sent.conversation) == ["one two", "one two "])
        }
    }

    @Test("A02 A36 the client's ids are the keys on the wire, and the request carries the new turn alone")
    func wire() async throws {
        try await Household.open { house in
            let first = try await house.ask("one")
            try await house.server.sayAll()
            try await house.end(of: first.answer)
            let second = try await house.ask("two", in: first.conversation)
            let puts = house.server.read { $0.requests.filter { $0.hasPrefix("PUT") } }
            #expect(
                puts == [
                    "PUT /v1/conversations/\(first.conversation)/turns/\(first.turn)",
                    "PUT /v1/conversations/\(first.conversation)/turns/\(second.turn)",
                ])
            #expect(house.server.read { $0.prompts } == ["one", "two"])
            #expect(house.server.read { $0.runs } == [first.answer, second.answer])
        }
    }

    @Test("A23 a prompt whose replies are lost is sent under the same ids and answered once")
    func lostReplies() async throws {
        try await Household.open { house in
            house.phone.link.set { $0.repliesToLose = 5 }
            let sent = try await house.phone.chat.send("one two", in: nil)
            try await house.runs(1)
            try await house.server.sayAll()
            let stored = try await house.end(of: sent.answer)
            #expect(stored.answer.text == "one two ")
            try await house.settle()
            #expect(house.server.read { $0.runs } == [sent.answer])
            #expect(house.server.read { $0.prompts } == ["one two"])
        }
    }

    @Test("A28 without a connection a prompt is refused before it is sent, and the draft stays")
    func refusedOffline() async throws {
        try await Household.open { house in
            try await house.settle()
            house.phone.reachability.set(isReachable: false)
            try await eventually("offline") { house.phone.chat.connection != .online }
            try await house.phone.chat.saveDraft("words", for: nil)
            await #expect(throws: ClientRefusal(.offline)) { try await house.phone.chat.send("words", in: nil) }
            #expect(try await house.phone.chat.draft(for: nil)?.text == "words")
            #expect(try await house.phone.chat.list().isEmpty)
            #expect(house.server.count("PUT") == 0)
            guard case .offline = house.phone.chat.connection else {
                Issue.record("\(house.phone.chat.connection)")
                return
            }
        }
    }

    @Test("A28 a prompt that finds no server, and certainly never left, goes back into the draft")
    func givenBack() async throws {
        try await Household.open { house in
            try await house.settle()
            // The open line lives on, so that nobody knows yet.
            house.phone.link.set { $0.isDown = true }
            let sent = try await house.phone.chat.send("words", in: nil)
            try await eventually("refused") {
                try await house.phone.store.turn(sent.turn)?.delivery == .refused(ClientRefusal(.offline))
            }
            #expect(try await house.phone.chat.draft(for: sent.conversation)?.text == "words")
            #expect(try await house.phone.store.outbox().isEmpty)
            house.phone.link.setDown(false)
            try await eventually("online") { house.phone.chat.connection == .online }
            #expect(house.server.read { $0.runs }.isEmpty)
            // Trying again is the person's act, and goes out under the same id.
            let answer = try await house.phone.chat.retry(sent.turn)
            #expect(answer == sent.answer)
            try await house.runs(1)
            try await house.server.sayAll()
            try await house.end(of: answer)
        }
    }

    @Test("A29 prompts wait without a connection, are sent in order after it, each once, each after the answer before")
    func queued() async throws {
        try await Household.open(configure: { $0.offlinePolicy = .queue(expiry: .seconds(100_000)) }) { house in
            try await house.settle()
            house.phone.link.setDown(true)
            house.phone.reachability.set(isReachable: false)
            try await eventually("offline") { house.phone.chat.connection != .online }
            let first = try await house.phone.chat.send("one", in: nil)
            let second = try await house.phone.chat.send("two", in: first.conversation)
            let third = try await house.phone.chat.send("three", in: first.conversation)
            let other = try await house.phone.chat.send("other", in: nil)
            for turn in [first.turn, second.turn, third.turn, other.turn] {
                guard case .waiting = try await house.phone.store.turn(turn)?.delivery else {
                    Issue.record("not waiting")
                    continue
                }
            }
            #expect(try await house.phone.chat.tree(first.conversation)?.conversation.unsent == 3)
            try await house.phone.chat.cancelWaiting(third.turn)
            #expect(try await house.phone.chat.draft(for: first.conversation)?.text == "three")
            house.phone.link.setDown(false)
            house.phone.reachability.set(isReachable: true)
            // The second waits for the first answer; what has nothing to do with it does not.
            try await house.runs(2)
            #expect(house.server.read { $0.prompts } == ["one", "other"])
            try await house.server.say(first.answer)
            try await house.runs(3)
            try await house.server.sayAll()
            try await house.end(of: second.answer)
            #expect(house.server.read { $0.prompts } == ["one", "other", "two"])
            #expect(try await house.phone.shown(first.conversation) == ["one", "one ", "two", "two "])
            try await house.settle()
        }
    }

    @Test("A30 a waiting prompt expires after its time, with what follows it, and only the person sends it again")
    func expired() async throws {
        try await Household.open(configure: { $0.offlinePolicy = .queue(expiry: .seconds(60)) }) { house in
            try await house.settle()
            house.phone.link.setDown(true)
            house.phone.reachability.set(isReachable: false)
            try await eventually("offline") { house.phone.chat.connection != .online }
            let first = try await house.phone.chat.send("one", in: nil)
            let second = try await house.phone.chat.send("two", in: first.conversation)
            // Time passes while the device is offline.
            try await eventually("expired") {
                try await house.phone.store.turn(second.turn)?.delivery == .expired
            }
            #expect(try await house.phone.store.turn(first.turn)?.delivery == .expired)
            house.phone.link.setDown(false)
            house.phone.reachability.set(isReachable: true)
            try await house.settle()
            #expect(house.server.read { $0.runs }.isEmpty)
            try await house.phone.chat.retry(first.turn)
            try await house.runs(1)
            #expect(house.server.read { $0.prompts } == ["one"])
            try await house.server.sayAll()
            try await house.end(of: first.answer)
        }
    }

    @Test("A60 A61 A63 a limit keeps the draft, names capability and reset, and is never sent again by itself")
    func limited() async throws {
        try await Household.open { house in
            try await house.settle()
            let resetsAt = house.clock.wall.advanced(byMilliseconds: 30_000)
            let document =
                #"{"type":"/problems/limit-reached","title":"","status":429,"detail":"","capability":"chat","#
                + #""resets_at":"\#(resetsAt)"}"#
            let refused = Mutex(0)
            house.server.change {
                $0.limits = #"[{"capability":"chat","remaining":0,"resets_at":"\#(resetsAt)"}]"#
                $0.refusal = { request in
                    guard request.method == "PUT", request.url.contains("/turns/") else { return nil }
                    refused.withLock { $0 += 1 }
                    return .json(document, status: 429, fields: ["retry-after": "30"])
                }
            }
            let sent = try await house.phone.chat.send("words", in: nil)
            try await eventually("refused") {
                guard case .refused = try await house.phone.store.turn(sent.turn)?.delivery else { return false }
                return true
            }
            let turn = try #require(try await house.phone.store.turn(sent.turn))
            guard case .refused(let refusal) = turn.delivery else { return }
            #expect(refusal.code == .limitReached && refusal.capability == "chat" && refusal.resetsAt == resetsAt)
            #expect(try await house.phone.chat.draft(for: sent.conversation)?.text == "words")
            #expect(try await house.phone.store.outbox().isEmpty)
            // The limits are read again when one refused and when it lifts; the prompt stays where it is.
            let asked = house.server.count("GET /v1/limits")
            try await eventually("the limit lifts") { house.clock.wall > resetsAt }
            try await eventually("read again") { house.server.count("GET /v1/limits") > asked }
            #expect(refused.withLock { $0 } == 1)
            // Another model's prompts, or anything else, are not blocked by our own count.
            house.server.change { $0.refusal = nil }
            _ = try await house.ask("other")
            try await house.server.sayAll()
            try await house.settle()
        }
    }

    @Test("A50 a prompt is refused while the answer that it continues is being written")
    func runningParent() async throws {
        try await Household.open { house in
            let sent = try await house.ask("one")
            try await house.settle()
            await #expect(throws: ClientRefusal(.answerRunning)) {
                try await house.phone.chat.send("two", in: sent.conversation)
            }
            try await house.server.sayAll()
            try await house.end(of: sent.answer)
            _ = try await house.ask("two", in: sent.conversation)
            try await house.server.sayAll()
            try await house.settle()
        }
    }

    @Test(
        "A23 a refusal of any kind gives the prompt back with its reason",
        arguments: [Problem.Kind.turnConflict, .payloadTooLarge, .queueFull, .modelUnavailable, .invalidRequest])
    func refusals(kind: Problem.Kind) async throws {
        try await Household.open { house in
            try await house.settle()
            house.server.change {
                $0.refusal = { $0.method == "PUT" ? .problem(Problem(kind, "no")) : nil }
            }
            let sent = try await house.phone.chat.send("words", in: nil)
            try await eventually("refused") {
                try await house.phone.store.turn(sent.turn)?.delivery
                    == .refused(ClientRefusal(ClientRefusal.Code(kind)))
            }
            #expect(try await house.phone.chat.draft(for: sent.conversation)?.text == "words")
            #expect(house.server.count("PUT") == 1)
        }
    }

    @Test("A39 a prompt on its way to a conversation that is deleted does not bring it back")
    func deletedOnTheWay() async throws {
        try await Household.open(devices: 2) { house in
            // The reply is lost, so that the phone does not know that the server has it.
            house.phone.link.set { $0.repliesToLose = 3 }
            let sent = try await house.phone.chat.send("one", in: nil)
            try await house.phone.chat.delete(sent.conversation)
            #expect(try await house.phone.chat.list().isEmpty)
            try await house.settle()
            try await house.settle(house.laptop)
            #expect(try await house.laptop.chat.list().isEmpty)
            #expect(try await house.server.isDeleted(sent.conversation))
        }
    }
}
