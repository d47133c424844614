import RejoinCore
import RejoinTestKit
import Testing

@testable import RejoinClient

@Suite(.timeLimit(.minutes(1))) struct ConversationTests {
    @Test("A45 A46 A47 A48 versions and branches stay reachable, and the next prompt follows the selected path alone")
    func tree() async throws {
        try await Household.open { house in
            let first = try await house.ask("one")
            try await house.server.sayAll()
            try await house.end(of: first.answer)
            let version = try await house.phone.chat.regenerate(first.turn)
            try await house.runs(2)
            try await house.server.sayAll()
            try await house.end(of: version)
            let second = try await house.ask("two", in: first.conversation)
            try await house.server.sayAll()
            try await house.end(of: second.answer)
            let edited = try await house.phone.chat.edit(first.turn, [.text("eins")])
            try await house.runs(4)
            try await house.server.sayAll()
            try await house.end(of: edited.answer)
            let tree = try #require(try await house.phone.chat.tree(first.conversation))
            #expect(tree.tree[first.turn]?.answers == [first.answer, version])
            #expect(tree.tree[second.turn]?.parent == version)
            #expect(tree.tree[edited.turn]?.parent == nil)
            #expect(try await house.phone.shown(first.conversation) == ["eins", "eins "])
            try await house.phone.chat.select(second.answer)
            #expect(try await house.phone.shown(first.conversation) == ["one", "one ", "two", "two "])
            let third = try await house.ask("three", in: first.conversation)
            #expect(try await house.phone.chat.tree(first.conversation)?.tree[third.turn]?.parent == second.answer)
            try await house.server.sayAll()
            try await house.settle()
        }
    }

    @Test("A50 another answer while one of the turn is being written is refused, or takes its place, never both")
    func regenerate() async throws {
        try await Household.open { house in
            let sent = try await house.ask("one two")
            await #expect(throws: ClientRefusal(.answerRunning)) {
                try await house.phone.chat.regenerate(sent.turn)
            }
            try await house.server.sayAll()
            try await house.end(of: sent.answer)
        }
        try await Household.open(configure: { $0.regeneratePolicy = .supersede }) { house in
            let sent = try await house.ask("one two")
            try await house.server.say(sent.answer, 1)
            try await house.see("one ", sent.answer)
            let version = try await house.phone.chat.regenerate(sent.turn)
            try await house.runs(2)
            #expect(house.server.unfinished == [version])
            #expect(house.server.read { $0.stops } == [sent.answer])
            try await house.server.sayAll()
            try await house.end(of: version)
            #expect(try await house.end(of: sent.answer).answer.state.end?.state == .stopped)
            try await house.settle()
        }
    }

    @Test("A42 a temporary conversation works, never enters the outbox, and leaves nothing here or there")
    func temporary() async throws {
        try await Household.open(devices: 2) { house in
            let sent = try await house.phone.chat.send("hush", in: nil, temporary: true)
            #expect(try await house.phone.store.outbox().isEmpty)
            try await house.runs(1)
            try await house.server.sayAll()
            try await house.end(of: sent.answer)
            let more = try await house.ask("more", in: sent.conversation)
            try await house.phone.chat.stop(more.answer)
            #expect(try await house.end(of: more.answer).answer.state.end?.state == .stopped)
            let version = try await house.phone.chat.regenerate(sent.turn)
            try await house.runs(3)
            try await house.server.sayAll()
            try await house.end(of: version)
            #expect(try await house.phone.chat.list().isEmpty)
            try await house.phone.chat.leave(sent.conversation)
            #expect(try await house.phone.chat.tree(sent.conversation) == nil)
            try await eventually("gone there") { try await house.server.isDeleted(sent.conversation) }
            try await house.settle()
            try await house.settle(house.laptop)
            #expect(try await house.phone.store.outbox().isEmpty)
            #expect(try await house.laptop.chat.list().isEmpty)
        }
    }

    @Test("A42 a temporary prompt without a connection is refused, and one whose replies are lost is sent again")
    func temporaryTrouble() async throws {
        try await Household.open { house in
            try await house.settle()
            house.phone.link.set { $0.repliesToLose = 3 }
            let sent = try await house.phone.chat.send("hush", in: nil, temporary: true)
            try await house.runs(1)
            try await house.server.sayAll()
            #expect(try await house.end(of: sent.answer).answer.text == "hush ")
            house.phone.link.setDown(true)
            house.phone.reachability.set(isReachable: false)
            try await eventually("offline") { house.phone.chat.connection != .online }
            await #expect(throws: ClientRefusal(.offline)) {
                try await house.phone.chat.send("hush", in: nil, temporary: true)
            }
        }
    }

    @Test("A41 signing out erases the account's file, revokes the token, and the client refuses from then on")
    func signOut() async throws {
        let folder = try Folder()
        let clock = ManualClock()
        let server = try await AccountServer(now: { clock.wall })
        try await clock.running {
            let device = try await Device(server, clock: clock, folder: folder.path)
            device.start()
            let sent = try await device.chat.send("one two", in: nil)
            try await eventually("it runs") { server.read { $0.runs.count } == 1 }
            try await device.chat.rename(sent.conversation, to: "Mine")
            #expect(!folder.files.isEmpty)
            await device.chat.signOut()
            #expect(folder.files.isEmpty)
            #expect(device.chat.connection == .signedOut)
            #expect(server.read { $0.revoked } == ["Bearer t1"])
            #expect(device.chat.live(sent.answer) == nil)
            await #expect(throws: ClientRefusal(.unauthenticated)) { try await device.chat.send("x", in: nil) }
            await device.stop()
            #expect(device.chat.diagnostics == ConversationClient.Diagnostics())
        }
    }

    @Test("A58 A59 limits are the server's figures with their age, and nothing is counted here")
    func limits() async throws {
        try await Household.open { house in
            house.server.change { $0.limits = #"[{"capability":"chat","plan":"free","limit":5,"remaining":2}]"# }
            try await house.phone.chat.refreshLimits()
            let snapshot = try #require(try await house.phone.chat.limits())
            #expect(snapshot.items == [Limit(capability: "chat", plan: "free", limit: 5, remaining: 2)])
            for text in ["one", "two", "three"] { _ = try await house.ask(text) }
            try await house.server.sayAll()
            #expect(try await house.phone.chat.limits()?.items == snapshot.items)
            house.phone.link.setDown(true)
            await #expect(throws: ClientRefusal(.offline)) { try await house.phone.chat.refreshLimits() }
            let age = try #require(try await house.phone.chat.limits()?.asOf)
            #expect(age < house.clock.wall)
            house.phone.link.setDown(false)
            try await house.settle()
        }
    }

    @Test("A39 deleting all hides all at once, stops what is written, and reaches the other device")
    func deleteAll() async throws {
        try await Household.open(devices: 2) { house in
            let first = try await house.ask("one two")
            let second = try await house.ask("three")
            try await house.settle(house.laptop)
            try await house.phone.chat.deleteAll()
            #expect(try await house.phone.chat.list().isEmpty)
            try await house.settle()
            try await house.settle(house.laptop)
            #expect(try await house.laptop.chat.list().isEmpty)
            for sent in [first, second] { #expect(try await house.server.isDeleted(sent.conversation)) }
            #expect(Set(house.server.read { $0.stops }) == [first.answer, second.answer])
        }
    }

    @Test func `words that say nothing are refused, and drafts are kept by conversation`() async throws {
        try await Household.open { house in
            await #expect(throws: ClientRefusal(.invalid)) { try await house.phone.chat.send(" \n", in: nil) }
            let sent = try await house.ask("one")
            try await house.phone.chat.saveDraft("there", for: sent.conversation)
            try await house.phone.chat.saveDraft("new", for: nil)
            #expect(try await house.phone.chat.draft(for: sent.conversation)?.text == "there")
            #expect(try await house.phone.chat.draft(for: nil)?.text == "new")
            await #expect(throws: ClientRefusal(.notFound)) {
                try await house.phone.chat.send("x", in: ID(high: 3, low: 3))
            }
            await #expect(throws: ClientRefusal(.invalid)) {
                try await house.phone.chat.rename(sent.conversation, to: "\n ")
            }
            try await house.server.sayAll()
            try await house.settle()
        }
    }
}
