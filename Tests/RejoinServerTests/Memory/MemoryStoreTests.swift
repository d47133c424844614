import RejoinCore
import TestSupport
import Testing

@testable import RejoinServer

@Suite struct MemoryStoreTests {
    private func fact(
        _ id: FactID, _ text: String, _ source: Fact.Source = .person, from origin: Fact.Origin? = nil,
        at: Timestamp = 40
    ) -> Fact {
        Fact(
            id: id, text: text, source: source, isAccepted: source == .person, origin: origin, createdAt: at,
            updatedAt: at)
    }

    private func on(_ scenario: StoreScenario) async throws {
        _ = try await scenario.store.setConsent([.memory: 1], of: scenario.ann, ifVersion: nil, now: 5)
    }

    @Test(
        "S22 without consent nothing is written down, proposed or given to a model", arguments: StoreKind.allCases)
    func consent(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            let store = scenario.store
            _ = try await scenario.say(turn: 1, answer: 1, in: 1)
            let origin = Fact.Origin(conversation: 1, turn: 1)
            let proposal = fact(2, "lives in Lyon", .model, from: origin)
            #expect(try await store.addFact(fact(1, "likes tea"), of: scenario.ann, isAsked: true, now: 40) == .off)
            #expect(try await store.proposeFacts([proposal], of: scenario.ann, now: 40) == [])
            #expect(try await store.facts(of: scenario.ann).isEmpty)
            try await on(scenario)
            let added = try await store.addFact(fact(1, "likes tea"), of: scenario.ann, isAsked: true, now: 40)
            #expect(added == .added(fact(1, "likes tea")))
            #expect(try await store.proposeFacts([proposal], of: scenario.ann, now: 41) == [proposal])
            // A proposal is given to nobody before it is accepted.
            #expect(try await store.recall(for: 1, of: scenario.ann).map(\.id) == [1])
            let accepted = try await store.changeFact(2, of: scenario.ann, text: nil, accepts: true, now: 50)
            guard case .changed(let changed) = accepted else {
                Issue.record("not changed")
                return
            }
            #expect(changed.source == .model && changed.isAccepted && changed.updatedAt == 50)
            #expect(try await store.recall(for: 1, of: scenario.ann).map(\.id) == [2, 1])
            _ = try await store.setConsent([.memory: 0], of: scenario.ann, ifVersion: nil, now: 60)
            #expect(try await store.recall(for: 1, of: scenario.ann).isEmpty)
            #expect(try await store.facts(of: scenario.ann).count == 2)
        }
    }

    @Test(
        "S22 S23 a conversation can stay out of memory, and a temporary one always does",
        arguments: StoreKind.allCases)
    func conversations(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            let store = scenario.store
            try await on(scenario)
            _ = try await scenario.say(turn: 1, answer: 1, in: 1)
            _ = try await scenario.say(turn: 2, answer: 2, in: 2, isTemporary: true)
            _ = try await store.addFact(fact(1, "likes tea"), of: scenario.ann, isAsked: true, now: 40)
            let secret = fact(2, "secret", .model, from: .init(conversation: 2, turn: 2))
            #expect(try await store.proposeFacts([secret], of: scenario.ann, now: 41) == [])
            #expect(try await store.recall(for: 2, of: scenario.ann).isEmpty)
            // Nor can what is temporary be talked into taking part.
            _ = try await store.patchConversation(2, of: scenario.ann, .init(usesMemory: true), now: 42)
            #expect(try await store.remembers(2, of: scenario.ann) == false)
            let patched = try await store.patchConversation(1, of: scenario.ann, .init(usesMemory: false), now: 43)
            #expect(patched.value?.usesMemory == false)
            #expect(try await store.recall(for: 1, of: scenario.ann).isEmpty)
            let other = fact(3, "other", .model, from: .init(conversation: 1, turn: 1))
            #expect(try await store.proposeFacts([other], of: scenario.ann, now: 44) == [])
            #expect(try await store.recall(for: 1, of: scenario.ben).isEmpty)
        }
    }

    @Test(
        "S18 a deleted conversation takes along what a model learned from it, and not what the person wrote",
        arguments: StoreKind.allCases)
    func provenance(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            let store = scenario.store
            try await on(scenario)
            for number in [1, 2] as [UInt64] {
                _ = try await scenario.say(
                    turn: .init(high: 0, low: number), answer: .init(high: 0, low: number),
                    in: .init(high: 0, low: number))
            }
            let origin = Fact.Origin(conversation: 1, turn: 1)
            let proposals = [
                fact(1, "one", .model, from: origin), fact(2, "two", .model, from: origin),
                fact(3, "three", .model, from: origin),
                fact(4, "four", .model, from: Fact.Origin(conversation: 2, turn: 2)),
            ]
            #expect(try await store.proposeFacts(proposals, of: scenario.ann, now: 41) == proposals)
            _ = try await store.changeFact(2, of: scenario.ann, text: nil, accepts: true, now: 42)
            _ = try await store.changeFact(3, of: scenario.ann, text: "three in my words", accepts: false, now: 43)
            _ = try await store.deleteConversation(1, of: scenario.ann, now: 44)
            let left = try await store.facts(of: scenario.ann)
            #expect(left.map(\.text) == ["three in my words", "four"])
            #expect(left.map(\.source) == [.person, .model])
            #expect(left[0].origin == nil && left[0].isAccepted)
            let feed = try await scenario.feed()
            #expect(feed.contains("delete memory 1") && feed.contains("delete memory 2"))
            #expect(!feed.contains("delete memory 3"))
        }
    }

    @Test(
        "S22 what is known or was taken away is not proposed again, until its person writes it",
        arguments: StoreKind.allCases)
    func repeats(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            let store = scenario.store
            try await on(scenario)
            _ = try await scenario.say(turn: 1, answer: 1, in: 1)
            let origin = Fact.Origin(conversation: 1, turn: 1)
            func propose(_ id: FactID, _ text: String) async throws -> Int {
                try await store.proposeFacts([fact(id, text, .model, from: origin)], of: scenario.ann, now: 41).count
            }
            #expect(try await propose(1, "Likes tea.") == 1)
            #expect(try await propose(2, "likes TEA") == 0)
            #expect(try await store.deleteFact(1, of: scenario.ben, now: 42) == false)
            #expect(try await store.deleteFact(1, of: scenario.ann, now: 42))
            #expect(try await propose(3, "likes tea") == 0)
            let written = try await store.addFact(fact(4, "likes tea!"), of: scenario.ann, isAsked: true, now: 43)
            #expect(written == .added(fact(4, "likes tea!")))
            let known = try await store.addFact(fact(5, "Likes tea"), of: scenario.ann, isAsked: true, now: 44)
            #expect(known == .known(fact(4, "likes tea!")))
            #expect(try await store.addFact(fact(4, "other"), of: scenario.ann, isAsked: true, now: 44) == .taken)
            #expect(try await store.addFact(fact(4, "x"), of: scenario.ben, isAsked: false, now: 44) == .taken)
            _ = try await store.addFact(fact(6, "lives in Lyon"), of: scenario.ann, isAsked: true, now: 45)
            let clash = try await store.changeFact(6, of: scenario.ann, text: "LIKES TEA", accepts: false, now: 46)
            #expect(clash == .known(fact(4, "likes tea!")))
            #expect(try await store.changeFact(6, of: scenario.ben, text: "x", accepts: true, now: 46) == .notFound)
            #expect(try await store.deleteFacts(of: scenario.ann, now: 47) == 2)
            #expect(try await propose(7, "likes tea") == 1)
            #expect(try await store.audit(of: scenario.ann, before: nil, limit: 1).first?.event == .memoryEmptied)
        }
    }

    @Test("S22 an account keeps a bounded number of facts", arguments: StoreKind.allCases)
    func full(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            try await on(scenario)
            for number in 1...UInt64(Fact.mostKept) {
                _ = try await scenario.store.addFact(
                    fact(.init(high: 0, low: number), "fact \(number)"), of: scenario.ann, isAsked: true, now: 40)
            }
            let late = try await scenario.store.addFact(fact(9999, "late"), of: scenario.ann, isAsked: true, now: 41)
            #expect(late == .full)
            #expect(try await scenario.store.recall(for: 1, of: scenario.ann).isEmpty)
        }
    }

    @Test("S24 S22 facts come back from an archive with the turn they came from, once", arguments: StoreKind.allCases)
    func archive(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            let store = scenario.store
            try await on(scenario)
            _ = try await scenario.say(turn: 1, answer: 1, in: 1)
            var script = LogScript(1, of: 1)
            try await scenario.write(&script, .text("Hi"), .end(.init(.done, .complete)))
            _ = try await store.patchConversation(1, of: scenario.ann, .init(usesMemory: false), now: 31)
            _ = try await store.patchConversation(1, of: scenario.ann, .init(usesMemory: true), now: 32)
            let learned = fact(1, "lives in Lyon", .model, from: .init(conversation: 1, turn: 1))
            _ = try await store.proposeFacts([learned], of: scenario.ann, now: 41)
            _ = try await store.addFact(fact(2, "likes tea", at: 50), of: scenario.ann, isAsked: true, now: 50)
            let archive = try await scenario.archive()
            #expect(try await scenario.take(archive).facts == 0)
            #expect(try await scenario.take(archive, for: scenario.ben).facts == 2)
            #expect(try await store.facts(of: scenario.ben).map(\.text) == ["likes tea", "lives in Lyon"])
            #expect(try await scenario.take(archive, for: scenario.ben).facts == 0)
            _ = try await store.deleteConversations(of: scenario.ann, now: 60)
            _ = try await store.deleteFacts(of: scenario.ann, now: 61)
            let report = try await scenario.take(archive)
            #expect(report.facts == 2 && report.faults.isEmpty)
            let back = try await store.facts(of: scenario.ann)
            #expect(back.map(\.text) == ["likes tea", "lives in Lyon"] && back.map(\.isAccepted) == [true, false])
            let conversation = try #require(try await store.conversationIDs(of: scenario.ann).first)
            #expect(back[1].origin?.conversation == conversation)
            let turn = try await store.contents(of: conversation, account: scenario.ann).value?.turns.first?.id
            #expect(back[1].origin?.turn == turn)
        }
    }
}
