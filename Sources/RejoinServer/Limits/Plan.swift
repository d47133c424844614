package import RejoinCore

/// What an account may use: a quota for each thing that is counted, and what happens at a limit.
package struct Plan: Equatable, Sendable {
    package var name: String
    /// At most one for each capability.
    package var quotas: [Quota]
    /// The models whose answers count as strong turns.
    package var strongModels: [String]
    /// The weaker model that can answer when the strong turns are used up.
    package var fallbackModel: String?
    /// Whether that model answers by itself then; otherwise the refusal names it.
    package var fallsBack: Bool

    package init(
        _ name: String, quotas: [Quota] = [], strongModels: [String] = [], fallbackModel: String? = nil,
        fallsBack: Bool = false
    ) {
        self.name = name
        self.quotas = quotas
        self.strongModels = strongModels
        self.fallbackModel = fallbackModel
        self.fallsBack = fallsBack
    }

    /// What one answer is going to take, by estimate.
    package struct Charge: Equatable, Sendable {
        /// The model that would answer.
        package var model: String
        package var inputTokens: Int
        package var outputTokens: Int

        package init(model: String, inputTokens: Int = 0, outputTokens: Int = 0) {
            self.model = model
            self.inputTokens = inputTokens
            self.outputTokens = outputTokens
        }
    }

    /// How much of one quota an answer takes, and from which window.
    package struct Taking: Equatable, Sendable {
        package var capability: Quota.Capability
        package var window: QuotaWindow
        package var amount: Int
    }

    /// What a plan says to one more answer.
    package enum Decision: Equatable, Sendable {
        case take([Taking])
        /// Not by this model, but by that one.
        case weaker(model: String)
        case refuse(LimitReached)
    }

    /// Decides on one more answer.
    ///
    /// Tokens are not known beforehand: what is reserved is the estimate, or what is left if that is less, so that many
    /// answers at once cannot each count on the same rest.
    ///
    /// - Parameter used: how much of a quota its window has seen, reservations counted.
    package func decide(
        _ charge: Charge, at now: Timestamp, used: (Quota.Capability, QuotaWindow) throws -> Int
    ) rethrows -> Decision {
        var takings: [Taking] = []
        var exhausted: [(quota: Quota, window: QuotaWindow)] = []
        let isStrong = strongModels.contains(charge.model)
        for quota in quotas where quota.capability != .strongTurns || isStrong {
            let window = quota.window(at: now)
            let left = quota.amount - (try used(quota.capability, window))
            let (least, most) =
                switch quota.capability {
                case .turns, .strongTurns: (1, 1)
                case .tokens: (max(1, charge.inputTokens), max(1, charge.inputTokens + charge.outputTokens))
                }
            guard left >= least else {
                exhausted.append((quota, window))
                continue
            }
            takings.append(Taking(capability: quota.capability, window: window, amount: min(left, most)))
        }
        // All of them have to lift, so the last to do so is the one to tell.
        guard let last = exhausted.max(by: { $0.window.end < $1.window.end }) else { return .take(takings) }
        var fallback: String?
        if exhausted.allSatisfy({ $0.quota.capability == .strongTurns }), let fallbackModel,
            !strongModels.contains(fallbackModel)
        {
            if fallsBack { return .weaker(model: fallbackModel) }
            fallback = fallbackModel
        }
        return .refuse(
            LimitReached(
                capability: last.quota.capability.rawValue, limit: last.quota.amount, resetsAt: last.window.end,
                fallbackModel: fallback))
    }

    /// The figures to show.
    package func figures(
        at now: Timestamp, used: (Quota.Capability, QuotaWindow) throws -> Int
    ) rethrows -> [LimitFigure] {
        try quotas.map { quota in
            let window = quota.window(at: now)
            return LimitFigure(
                capability: quota.capability, plan: name, limit: quota.amount,
                remaining: max(0, quota.amount - (try used(quota.capability, window))), resetsAt: window.end,
                seconds: Int(quota.length / 1000), asOf: now)
        }
    }
}

/// One limit of an account as the server counted it at a moment.
package struct LimitFigure: Equatable, Sendable {
    package var capability: Quota.Capability
    package var plan: String
    package var limit: Int
    /// Never below zero, also where an answer took more than was left.
    package var remaining: Int
    package var resetsAt: Timestamp
    /// How long a window is.
    package var seconds: Int
    package var asOf: Timestamp
}

/// The plans that the configuration names, and the one for accounts without a plan of their own.
package struct PlanBook: Equatable, Sendable {
    package var plans: [Plan]
    /// Nil for no limit at all.
    package var standard: String?

    /// No plan, no limit: what a household has.
    package static let unlimited = PlanBook()

    package init(_ plans: [Plan] = [], standard: String? = nil) {
        self.plans = plans
        self.standard = standard
    }

    /// Whether nothing is counted for anybody, so that nothing has to be looked up.
    package var isUnlimited: Bool { plans.allSatisfy(\.quotas.isEmpty) }

    /// The plan of an account.
    ///
    /// A name that no plan has, left over from an older configuration, stands for the plan of everybody else.
    package func plan(named name: String?) -> Plan? {
        if let name, let plan = plans.first(where: { $0.name == name }) { return plan }
        guard let standard else { return nil }
        return plans.first { $0.name == standard }
    }
}

/// Under what terms a turn is admitted: what the store decides by in the same transaction.
package struct AdmissionTerms: Equatable, Sendable {
    package var plans: PlanBook
    package var charge: Plan.Charge

    /// Nothing is counted.
    package static let free = AdmissionTerms(plans: .unlimited, charge: Plan.Charge(model: ""))

    package init(plans: PlanBook, charge: Plan.Charge) {
        self.plans = plans
        self.charge = charge
    }
}
