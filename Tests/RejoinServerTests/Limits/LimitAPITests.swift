import Foundation
import RejoinCore
import TestSupport
import Testing

@testable import RejoinServer

@Suite struct LimitAPITests {
    private static func book(_ quotas: Quota..., fallsBack: Bool = true) -> PlanBook {
        PlanBook(
            [
                Plan(
                    "guest", quotas: quotas, strongModels: ["large"], fallbackModel: "small", fallsBack: fallsBack)
            ], standard: "guest")
    }

    private func model(_ name: String = "large") -> ScriptedModel {
        ScriptedModel(name) { request in
            [
                .piece(.text("You said: ")), .piece(.text(request.messages.last?.text ?? "")),
                .piece(.usage(.init(inputTokens: 30, outputTokens: 12, isEstimated: false))),
                .end(.finished(.complete)),
            ]
        }
    }

    /// More rounds: `REJOIN_QUOTA_ROUNDS=1000 swift test --filter LimitAPITests/parallel`.
    private static let rounds = Int(ProcessInfo.processInfo.environment["REJOIN_QUOTA_ROUNDS"] ?? "") ?? 5

    @Test("S20 twenty parallel turns against a quota of one: one run and nineteen refusals with the reset time")
    func parallel() async throws {
        let model = model()
        try await APIHarness.run(model) {
            $0.plans = Self.book(Quota(.turns, amount: 1, hours: 8784))
        } _: { server in
            for round in 1...Self.rounds {
                let ann = try await server.device("ann \(round)")
                let replies = try await withThrowingTaskGroup(of: TestClient.Reply.self) { group in
                    for _ in 1...20 {
                        group.addTask { try await server.web.put(server.web.draft("Hello"), ann) }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                let admitted = replies.compactMap { $0.json["answer"]?.string.flatMap { AnswerID($0) } }
                for answer in admitted { _ = try await server.web.fold(answer, ann) }
                let refused = replies.compactMap(\.problem)
                try #require(replies.count { $0.status == 201 } == 1, "round \(round)")
                try #require(refused.count == 19, "round \(round)")
                let now = server.surroundings.wall()
                for problem in refused {
                    try #require(problem.kind == .limitReached && problem.limit?.capability == "turns")
                    let resetsAt = try #require(problem.limit?.resetsAt)
                    try #require(resetsAt > now)
                }
            }
            #expect(model.requests.count == Self.rounds)
        }
    }

    @Test(
        "S20 S21 a refusal stores and counts nothing, says when it lifts, and the fields of every counting reply agree")
    func wire() async throws {
        let model = model()
        try await APIHarness.run(model) {
            $0.plans = Self.book(Quota(.turns, amount: 2, hours: 8784), Quota(.tokens, amount: 5000, hours: 8784))
        } _: { server in
            let ann = try await server.device("ann")
            let first = server.web.draft("Hello")
            let reply = try await server.web.put(first, ann)
            #expect(reply.field("RateLimit-Policy")?.hasPrefix(#""turns";q=2;w=31622400, "tokens";q=5000;"#) == true)
            #expect(reply.field("RateLimit")?.hasPrefix(#""turns";r=1;t="#) == true)
            _ = try await server.web.fold(first.answer, ann)
            // The same again is no request that counts.
            let again = try await server.web.put(first, ann)
            #expect(again.status == 200 && again.field("RateLimit") == nil)
            let second = server.web.draft("More")
            _ = try await server.web.put(second, ann)
            _ = try await server.web.fold(second.answer, ann)
            let late = server.web.draft("Too much")
            for _ in 1...3 {
                let refused = try await server.web.put(late, ann)
                #expect(refused.status == 429 && refused.problem?.kind == .limitReached)
                #expect(refused.field("Content-Type") == "application/problem+json")
                #expect(refused.field("RateLimit")?.hasPrefix(#""turns";r=0;t="#) == true)
                let wait = try #require(refused.field("Retry-After").flatMap { Int($0) })
                let resetsAt = try #require(refused.problem?.limit?.resetsAt)
                let distance = resetsAt.milliseconds / 1000 - server.surroundings.wall().milliseconds / 1000
                #expect(abs(Int64(wait) - distance) <= 2)
            }
            let gone = try await server.web.send("GET", "/v1/conversations/\(late.conversation)", ann)
            #expect(gone.status == 404)
            // Another answer to a turn costs what the first one did.
            let other: AnswerID = server.surroundings.makeID()
            let regenerated = try await server.web.send(
                "PUT", "/v1/turns/\(first.turn)/answers/\(other)", ann, json: "{}")
            #expect(regenerated.problem?.limit?.capability == "turns")
            let compatible = try await server.web.send(
                "POST", "/openai/v1/chat/completions", ann,
                json: #"{"model":"large","messages":[{"role":"user","content":"Hi"}]}"#)
            #expect(compatible.status == 429 && compatible.field("Retry-After") != nil)
            #expect(model.requests.count == 2)
        }
    }

    @Test(
        "S21 A58 the figures are true, move when an answer is settled, and a plan can be changed while the server runs")
    func figures() async throws {
        try await APIHarness.run(model()) {
            $0.plans = Self.book(Quota(.turns, amount: 9), Quota(.tokens, amount: 5000))
            $0.plans.plans.append(Plan("family"))
        } _: { server in
            let ann = try await server.device("ann")
            func figures() async throws -> [String] {
                let reply = try await server.web.send("GET", "/v1/limits", ann)
                return try JSONReader.parse(reply.body).array?.compactMap { item in
                    guard let item = item.object, item["resets_at"]?.string.flatMap({ Timestamp($0) }) != nil,
                        item["as_of"]?.string.flatMap({ Timestamp($0) }) != nil, item["plan"]?.string == "guest"
                    else { return nil }
                    let remaining = item["remaining"]?.integer ?? -1
                    return "\(item["capability"]?.string ?? "") \(remaining) of \(item["limit"]?.integer ?? -1)"
                } ?? []
            }
            #expect(try await figures() == ["turns 9 of 9", "tokens 5000 of 5000"])
            let draft = server.web.draft("Hello")
            _ = try await server.web.put(draft, ann)
            _ = try await server.web.fold(draft.answer, ann)
            #expect(try await figures() == ["turns 8 of 9", "tokens 4958 of 5000"])
            _ = try await server.store.setPlan("family", of: ann.account, now: server.surroundings.wall())
            #expect(try await figures() == [])
        }
    }

    @Test("S21 A62 at the limit of a stronger model the weaker one answers, and its event says why")
    func fallback() async throws {
        let (large, small) = (model(), model("small"))
        try await APIHarness.run(large, small) {
            $0.plans = Self.book(Quota(.strongTurns, amount: 1, hours: 8784))
        } _: { server in
            let ann = try await server.device("ann")
            let (first, second) = (server.web.draft("One"), server.web.draft("Two"))
            _ = try await server.web.put(first, ann)
            #expect(try await server.web.fold(first.answer, ann).model == Event.Model("large", placement: .server))
            #expect(try await server.web.put(second, ann).status == 201)
            let answer = try await server.web.fold(second.answer, ann)
            #expect(answer.model == Event.Model("small", placement: .server, reason: "limit-reached"))
            #expect(answer.text == "You said: Two")
            let snapshot = try await server.web.send("GET", "/v1/answers/\(second.answer)", ann)
            #expect(snapshot.json["model"]?.string == "small")
            // The same turn is the same answer, whatever the limit is by now.
            #expect(try await server.web.put(second, ann).status == 200)
            #expect(large.requests.count == 1 && small.requests.count == 1)
        }
    }

    @Test("S20 an answer that a crash cut is settled by an estimate at the next start, once")
    func crash() async throws {
        let scenario = StoreScenario { MemoryStore(onChange: $0) }
        try await scenario.createAccounts()
        let terms = AdmissionTerms(
            plans: Self.book(Quota(.turns, amount: 5), Quota(.tokens, amount: 5000)),
            charge: Plan.Charge(model: "large", inputTokens: 2, outputTokens: 500))
        for number in 1...2 as ClosedRange<UInt64> {
            let turn = TurnRecord(
                id: TurnID(high: 0, low: number), conversation: ConversationID(high: 0, low: number), parent: nil,
                content: [.text("Hello")], model: "auto", options: [], createdAt: 10)
            _ = try await scenario.store.admit(
                TurnAdmission(
                    account: scenario.ann, turn: turn, answer: AnswerID(high: 0, low: number), terms: terms))
        }
        // The first had been asked and had said something; the second still waited.
        var script = LogScript(1, of: 1)
        var entry = script.entry([.model(.init("large", placement: .server)), .text("12345678")])
        entry.sent = Sending(.answer, model: "large", placement: .server, bytes: 400)
        _ = try await scenario.store.append([entry])
        for _ in 1...2 { _ = try await Recovery.interruptUnfinished(in: scenario.store, at: 40) }
        #expect(
            try await scenario.store.charge(of: 1)?.settlement
                == .init(at: 40, tokens: 102, isEstimated: true, counts: true))
        #expect(try await scenario.store.charge(of: 2)?.settlement?.counts == false)
        let left = try await scenario.store.limits(of: scenario.ann, plans: terms.plans, now: 50).map(\.remaining)
        #expect(left == [4, 4898])
        #expect(try await scenario.store.answer(1, of: scenario.ann).value?.usage?.isEstimated == true)
    }
}
