import RejoinCore
import RejoinTestKit
import Testing

@testable import RejoinClient

@Suite(.timeLimit(.minutes(1))) struct SynchronisingTests {
    @Test("A34 A35 with the list open, what one device does is on the other without a gesture, by a fetch after a hint")
    func live() async throws {
        try await Household.open(devices: 2) { house in
            try await house.settle()
            try await house.settle(house.laptop)
            let sent = try await house.ask("one two")
            try await eventually("listed") {
                try await house.laptop.chat.list().map(\.id) == [sent.conversation]
            }
            try await house.laptop.chat.open(sent.conversation)
            // The laptop follows along what the phone asked for.
            try await house.server.say(sent.answer, 1)
            try await house.see("one ", sent.answer, on: house.laptop)
            try await house.server.sayAll()
            try await house.end(of: sent.answer, on: house.laptop)
            #expect(try await house.laptop.shown(sent.conversation) == ["one two", "one two "])
            try await house.phone.chat.rename(sent.conversation, to: "Mine")
            try await house.phone.chat.pin(sent.conversation)
            try await eventually("renamed") {
                let line = try await house.laptop.store.line(sent.conversation)
                return line?.title == .server("Mine") && line?.isPinned == true
            }
            try await house.phone.chat.delete(sent.conversation)
            try await eventually("gone") { try await house.laptop.chat.list().isEmpty }
            #expect(house.server.count("GET /v1/changes?after=") > 2)
        }
    }

    @Test("A34 one catch-up after any absence brings creates, renames, deletes and finished answers")
    func absence() async throws {
        try await Household.open(devices: 2, starts: false) { house in
            house.phone.start()
            house.laptop.start()
            let first = try await house.ask("one two")
            let second = try await house.ask("three")
            try await house.server.say(first.answer, 1)
            try await house.settle(house.laptop)
            for sent in [first, second] { try await house.laptop.chat.open(sent.conversation) }
            try await house.see("one ", first.answer, on: house.laptop)
            await house.laptop.stop()
            try await house.server.sayAll()
            try await house.end(of: first.answer)
            try await house.end(of: second.answer)
            let third = try await house.ask("new")
            try await house.server.sayAll()
            try await house.phone.chat.rename(first.conversation, to: "Renamed")
            try await house.phone.chat.delete(second.conversation)
            try await house.settle()
            house.laptop.start()
            try await house.settle(house.laptop)
            #expect(
                Set(try await house.laptop.chat.list().map(\.id)) == [first.conversation, third.conversation])
            #expect(try await house.laptop.store.line(first.conversation)?.title.text == "Renamed")
            try await house.end(of: first.answer, on: house.laptop)
            #expect(try await house.laptop.shown(first.conversation) == ["one two", "one two "])
        }
    }

    @Test("A34 A89 what a device sent before it first read the list stands where the server has it")
    func sentBeforeTheList() async throws {
        try await Household.open(starts: false) { house in
            house.server.change {
                $0.refusal = { request in
                    let isList = request.method == "GET" && request.url.contains("/v1/conversations?")
                    return isList ? .json("{}", status: 503) : nil
                }
            }
            house.phone.start()
            let first = try await house.ask("one")
            try await house.server.sayAll()
            _ = try await house.end(of: first.answer)
            house.server.change { $0.refusal = nil }
            try await house.settle()
            let second = try await house.phone.chat.edit(first.turn, [.text("two")])
            try await house.runs(2)
            try await house.server.sayAll()
            try await house.settle()
            let tree = try #require(try await house.phone.chat.tree(first.conversation))
            #expect(tree.turns.map(\.id) == [first.turn, second.turn])
        }
    }

    @Test("A34 unsent work survives a merge, and is delivered after it")
    func unsent() async throws {
        try await Household.open(
            devices: 2, configure: { $0.offlinePolicy = .queue(expiry: .seconds(1_000_000)) }
        ) { house in
            let sent = try await house.ask("one")
            try await house.server.sayAll()
            try await house.settle()
            try await house.settle(house.laptop)
            try await house.laptop.chat.open(sent.conversation)
            house.laptop.link.setDown(true)
            house.laptop.reachability.set(isReachable: false)
            try await eventually("offline") { house.laptop.chat.connection != .online }
            let mine = try await house.laptop.chat.send("from the laptop", in: sent.conversation)
            try await house.laptop.chat.rename(sent.conversation, to: "Laptop")
            _ = try await house.ask("from the phone", in: sent.conversation)
            try await house.phone.chat.rename(sent.conversation, to: "Phone")
            try await house.server.sayAll()
            try await house.settle()
            house.laptop.link.setDown(false)
            house.laptop.reachability.set(isReachable: true)
            try await house.runs(3)
            try await house.server.sayAll()
            try await house.settle(house.laptop)
            try await house.end(of: mine.answer, on: house.laptop)
            #expect(try await house.laptop.store.turn(mine.turn)?.delivery == .delivered)
            try await house.settle()
            // The last act counts on both, and both branches are reachable on both.
            for device in [house.phone, house.laptop] {
                #expect(
                    try await device.shown(sent.conversation)
                        == ["one", "one ", "from the laptop", "from the laptop "])
                #expect(try await device.chat.tree(sent.conversation)?.turns.count == 3)
                #expect(try await device.store.line(sent.conversation)?.title.text == "Laptop")
            }
        }
    }

    @Test("A21 A34 an expired cursor lists afresh, drops what is gone, and loses no unsent work")
    func expiredCursor() async throws {
        try await Household.open(
            devices: 2, configure: { $0.offlinePolicy = .queue(expiry: .seconds(1_000_000)) }
        ) { house in
            let kept = try await house.ask("kept")
            let gone = try await house.ask("gone")
            try await house.server.sayAll()
            try await house.settle(house.laptop)
            for sent in [kept, gone] { try await house.laptop.chat.open(sent.conversation) }
            house.laptop.link.setDown(true)
            house.laptop.reachability.set(isReachable: false)
            try await eventually("offline") { house.laptop.chat.connection != .online }
            let mine = try await house.laptop.chat.send("mine", in: nil)
            try await house.phone.chat.delete(gone.conversation)
            _ = try await house.ask("more", in: kept.conversation)
            try await house.server.sayAll()
            try await house.settle()
            try await house.server.expireFeed()
            house.laptop.link.setDown(false)
            house.laptop.reachability.set(isReachable: true)
            try await eventually("delivered") {
                try await house.laptop.store.turn(mine.turn)?.delivery == .delivered
            }
            try await house.server.sayAll()
            try await house.settle(house.laptop)
            #expect(
                Set(try await house.laptop.chat.list().map(\.id)) == [kept.conversation, mine.conversation])
            #expect(
                try await house.laptop.shown(kept.conversation) == ["kept", "kept ", "more", "more "])
        }
    }

    @Test("A38 a deletion is not undone by late events, late fetches or another device's prompt")
    func deletion() async throws {
        try await Household.open(devices: 2) { house in
            let sent = try await house.ask("one two")
            try await house.server.say(sent.answer, 1)
            try await house.settle(house.laptop)
            try await house.laptop.chat.open(sent.conversation)
            try await house.see("one ", sent.answer, on: house.laptop)
            try await house.phone.chat.delete(sent.conversation)
            try await eventually("gone") { try await house.laptop.chat.tree(sent.conversation) == nil }
            try await house.server.sayAll()
            try await house.settle()
            try await house.settle(house.laptop)
            for device in [house.phone, house.laptop] {
                #expect(try await device.chat.list().isEmpty)
                #expect(try await device.store.isDeleted(sent.conversation))
                #expect(device.chat.live(sent.answer) == nil)
                await #expect(throws: ClientRefusal(.deleted)) {
                    try await device.chat.send("more", in: sent.conversation)
                }
            }
        }
    }

    @Test("A37 before a title there are the first words, and a person's title stays whatever the server makes")
    func titles() async throws {
        try await Household.open { house in
            let sent = try await house.ask("one two")
            try await house.server.sayAll()
            #expect(try await house.phone.store.line(sent.conversation)?.title.text == "one two")
            try await house.server.name(sent.conversation, "Made")
            try await eventually("named") {
                try await house.phone.store.line(sent.conversation)?.title == .server("Made")
            }
            try await house.phone.chat.rename(sent.conversation, to: "  Mine\n")
            try await house.settle()
            try await house.server.name(sent.conversation, "Made again")
            try await house.settle()
            #expect(try await house.phone.store.line(sent.conversation)?.title.text == "Mine")
        }
    }

    @Test("A40 a conversation that is gone from the server is removed by the fetch that says so")
    func goneElsewhere() async throws {
        try await Household.open(devices: 2) { house in
            let sent = try await house.ask("one")
            try await house.server.sayAll()
            try await house.settle(house.laptop)
            house.laptop.link.setDown(true)
            try await house.phone.chat.delete(sent.conversation)
            try await house.settle()
            house.laptop.link.setDown(false)
            try await house.settle(house.laptop)
            #expect(try await house.laptop.chat.list().isEmpty)
        }
    }

    @Test("A32 an opened conversation is read without a network, and one that never was is refused")
    func offlineReading() async throws {
        try await Household.open(devices: 2) { house in
            let read = try await house.ask("read")
            let unread = try await house.ask("unread")
            try await house.server.sayAll()
            try await house.settle()
            try await house.settle(house.laptop)
            try await house.laptop.chat.open(read.conversation)
            house.laptop.link.setDown(true)
            house.laptop.reachability.set(isReachable: false)
            try await eventually("offline") { house.laptop.chat.connection != .online }
            try await house.laptop.chat.open(read.conversation)
            #expect(try await house.laptop.shown(read.conversation) == ["read", "read "])
            await #expect(throws: ClientRefusal(.offline)) { try await house.laptop.chat.open(unread.conversation) }
            house.laptop.link.setDown(false)
            house.laptop.reachability.set(isReachable: true)
            try await eventually("opened") {
                do { try await house.laptop.chat.open(unread.conversation) } catch { return false }
                return true
            }
            #expect(try await house.laptop.shown(unread.conversation) == ["unread", "unread "])
        }
    }

    @Test("A34 many changes at once are fetched by the page")
    func manyChanges() async throws {
        try await Household.open(devices: 2) { house in
            try await house.settle(house.laptop)
            await house.laptop.stop()
            for number in 0..<30 { _ = try await house.ask("number \(number)") }
            try await house.server.sayAll()
            try await house.settle()
            let before = house.server.read { $0.requests.count }
            await house.phone.stop()
            house.laptop.start()
            try await house.settle(house.laptop)
            #expect(try await house.laptop.chat.list(limit: 100).count == 30)
            #expect(house.server.read { $0.requests.count } - before < 10)
        }
    }

    @Test("A89 the path that was taken last is shown on both devices after edits, versions and choices on either")
    func paths() async throws {
        try await Household.open(devices: 2) { house in
            let first = try await house.ask("one")
            try await house.server.sayAll()
            try await house.settle()
            try await house.settle(house.laptop)
            try await house.laptop.chat.open(first.conversation)
            let version = try await house.phone.chat.regenerate(first.turn)
            try await house.runs(2)
            try await house.server.sayAll()
            try await house.settle()
            try await house.settle(house.laptop)
            for device in [house.phone, house.laptop] {
                #expect(try await device.store.line(first.conversation)?.selected == version)
            }
            try await house.laptop.chat.select(first.answer)
            try await house.settle(house.laptop)
            try await house.settle()
            #expect(try await house.phone.store.line(first.conversation)?.selected == first.answer)
            let second = try await house.ask("two", in: first.conversation)
            try await house.server.sayAll()
            try await house.settle()
            try await house.settle(house.laptop)
            #expect(try await house.laptop.shown(first.conversation) == ["one", "one ", "two", "two "])
            let edited = try await house.laptop.chat.edit(second.turn, [.text("zwei")])
            try await house.runs(4)
            try await house.server.sayAll()
            try await house.settle(house.laptop)
            try await house.settle()
            #expect(try await house.phone.shown(first.conversation) == ["one", "one ", "zwei", "zwei "])
            #expect(try await house.phone.chat.tree(first.conversation)?.answers[second.answer] != nil)
            #expect(edited.conversation == first.conversation)
        }
    }
}
