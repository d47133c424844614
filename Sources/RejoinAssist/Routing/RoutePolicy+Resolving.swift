extension RoutePolicy {
    /// Decides where an operation runs.
    ///
    /// Routes are looked at from the best on, and the first against which nothing speaks is taken; those after it are
    /// asked nothing. The same profile, environment and policy always give the same decision.
    public func resolve(_ profile: OperationProfile, in environment: RouteEnvironment) async -> Resolution {
        await decide(profile, in: environment, after: [], permitted: nil)
    }

    /// Decides where an operation goes on after a failure.
    ///
    /// Only routes that the failed decision permitted are looked at, by the same judge as any other, in the
    /// surroundings as they are now. After a failure that lies with the request or the person there is no other route.
    public func fallback(
        after failure: AssistantFailure, from decision: RouteDecision, in fresh: RouteEnvironment
    ) async -> Resolution {
        let tried = decision.tried + [TriedRoute(route: decision.primary, failure: failure)]
        let permitted = failure.isRecoverable ? decision.fallbacks.map(\.route) : []
        return await decide(decision.profile, in: fresh, after: tried, permitted: permitted)
    }

    private func decide(
        _ profile: OperationProfile, in environment: RouteEnvironment, after tried: [TriedRoute], permitted: [Route]?
    ) async -> Resolution {
        let routes = ranked(for: profile, mode: environment.mode)
        var eligibility = Eligibility(profile, policy: self, environment: environment)
        var rejected: [RejectedRoute] = []
        rejected.reserveCapacity(routes.count)
        for (index, route) in routes.enumerated() {
            if let barred = Self.barred(route, tried, permitted) {
                rejected.append(RejectedRoute(route, [barred]))
                continue
            }
            let reasons = await eligibility.reasons(against: route)
            guard reasons.isEmpty, let leg = eligibility.leg(for: route) else {
                if eligibility.canWait(reasons), case .local(let local)? = reasons.first {
                    return .wait(
                        RouteWait(
                            profile: profile, state: local.state, mode: environment.mode,
                            rejected: rejected + [RejectedRoute(route, reasons)]
                                + routes[(index + 1)...].map {
                                    RejectedRoute($0, [Self.barred($0, tried, permitted) ?? .notEvaluated])
                                },
                            policyVersion: version))
                }
                rejected.append(RejectedRoute(route, reasons))
                continue
            }
            let reason = Self.reason(for: route, after: tried, past: rejected)
            var fallbacks = Self.returns(to: rejected, from: route)
            for later in routes[(index + 1)...] {
                if let barred = Self.barred(later, tried, permitted) {
                    rejected.append(RejectedRoute(later, [barred]))
                    continue
                }
                guard route != .deterministic else {
                    rejected.append(RejectedRoute(later, [.notEvaluated]))
                    continue
                }
                let standing = await eligibility.standingReasons(against: later)
                guard standing.allSatisfy(\.isConsentMissing), let leg = eligibility.leg(for: later) else {
                    rejected.append(RejectedRoute(later, standing))
                    continue
                }
                rejected.append(RejectedRoute(later, standing + [.notEvaluated]))
                fallbacks.append(FallbackLeg(leg: leg, asks: !standing.isEmpty))
            }
            return .run(
                RouteDecision(
                    profile: profile, mode: environment.mode, reason: reason, rejected: rejected,
                    policyVersion: version, tried: tried, leg: leg, fallbackLegs: fallbacks))
        }
        for refusal in rejected where refusal.why.allSatisfy(\.isConsentMissing) {
            guard case .consentMissing(let request)? = refusal.why.first else { continue }
            return .askConsent(
                ConsentQuestion(
                    profile: profile, request: request, route: refusal.route, mode: environment.mode,
                    rejected: rejected, policyVersion: version))
        }
        return .unavailable(
            RouteRefusal(profile: profile, mode: environment.mode, rejected: rejected, policyVersion: version))
    }

    /// Why a route may not even be looked at after a failure.
    private static func barred(_ route: Route, _ tried: [TriedRoute], _ permitted: [Route]?) -> Ineligibility? {
        if let earlier = tried.first(where: { $0.route == route }) { return .failed(earlier.failure) }
        if let permitted, !permitted.contains(route) { return .notPermitted }
        return nil
    }

    /// The device's model as a fallback of a route that leaves the device, where it is out only for the moment.
    private static func returns(to rejected: [RejectedRoute], from route: Route) -> [FallbackLeg] {
        guard route.leavesDevice, let local = rejected.first(where: { $0.route == .onDevice }), local.why.count == 1,
            case .local(let availability) = local.why[0],
            availability.state.passesByItself || availability.state == .unknown
        else { return [] }
        return [FallbackLeg(leg: .onDevice, asks: false)]
    }

    private static func reason(
        for route: Route, after tried: [TriedRoute], past rejected: [RejectedRoute]
    ) -> DecisionReason {
        if let last = tried.last { return .fallback(after: FailureClass(last.failure)) }
        if route == .deterministic { return .ruleMatched }
        // The rule is always looked at first and says nothing about preference.
        guard rejected.count > 1 else { return .preferred }
        guard let local = rejected.first(where: { $0.route == .onDevice }) else { return .preferredUnavailable }
        for why in local.why {
            switch why {
            case .missing: return .localLacks(.capability)
            case .languageUnsupported: return .localLacks(.language)
            case .contextTooSmall: return .localLacks(.context)
            case .local(let availability): return .localUnavailable(availability.state)
            default: continue
            }
        }
        return .localForbidden
    }
}
