import HTTPServer
import RejoinCore
import RejoinServer
import SeededRandom
import Testing

@Suite struct QuotaTests {
    @Test("S21 a day's window resets at its stated minute, a week's on a Monday, and windows leave no gap")
    func windows() {
        let noon = Timestamp("2026-11-30T12:00:00Z") ?? 0
        let day = Quota(.turns, amount: 1, hours: 24, startMinute: 4 * 60)
        #expect(day.window(at: noon).start.description == "2026-11-30T04:00:00.000Z")
        #expect(day.window(at: noon).end.description == "2026-12-01T04:00:00.000Z")
        let early = Timestamp("2026-11-30T03:59:59Z") ?? 0
        #expect(day.window(at: early).end.description == "2026-11-30T04:00:00.000Z")
        let week = Quota(.turns, amount: 1, hours: 168)
        // The 30th of November 2026 is a Monday.
        #expect(week.window(at: noon).start.description == "2026-11-30T00:00:00.000Z")
        #expect(week.window(at: noon).end.description == "2026-12-07T00:00:00.000Z")
        var random = SeededGenerator(seed: 20)
        for _ in 0..<2000 {
            let quota = Quota(
                .tokens, amount: 1, hours: .random(in: 1...8784, using: &random),
                startMinute: .random(in: 0..<1440, using: &random))
            let now = Timestamp(milliseconds: .random(in: -1_000_000_000...3_000_000_000_000, using: &random))
            let window = quota.window(at: now)
            #expect(window.start <= now && now < window.end)
            #expect(window.end.milliseconds - window.start.milliseconds == quota.length)
            #expect(quota.window(at: window.end).start == window.end)
        }
        _ = day.window(at: Timestamp(milliseconds: .min))
    }

    private let plan = Plan(
        "guest",
        quotas: [
            Quota(.turns, amount: 10, hours: 24), Quota(.tokens, amount: 1000, hours: 168),
            Quota(.strongTurns, amount: 2, hours: 5),
        ],
        strongModels: ["large"], fallbackModel: "small", fallsBack: true)

    private func decide(
        _ plan: Plan, _ model: String, turns: Int = 0, tokens: Int = 0, strong: Int = 0
    ) -> Plan.Decision {
        plan.decide(Plan.Charge(model: model, inputTokens: 100, outputTokens: 500), at: 0) { capability, _ in
            switch capability {
            case .turns: turns
            case .tokens: tokens
            case .strongTurns: strong
            }
        }
    }

    @Test("S21 A61 each capability is counted for itself, and only what a model is under")
    func capabilities() throws {
        guard case .take(let all) = decide(plan, "large"), case .take(let few) = decide(plan, "small", strong: 2) else {
            Issue.record("not admitted")
            return
        }
        #expect(all.map(\.capability) == [.turns, .tokens, .strongTurns])
        #expect(all.map(\.amount) == [1, 600, 1])
        #expect(few.map(\.capability) == [.turns, .tokens])
    }

    @Test("S21 at the limit of the stronger models the plan falls back, or refuses and names the weaker one")
    func fallback() {
        #expect(decide(plan, "large", strong: 2) == .weaker(model: "small"))
        var strict = plan
        strict.fallsBack = false
        guard case .refuse(let limit) = decide(strict, "large", strong: 2) else {
            Issue.record("not refused")
            return
        }
        #expect(limit.capability == "strong-turns" && limit.limit == 2 && limit.fallbackModel == "small")
        #expect(limit.resetsAt == strict.quotas[2].window(at: 0).end)
        // What limits every model is no reason to go to another.
        guard case .refuse(let turns) = decide(plan, "large", turns: 10, strong: 2) else {
            Issue.record("not refused")
            return
        }
        #expect(turns.capability == "turns" && turns.fallbackModel == nil)
    }

    @Test("S20 what is reserved is never more than what is left, and a prompt that is larger than that is refused")
    func tokens() {
        guard case .take(let rest) = decide(plan, "small", tokens: 850) else {
            Issue.record("not admitted")
            return
        }
        #expect(rest.first { $0.capability == .tokens }?.amount == 150)
        guard case .refuse(let limit) = decide(plan, "small", tokens: 901) else {
            Issue.record("not refused")
            return
        }
        #expect(limit.capability == "tokens")
        // An answer may have taken more than there was: what is left is nothing, and never less.
        let figures = plan.figures(at: 0) { _, _ in 5000 }
        #expect(figures.map(\.remaining) == [0, 0, 0])
    }

    @Test("S21 the RateLimit fields say policy and state of each quota")
    func fields() {
        let figures = plan.figures(at: 0) { capability, _ in capability == .turns ? 3 : 0 }
        let fields = RateLimitFields.fields(figures, at: 0)
        #expect(
            fields["RateLimit-Policy"]
                == #""turns";q=10;w=86400, "tokens";q=1000;w=604800;qu="tokens", "strong-turns";q=2;w=18000"#)
        #expect(fields["RateLimit"]?.hasPrefix(#""turns";r=7;t=86400, "tokens";r=1000;t="#) == true)
        #expect(RateLimitFields.fields([], at: 0).count == 0)
    }

    @Test("S21 a limit's problem document goes over the wire and back whole")
    func problem() {
        let limit = LimitReached(capability: "turns", limit: 3, resetsAt: 86_400_000, fallbackModel: "small")
        let problem = Problem(.limitReached, "words", retryAfter: limit.secondsLeft(at: 1), limit: limit)
        #expect(problem.retryAfter == 86_400)
        #expect(Problem(json: problem.json) == problem)
        #expect(limit.secondsLeft(at: 86_400_001) == 1)
        #expect(
            LimitReached(capability: "x", limit: 1, resetsAt: Timestamp(milliseconds: .max)).secondsLeft(at: -5) == 1)
    }
}
