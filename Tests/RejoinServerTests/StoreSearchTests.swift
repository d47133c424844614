import Foundation
import RejoinCore
import RejoinServer
import SQLite
import Testing

@Suite(.serialized) struct StoreSearchTests {
    /// What is found, as short words: `p 1` a prompt, `a 1` an answer, `t 1` a title, each with its id.
    private func found(
        _ text: String, in scenario: StoreScenario, by account: AccountID? = nil
    ) async throws -> [String] {
        while try await scenario.store.settleSearch(maximumBytes: 1 << 20) {}
        return try await scenario.store.search(text, of: account ?? scenario.ann, limit: 50).map { hit in
            switch hit.kind {
            case .title: "t \(hit.conversation.low)"
            case .prompt: "p \(hit.turn?.low ?? 0)"
            case .answer: "a \(hit.answer?.low ?? 0)"
            }
        }
    }

    private func reply(_ text: String, as answer: AnswerID, to turn: TurnID, in scenario: StoreScenario) async throws {
        var script = LogScript(answer, of: turn)
        try await scenario.write(&script, .text(text), .end(.init(.done, .complete)))
    }

    @Test(arguments: StoreKind.allCases)
    func `finds prompts, answers and titles of the account, as they are typed`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { (scenario) async throws in
            _ = try await scenario.say("Where do penguins live?", turn: 1, answer: 1, in: 1, at: 10_000)
            try await reply("Penguins live on the southern half of the globe.", as: 1, to: 1, in: scenario)
            _ = try await scenario.store.patchConversation(1, of: scenario.ann, .init(title: "Birds"), now: 20)
            _ = try await scenario.say("Penguins of Ben", turn: 2, answer: 2, in: 2, by: scenario.ben, at: 30_000)
            #expect(Set(try await found("penguins", in: scenario)) == ["p 1", "a 1"])
            #expect(Set(try await found("peng", in: scenario)) == ["p 1", "a 1"])
            #expect(try await found("peng ", in: scenario).isEmpty)
            #expect(try await found("southern penguins", in: scenario) == ["a 1"])
            #expect(try await found("bir", in: scenario) == ["t 1"])
            #expect(try await found("penguins", in: scenario, by: scenario.ben) == ["p 2"])
            for nothing in ["", " ", "?!", "p", "\"", "penguins NEAR whales", "a*b^(c"] {
                #expect(try await found(nothing, in: scenario).isEmpty, "\(nothing)")
            }
            #expect(try await scenario.store.search("penguins", of: scenario.ann, limit: 1).count == 1)
            #expect(try await scenario.store.search("penguins", of: scenario.ann, limit: 0).isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `neither case nor accents count, and scripts without spaces are found at any place`(
        kind: StoreKind
    ) async throws {
        try await StoreScenario.run(kind) { scenario in
            let texts = ["Crème brûlée à Zürich", "明日の東京の天気はどうですか", "Привет, МИР", "สวัสดีชาวโลก", "naïve cafe\u{301}"]
            for (index, text) in texts.enumerated() {
                let id = UInt64(index + 1)
                _ = try await scenario.say(
                    text, turn: .init(high: 0, low: id), answer: .init(high: 0, low: id),
                    in: .init(high: 0, low: id), at: Timestamp(milliseconds: Int64(id) * 10_000))
            }
            let expected = [
                ("creme", 1), ("CREME BRU", 1), ("brûlée", 1), ("zurich", 1), ("東京", 2), ("天気", 2), ("京の天", 2),
                ("東", 2), ("天気 東京", 2), ("мир", 3), ("ชาวโลก", 4), ("naive", 5), ("café", 5),
            ]
            for (text, id) in expected {
                #expect(try await found(text, in: scenario) == ["p \(id)"], "\(text)")
            }
            #expect(try await found("京東", in: scenario).isEmpty)
            #expect(try await found("天気 zurich", in: scenario).isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `the best comes first: titles, words that stand together, then what is newer`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            let filler = String(repeating: "something else entirely ", count: 12)
            _ = try await scenario.say("green \(filler) tea", turn: 1, answer: 1, in: 1, at: 40_000)
            _ = try await scenario.say("a cup of green tea", turn: 2, answer: 2, in: 2, at: 10_000)
            _ = try await scenario.say("a pot of green tea", turn: 3, answer: 3, in: 3, at: 20_000)
            _ = try await scenario.say("nothing", turn: 4, answer: 4, in: 4, at: 5_000)
            _ = try await scenario.store.patchConversation(4, of: scenario.ann, .init(title: "Green tea"), now: 50)
            #expect(try await found("green tea", in: scenario) == ["t 4", "p 3", "p 2", "p 1"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `an excerpt is one line around the words, and says in bytes where they are`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            let before = String(repeating: "much ado about it. ", count: 30)
            let text = before + "\nThen the Größe of\tit <b>matters</b>. " + before
            _ = try await scenario.say(text, turn: 1, answer: 1, in: 1)
            while try await scenario.store.settleSearch(maximumBytes: 1 << 20) {}
            let hit = try #require(try await scenario.store.search("große matt", of: scenario.ann, limit: 5).first)
            #expect(hit.excerpt.text.hasPrefix("…") && hit.excerpt.text.hasSuffix("…"))
            #expect(!hit.excerpt.text.contains("\n") && !hit.excerpt.text.contains("\t"))
            #expect(hit.excerpt.text.utf8.count < 300)
            let bytes = Array(hit.excerpt.text.utf8)
            let marked = hit.excerpt.matches.map { String(decoding: bytes[$0], as: UTF8.self) }
            #expect(marked == ["Größe", "matters"])
        }
    }

    @Test("S18 deleted text is gone from the index at once", arguments: StoreKind.allCases)
    func deletion(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            let store = scenario.store
            for id in 1...4 as ClosedRange<UInt64> {
                _ = try await scenario.say(
                    "canary number \(id)", turn: .init(high: 0, low: id), answer: .init(high: 0, low: id),
                    in: .init(high: 0, low: id), at: Timestamp(milliseconds: Int64(id) * 10_000))
                try await reply(
                    "a canary again", as: .init(high: 0, low: id), to: .init(high: 0, low: id), in: scenario)
                if id == 3 { _ = try await found("canary", in: scenario) }
            }
            // One that is indexed and one that waits for it.
            for id in [1, 4] as [ConversationID] {
                _ = try await store.deleteConversation(id, of: scenario.ann, now: 90)
            }
            #expect(
                try await store.search("canary", of: scenario.ann, limit: 50).allSatisfy {
                    [2, 3].contains($0.conversation)
                })
            #expect(Set(try await found("canary", in: scenario)) == ["p 2", "a 2", "p 3", "a 3"])
            _ = try await store.deleteConversations(of: scenario.ann, now: 95)
            #expect(try await store.search("canary", of: scenario.ann, limit: 50).isEmpty)
            // What comes after takes the places of what is gone, and is found alone.
            _ = try await scenario.say("canary reborn", turn: 9, answer: 9, in: 9, at: 10_000)
            #expect(try await found("canary", in: scenario) == ["p 9"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a title is found under its new words alone`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            _ = try await scenario.say("x", turn: 1, answer: 1, in: 1)
            _ = try await scenario.store.setTitle(
                "First words", source: .firstWords, of: 1, account: scenario.ann, now: 20)
            #expect(try await found("first", in: scenario) == ["t 1"])
            _ = try await scenario.store.setTitle("A model's", source: .model, of: 1, account: scenario.ann, now: 21)
            #expect(try await scenario.store.search("first", of: scenario.ann, limit: 9).isEmpty)
            #expect(try await found("model", in: scenario) == ["t 1"])
            _ = try await scenario.store.patchConversation(1, of: scenario.ann, .init(title: "Mine"), now: 22)
            _ = try await scenario.store.patchConversation(1, of: scenario.ann, .init(title: "Mine again"), now: 23)
            #expect(try await found("model", in: scenario).isEmpty)
            #expect(try await found("mine", in: scenario) == ["t 1"])
        }
    }

    @Test("S23 a temporary conversation is never in the index", arguments: StoreKind.allCases)
    func temporary(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            _ = try await scenario.say("canary", turn: 1, answer: 1, in: 1, isTemporary: true)
            try await reply("canary", as: 1, to: 1, in: scenario)
            #expect(try await found("canary", in: scenario).isEmpty)
        }
    }

    @Test("S18 words of deleted texts leave the file once the index was swept")
    func sweep() async throws {
        try await TemporaryFolder.use { folder in
            let path = folder + "/rejoin.db"
            let scenario = try StoreScenario { try SQLiteStore(path: path, onChange: $0) }
            try await scenario.createAccounts()
            for id in 1...40 as ClosedRange<UInt64> {
                let words = id % 2 == 0 ? "zanzibarquux" : "ordinary"
                _ = try await scenario.say(
                    "\(words) 東京特許 \(id)", turn: .init(high: 0, low: id), answer: .init(high: 0, low: id),
                    in: .init(high: 0, low: id))
                _ = try await scenario.store.settleSearch(maximumBytes: 1)
            }
            #expect(try await found("zanzibarquux", in: scenario).count == 20)
            #expect(try await !scenario.store.sweepSearch())
            for id in stride(from: UInt64(2), through: 40, by: 2) {
                _ = try await scenario.store.deleteConversation(.init(high: 0, low: id), of: scenario.ann, now: 90)
            }
            #expect(try await found("zanzibarquux", in: scenario).isEmpty)
            while try await scenario.store.sweepSearch() {}
            try await scenario.store.close()
            for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
                let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file))
                #expect(data.range(of: Data("zanzibar".utf8)) == nil, "\(file)")
            }
            let again = try SQLiteStore(path: path) { _, _ in }
            #expect(try await again.search("ordinary", of: scenario.ann, limit: 100).count == 20)
            #expect(try await again.search("特許", of: scenario.ann, limit: 100).count == 20)
            try await again.close()
        }
    }

    @Test func `everything that an older file holds is indexed step by step`() async throws {
        try await TemporaryFolder.use { folder in
            let path = folder + "/old.db"
            let first = try StoreScenario { try SQLiteStore(path: path, onChange: $0) }
            try await first.createAccounts()
            for id in 1...150 as ClosedRange<UInt64> {
                _ = try await first.say(
                    "old words \(id)", turn: .init(high: 0, low: id), answer: .init(high: 0, low: id), in: 1,
                    at: Timestamp(milliseconds: Int64(id) * 1000))
            }
            try await first.store.close()
            let second = try StoreScenario { try SQLiteStore(path: path, onChange: $0) }
            var steps = 0
            while try await second.store.settleSearch(maximumBytes: 500) { steps += 1 }
            #expect(steps > 2)
            #expect(try await second.store.search("old 77", of: second.ann, limit: 5).map(\.turn?.low) == [77])
            // The newest of many come, and no more than are compared.
            let hits = try await second.store.search("words", of: second.ann, limit: 100)
            #expect(hits.count == 100 && hits.allSatisfy { ($0.turn?.low ?? 0) > 30 })
            try await second.store.close()
        }
    }
}
