/// What came of asking where an operation can run, in words for a person and in a line for support.
public struct Explanation: Sendable, Hashable {
    /// What is said, by its name.
    public let key: MessageKey
    /// What is said, in English.
    public let sentence: String
    /// What the person can do about it; `nil` where nothing is needed, or nothing helps.
    public let action: NextAction?
    /// The facts in one line without anything that a person or a model wrote, and without names of recipients.
    public let support: String

    init(key: MessageKey, action: NextAction?, support: String) {
        self.key = key
        sentence = key.sentence
        self.action = action
        self.support = support
    }
}

extension Resolution {
    /// The words for it.
    public func explain() -> Explanation {
        switch self {
        case .run(let decision): return decision.explain()
        case .wait(let wait):
            let key: MessageKey = wait.state == .busy ? .waitsForTurn : .waitsForPreparation
            return Explanation(key: key, action: NextAction(wait.state), support: support)
        case .askConsent(let question):
            return Explanation(key: .asksConsent, action: .giveConsent(question.request), support: support)
        case .unavailable(let refusal):
            guard let reason = Self.obstacle(in: refusal.rejected) else {
                return Explanation(key: .notConfigured, action: nil, support: support)
            }
            return Explanation(key: MessageKey(reason), action: Self.action(for: reason, refusal), support: support)
        }
    }

    /// The one reason that is worth telling: of the route that is closest to running, the one that keeps it.
    ///
    /// A route of which the person can clear away every reason is closer than one with a reason that stays, and the
    /// device is closer than what lies beyond it. Where a person can do nothing, the device's reason is the honest one.
    private static func obstacle(in rejected: [RejectedRoute]) -> Ineligibility? {
        var best: (reason: Ineligibility, distance: Int)?
        // That no rule answers is never why a person goes without: rules are few on purpose.
        for route in rejected where route.route != .deterministic {
            let reasons = route.why.filter { !isBeside($0) }
            guard let first = reasons.first(where: { NextAction(against: $0) == nil }) ?? reasons.first else {
                continue
            }
            let stuck = reasons.count { NextAction(against: $0) == nil || isLastResort($0) }
            let distance = stuck * 100 + reasons.count * 10 + route.route.kind.rank
            if best.map({ distance < $0.distance }) ?? true { best = (first, distance) }
        }
        return best?.reason
    }

    /// Hardware that cannot do it stays as it is; only another route is a way out.
    private static func isLastResort(_ reason: Ineligibility) -> Bool { reason == .local(.hardwareIneligible) }

    /// Reasons that say nothing about why a person does not get what they asked for.
    private static func isBeside(_ reason: Ineligibility) -> Bool {
        switch reason {
        case .noRuleMatched, .notConfigured, .notEvaluated, .notPermitted: true
        default: false
        }
    }

    /// What helps; another route is offered only where there is one.
    private static func action(for reason: Ineligibility, _ refusal: RouteRefusal) -> NextAction? {
        let action = NextAction(against: reason)
        let hasOther = refusal.rejected.contains { $0.route.leavesDevice && !$0.why.contains(.notConfigured) }
        return action == .useServer && !hasOther ? nil : action
    }

    /// The facts in one line without any text of a person's or a model's, and without names of recipients.
    public var support: String {
        switch self {
        case .run(let decision): decision.support
        case .wait(let wait):
            SupportLine.make(
                "wait=" + wait.state.rawValue, wait.profile, wait.mode, wait.policyVersion, wait.rejected)
        case .askConsent(let question):
            SupportLine.make(
                "ask=" + RouteLabel(question.route).rawValue, question.profile, question.mode, question.policyVersion,
                question.rejected)
        case .unavailable(let refusal):
            SupportLine.make("refused", refusal.profile, refusal.mode, refusal.policyVersion, refusal.rejected)
        }
    }
}

extension RouteDecision {
    /// The words for it.
    public func explain() -> Explanation {
        let key: MessageKey =
            switch primary.kind {
            case .deterministic: .runsByRule
            case .onDevice: .runsHere
            case .privateCloud: .runsInPrivateCloud
            case .cloud: .runsOnServer
            }
        return Explanation(key: key, action: nil, support: support)
    }

    /// The facts in one line without any text of a person's or a model's, and without names of recipients.
    public var support: String {
        let fallbacks = fallbacks.map { fallback in
            switch fallback {
            case .mayAsk(let route): "ask:" + RouteLabel(route).rawValue
            case .recheck(let route): "recheck:" + RouteLabel(route).rawValue
            }
        }
        let outcome =
            "run=\(RouteLabel(primary).rawValue) reason=\(ReasonLabel(reason).rawValue) "
            + "fallback=\(fallbacks.isEmpty ? "none" : fallbacks.joined(separator: ",")) "
            + "boundaries=\(boundaries.map(SupportLine.label).sorted().joined(separator: ",")) "
            + "will-upload=\(willUpload) may-upload=\(mayUpload)"
        return SupportLine.make(outcome, profile, mode, policyVersion, rejected)
    }
}
