import RejoinCore
import RejoinServer
import TestSupport
import Testing

@Suite struct LedgerTests {
    private let book = PlanBook(
        [
            Plan("guest", quotas: [Quota(.turns, amount: 3), Quota(.tokens, amount: 2000)]),
            Plan("one", quotas: [Quota(.turns, amount: 1)]),
        ], standard: "guest")

    private func ask(
        _ scenario: StoreScenario, _ number: UInt64, answer: AnswerID? = nil, at: Timestamp = 10,
        book: PlanBook? = nil
    ) async throws -> Admission {
        let turn = TurnRecord(
            id: TurnID(high: 0, low: number), conversation: ConversationID(high: 0, low: number), parent: nil,
            content: [.text("Hello")], model: "auto", options: Array("{}".utf8), createdAt: at)
        let charge = Plan.Charge(model: "m", inputTokens: 100, outputTokens: 400)
        return try await scenario.store.admit(
            TurnAdmission(
                account: scenario.ann, turn: turn, answer: answer ?? AnswerID(high: 0, low: number),
                terms: AdmissionTerms(plans: book ?? self.book, charge: charge)))
    }

    private func left(_ scenario: StoreScenario, at now: Timestamp = 20) async throws -> [Int] {
        try await scenario.store.limits(of: scenario.ann, plans: book, now: now).map(\.remaining)
    }

    @Test(
        "S20 twenty turns at once against a quota of one admit one and refuse nineteen", arguments: StoreKind.allCases)
    func atOnce(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            _ = try await scenario.store.setPlan("one", of: scenario.ann, now: 2)
            let outcomes = try await withThrowingTaskGroup(of: Admission.self) { group in
                for number in 1...20 as ClosedRange<UInt64> { group.addTask { try await ask(scenario, number) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0.admitted != nil } == 1)
            let limit = LimitReached(capability: "turns", limit: 1, resetsAt: 86_400_000)
            #expect(outcomes.count { $0 == .limited(limit) } == 19)
        }
    }

    @Test("S20 A63 the same turn twenty times counts once, and a refusal counts nothing", arguments: StoreKind.allCases)
    func repeats(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            for number in 1...20 as ClosedRange<UInt64> {
                _ = try await ask(scenario, 1, answer: AnswerID(high: 0, low: number))
            }
            #expect(try await left(scenario) == [2, 1500])
            _ = try await ask(scenario, 2)
            _ = try await ask(scenario, 3)
            for _ in 1...5 {
                guard case .limited = try await ask(scenario, 4) else {
                    Issue.record("not refused")
                    return
                }
            }
            #expect(try await left(scenario) == [0, 500])
            #expect(try await scenario.store.turn(4, of: scenario.ann) == .notFound)
            #expect(try await scenario.store.charge(of: 4) == nil)
            // What was admitted is answered at the limit too, and another's limit is another's.
            #expect(try await ask(scenario, 1).repeated?.id == 1)
            #expect(
                try await scenario.store.limits(of: scenario.ben, plans: book, now: 20).map(\.remaining) == [3, 2000])
            // The next day all is there again.
            #expect(try await left(scenario, at: 86_400_000) == [3, 2000])
            #expect(try await ask(scenario, 4, at: 86_400_001).admitted != nil)
        }
    }

    @Test(
        "S20 usage is settled once: reported, estimated, deleted, or nothing for what never reached a model",
        arguments: StoreKind.allCases)
    func settles(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            let store = scenario.store
            _ = try await ask(scenario, 1)
            var stopped = LogScript(1, of: 1)
            try await scenario.write(
                &stopped, .text("Hi"), .usage(.init(inputTokens: 90, outputTokens: 10, isEstimated: true)),
                .end(.init(.stopped, .stoppedByPerson)), at: 30)
            #expect(
                try await store.charge(of: 1)?.settlement
                    == .init(at: 30, tokens: 100, isEstimated: true, counts: true))
            #expect(try await left(scenario) == [2, 1900])

            // In line when it was stopped: all comes back.
            _ = try await ask(scenario, 2)
            #expect(try await left(scenario) == [1, 1400])
            var waiting = LogScript(2, of: 2)
            try await scenario.write(&waiting, .end(.init(.stopped, .stoppedByPerson)), at: 31)
            #expect(try await store.charge(of: 2)?.settlement?.counts == false)
            #expect(try await left(scenario) == [2, 1900])

            // Deleted while it was being written: nobody knows, so the reservation stands.
            _ = try await ask(scenario, 3)
            _ = try await store.deleteConversation(3, of: scenario.ann, now: 32)
            #expect(
                try await store.charge(of: 3)?.settlement
                    == .init(at: 32, tokens: 500, isEstimated: true, counts: true))
            #expect(try await left(scenario) == [1, 1400])

            // More than there was, and a figure that is nonsense: what is left is nothing, and never less.
            _ = try await ask(scenario, 4)
            var greedy = LogScript(4, of: 4)
            try await scenario.write(
                &greedy, .usage(.init(inputTokens: .max, outputTokens: -7, isEstimated: false)),
                .end(.init(.failed, .emptyAnswer)), at: 33)
            #expect(try await left(scenario) == [0, 0])
            #expect(try await store.charge(of: 4)?.settlement?.tokens == 1 << 40)
            // The end cannot come twice, so neither can the settling.
            let late = greedy.entry([.text("late")])
            await #expect(throws: StoreFailure.self) { _ = try await store.append([late]) }
            #expect(try await store.charge(of: 4)?.settlement?.at == 33)
        }
    }

    @Test("S20 figures that move reach the feed, and one entry stands for all of them", arguments: StoreKind.allCases)
    func feeds(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            for number in 1...3 as ClosedRange<UInt64> { _ = try await ask(scenario, number) }
            _ = try await ask(scenario, 4)
            var script = LogScript(1, of: 1)
            try await scenario.write(
                &script, .usage(.init(inputTokens: 1, outputTokens: 1, isEstimated: false)),
                .end(.init(.done, .complete)))
            let kinds = try await scenario.feed().map { $0.split(separator: " ")[1] }
            #expect(kinds.count { $0 == "limits" } == 1)
            #expect(kinds.suffix(2) == ["limits", "answer"])
            // A household without plans hears nothing of limits.
            let before = try await scenario.store.changeCursor(of: scenario.ben)
            _ = try await scenario.say(turn: 50, answer: 50, in: 50, by: scenario.ben)
            let page = try await scenario.store.changes(of: scenario.ben, after: before, limit: 10)
            guard case .changes(let changes, _, _) = page else { return }
            #expect(changes.map(\.kind) == [.conversation, .turn, .answer])
        }
    }

    @Test(
        "S21 a plan holds from the next prompt on, and a name that no plan has stands for everybody's",
        arguments: StoreKind.allCases)
    func plans(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            let store = scenario.store
            _ = try await ask(scenario, 1)
            #expect(try await store.setPlan("one", of: scenario.ann, now: 11))
            guard case .limited(let limit) = try await ask(scenario, 2) else {
                Issue.record("not refused")
                return
            }
            #expect(limit.limit == 1)
            #expect(try await store.account(scenario.ann)?.plan == "one")
            _ = try await store.setPlan("gone", of: scenario.ann, now: 12)
            #expect(try await store.limits(of: scenario.ann, plans: book, now: 20).first?.plan == "guest")
            _ = try await store.setPlan(nil, of: scenario.ann, now: 13)
            #expect(try await ask(scenario, 2).admitted != nil)
            #expect(try await !store.setPlan("one", of: 77, now: 14))
            #expect(try await store.limits(of: scenario.ann, plans: .unlimited, now: 20) == [])
            let details = try await store.audit(of: scenario.ann, before: nil, limit: 10).map(\.detail)
            #expect(details == [nil, "gone", "one"])
        }
    }

    @Test("S20 an old ledger goes, and what still counts stays", arguments: StoreKind.allCases)
    func expires(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            for number in 1...2 as ClosedRange<UInt64> { _ = try await ask(scenario, number) }
            var script = LogScript(1, of: 1)
            try await scenario.write(
                &script, .usage(.init(inputTokens: 1, outputTokens: 1, isEstimated: false)),
                .end(.init(.done, .complete)), at: 30)
            try await scenario.store.expireLedger(before: 31)
            #expect(try await scenario.store.charge(of: 1) == nil)
            #expect(try await scenario.store.charge(of: 2) != nil)
        }
    }
}
