import RejoinAssist
import RejoinCore
import SeededRandom
import Testing

@Suite struct BatchTests {
    private func decisions(_ draft: BatchDraft) throws -> [Decision<String>] {
        try Classify.pipeline(draft, against: Samples.classify).value.entries.map(\.decision)
    }

    @Test("R43 what cannot be relied on leaves its item as it is, each for its own reason")
    func reasons() throws {
        let draft = BatchDraft([
            ("a", .named("g1")), ("a", .named("g2")), ("b", .named("travel")), ("c", .named("Garden")),
            ("stranger", .named("g1")),
        ])
        let validated = try Classify.pipeline(draft, against: Samples.classify)
        #expect(
            validated.value.entries.map(\.decision) == [
                .keep(.conflicting), .keep(.alreadySo), .keep(.unknownGroup), .keep(.missing),
            ])
        #expect(validated.report.unknownIDs == 1)
        #expect(validated.report.kept == 4)
        #expect(Classify.changes(in: validated.value, for: Samples.classify).isEmpty)
    }

    @Test("R43 the same said twice is said once, and a title in any case is its group")
    func agreeing() throws {
        let draft = BatchDraft([("a", .named(" FOOD ")), ("a", .named("g1")), ("d", .nothing), ("c", .malformed)])
        #expect(try decisions(draft) == [.change("g1"), .keep(.missing), .keep(.malformed), .keep(.nothingFits)])
    }

    @Test(
        "R43 the same holds for what a model wrote, whichever form it has",
        arguments: [
            #"{"1": "Food", "2": "Food", "3": 7, "9": "Food", "-9223372036854775808": "Food"}"#,
            #"{"items": [{"id": "a", "group": "food"}, {"id": "b", "group": "g1"}, {"id": "c"}, {"id": "z", "group": "g1"}, 4]}"#,
        ])
    func fromText(text: String) throws {
        let draft = try Classify.draft(from: "Here you are:\n```\n\(text)\n```", for: Samples.classify)
        var expected: [Decision<String>] = [.change("g1"), .change("g1"), .keep(.malformed), .keep(.missing)]
        if text.contains("items") { expected[2] = .keep(.missing) }
        let found = try decisions(draft)
        #expect(found[0] == expected[0] && found[1] == expected[1] && found[3] == expected[3])
        #expect(found[2].value == nil)
    }

    @Test("R44 for every draft there is one decision an item, in order, and only groups that exist")
    func everyDraft() throws {
        var generator = SeededGenerator(seed: 44)
        let ids = (0..<9).map { "item \($0)" }
        let words = ["g1", "g2", "Food", "travel", "g3", "", "none", "\u{0}", "GARDEN"]
        for _ in 0..<3000 {
            let items = ids.prefix(Int.random(in: 0...9, using: &generator)).shuffled(using: &generator)
                .map { ItemBrief(id: $0, title: $0, group: ["g1", "g2", nil].randomElement(using: &generator) ?? nil) }
            var answers: [(item: String, answer: BatchDraft.Answer)] = []
            for _ in 0..<Int.random(in: 0...20, using: &generator) {
                let id = (ids + ["", "other"]).randomElement(using: &generator) ?? ""
                let answer: BatchDraft.Answer =
                    switch Int.random(in: 0...4, using: &generator) {
                    case 0: .nothing
                    case 1: .malformed
                    case 2: .unknownGroup
                    default: .named(words.randomElement(using: &generator) ?? "")
                    }
                answers.append((id, answer))
            }
            let pending = Set(ids.filter { _ in Int.random(in: 0...4, using: &generator) == 0 })
            let draft = BatchDraft(answers, pending: pending)
            let validated = try Classify.pipeline(draft, against: .init(items: items, groups: Samples.groups))
            #expect(validated.value.entries.map(\.id) == items.map(\.id))
            for (item, entry) in zip(items, validated.value.entries) {
                if let group = entry.decision.value { #expect(["g1", "g2"].contains(group) && group != item.group) }
                #expect((entry.decision == .pending) == pending.contains(item.id))
            }
            let report = validated.report
            #expect(report.changed + report.kept + report.pending == items.count)
            let grouped = try Group.pipeline(draft, against: .init(items: items))
            #expect(grouped.value.entries.map(\.id) == items.map(\.id))
        }
    }

    @Test("R45 a chunk that fails on the way leaves its items pending, and the others stand")
    func someFail() throws {
        let items = (0..<30).map { ItemBrief(id: "\($0)", title: "\($0)") }
        let input = Classify.Input(items: items, groups: Samples.groups)
        let chunks = Classify.chunks(of: input)
        #expect(chunks.map(\.items.count) == [10, 10, 10])
        #expect(chunks.flatMap(\.items) == items)
        let said = BatchDraft(chunks[0].items.map { ($0.id, .named("g1")) } + [("29", .named("g1"))])
        let draft = try Classify.merged(
            [.success(said), .failure(.offline), .failure(.decoding)], of: chunks, for: input)
        let batch = try Classify.pipeline(draft, against: input).value
        #expect(batch.entries[..<10].allSatisfy { $0.decision == .change("g1") })
        #expect(batch.entries[10..<20].allSatisfy { $0.decision == .pending })
        #expect(batch.entries[20...].allSatisfy { $0.decision == .keep(.malformed) })
        #expect(batch.pending == (10..<20).map(String.init))
        #expect(!batch.isSettledWithoutChange)
    }

    @Test("R45 where every chunk fails there is an error and no batch; an outage is never «nothing to change»")
    func allFail() throws {
        let input = Group.Input(items: (0..<20).map { ItemBrief(id: "\($0)", title: "\($0)") })
        let chunks = Group.chunks(of: input)
        #expect(throws: AssistantFailure.serviceDown) {
            try Group.merged([.failure(.serviceDown), .failure(.timeout)], of: chunks, for: input)
        }
        let half = try Group.merged([.success(BatchDraft()), .failure(.timeout)], of: chunks, for: input)
        #expect(try Group.pipeline(half, against: input).value.isSettledWithoutChange == false)
        // Stopped after the first chunk.
        let stopped = try Group.merged([.success(BatchDraft())], of: chunks, for: input)
        #expect(try Group.pipeline(stopped, against: input).value.pending.count == 10)
    }

    @Test func `groups have the first spelling of their name, and one item is no group`() throws {
        let input = Group.Input(items: Samples.items)
        let text = #"{"1": "Food", "2": "Trips", "3": "Misc", "4": "food."}"#
        let batch = try Group.pipeline(Group.draft(from: text, for: input), against: input).value
        #expect(
            batch.entries.map(\.decision) == [
                .change("Food"), .keep(.nothingFits), .keep(.nothingFits), .change("Food"),
            ])
    }

    @Test func `chunks are even, whole and in order`() {
        #expect(Chunks.of([Int]()).isEmpty)
        for count in 1...60 {
            let chunks = Chunks.of(Array(0..<count))
            #expect(chunks.flatMap(\.self) == Array(0..<count))
            #expect(chunks.allSatisfy { (1...Chunks.usualCount).contains($0.count) })
            #expect((chunks.map(\.count).max() ?? 0) - (chunks.map(\.count).min() ?? 0) <= 1)
        }
    }
}
