import RejoinCore
import RejoinTestKit
import Testing

@testable import RejoinClient

/// The causes, one by one, for which two devices could go on showing different paths of a conversation.
@Suite(.timeLimit(.minutes(2))) struct PathTests {
    private static func queueing(_ configuration: inout ConversationClient.Configuration) {
        configuration.offlinePolicy = .queue(expiry: .seconds(1_000_000))
    }

    /// Takes the network from the phone, and waits until it has noticed.
    private func goOffline(_ house: Household) async throws {
        house.phone.link.setDown(true)
        house.phone.reachability.set(isReachable: false)
        try await eventually("offline") {
            if case .offline = house.phone.chat.connection { true } else { false }
        }
    }

    private func goOnline(_ house: Household) {
        house.phone.link.setDown(false)
        house.phone.reachability.set(isReachable: true)
    }

    private func settleBoth(_ house: Household) async throws {
        try await house.server.sayAll()
        try await house.settle()
        try await house.settle(house.laptop)
    }

    @Test("A89 a prompt that a later choice overtook does not take its place")
    func overtaken() async throws {
        try await Household.open(devices: 2, configure: Self.queueing) { house in
            try await house.settle()
            try await goOffline(house)
            let first = try await house.phone.chat.send("one", in: nil)
            let second = try await house.phone.chat.send("two", in: first.conversation)
            let chosen = try await house.phone.chat.edit(first.turn, [.text("three")])
            goOnline(house)
            // The second waits for the first to be whole, the third does not.
            try await house.runs(2)
            #expect(house.server.read { $0.runs } == [first.answer, chosen.answer])
            try await eventually("the choice is told, and the second still waits") {
                let told = try await house.phone.store.outbox().map(\.kind)
                return told == [.turn(second.turn, answer: second.answer)]
            }
            try await house.server.sayAll()
            try await house.runs(3)
            try await settleBoth(house)
            #expect(house.server.read { $0.runs.last } == second.answer)
            for device in [house.phone, house.laptop] {
                try await device.chat.open(first.conversation)
                #expect(try await device.shown(first.conversation) == ["three", "three "])
            }
        }
    }

    /// A conversation of two turns, the second with two answers, of which the first is chosen on both devices.
    private func choose(_ house: Household) async throws -> (sent: ConversationClient.Sent, chosen: AnswerID) {
        let first = try await house.ask("one")
        try await house.server.sayAll()
        try await house.end(of: first.answer)
        let second = try await house.ask("two", in: first.conversation)
        try await house.server.sayAll()
        try await house.end(of: second.answer)
        _ = try await house.phone.chat.regenerate(second.turn)
        try await house.runs(3)
        try await settleBoth(house)
        try await house.laptop.chat.open(first.conversation)
        try await house.phone.chat.select(second.answer)
        try await settleBoth(house)
        for device in [house.phone, house.laptop] {
            #expect(try await device.store.line(first.conversation)?.selected == second.answer)
        }
        return (second, second.answer)
    }

    @Test("A89 a prompt that is taken back leaves the path as the server shows it")
    func takenBack() async throws {
        try await Household.open(devices: 2, configure: Self.queueing) { house in
            let (sent, chosen) = try await choose(house)
            try await goOffline(house)
            let edited = try await house.phone.chat.edit(sent.turn, [.text("zwei")])
            try await house.phone.chat.cancelWaiting(edited.turn)
            #expect(try await house.phone.store.outbox().map(\.kind) == [.askForPath])
            goOnline(house)
            try await settleBoth(house)
            #expect(try await house.phone.store.line(sent.conversation)?.selected == chosen)
        }
    }

    @Test("A89 of two words of the server that crossed neither is believed: it is asked once more")
    func crossed() async throws {
        try await Household.open(devices: 2) { house in
            let (sent, chosen) = try await choose(house)
            await house.phone.stop()
            let chat = house.phone.chat
            let other = try #require(
                try await chat.tree(sent.conversation)?.answers.keys.first { $0 != chosen && $0 != sent.answer })
            func line(_ selected: AnswerID) -> ConversationSummary {
                ConversationSummary(
                    id: sent.conversation, title: "one", updatedAt: house.clock.wall, isPinned: false,
                    isArchived: false, selected: selected)
            }
            let asked = chat.turnover(of: sent.conversation)
            try await chat.merge(line(other), askedFor: asked)
            #expect(try await chat.store.line(sent.conversation)?.selected == other)
            #expect(try await chat.store.outbox().isEmpty)
            // Asked before the first was taken in: nobody knows which is the newer.
            try await chat.merge(line(chosen), askedFor: asked)
            #expect(try await chat.store.line(sent.conversation)?.selected == other)
            #expect(try await chat.store.outbox().map(\.kind) == [.askForPath])
            house.phone.start()
            try await settleBoth(house)
            #expect(try await chat.store.line(sent.conversation)?.selected == chosen)
        }
    }

    @Test("A89 paths follow also where many lines are fetched by the page")
    func byThePage() async throws {
        try await Household.open(devices: 2) { house in
            var first: [ConversationClient.Sent] = []
            for number in 1...10 { first.append(try await house.ask("p\(number)")) }
            try await settleBoth(house)
            for sent in first { _ = try await house.phone.chat.regenerate(sent.turn) }
            try await house.runs(20)
            try await settleBoth(house)
            for sent in first { try await house.laptop.chat.open(sent.conversation) }
            for sent in first { try await house.laptop.chat.leave(sent.conversation) }
            try await settleBoth(house)
            await house.laptop.stop()
            for sent in first { try await house.phone.chat.select(sent.answer) }
            try await house.settle()
            let before = house.server.count("PATCH")
            house.laptop.start()
            try await house.settle(house.laptop)
            #expect(house.server.count("PATCH") == before)
            for sent in first {
                #expect(try await house.laptop.store.line(sent.conversation)?.selected == sent.answer)
            }
        }
    }
}
