/// What came of asking where an operation can run.
public enum Resolution: Sendable, Hashable {
    /// It runs.
    case run(RouteDecision)
    /// It can run on this device in a while, and the operation can wait.
    case wait(RouteWait)
    /// It can run if the person consents.
    case askConsent(ConsentQuestion)
    /// It cannot run.
    case unavailable(RouteRefusal)

    /// The decision, if it runs.
    public var decision: RouteDecision? { if case .run(let decision) = self { decision } else { nil } }

    /// Every route that was not taken, with the reasons.
    public var rejected: [RejectedRoute] {
        switch self {
        case .run(let decision): decision.rejected
        case .wait(let wait): wait.rejected
        case .askConsent(let question): question.rejected
        case .unavailable(let refusal): refusal.rejected
        }
    }
}

/// An operation that waits for the model on this device.
///
/// Whoever shows it asks again when the model's state changes. If the person does not want to wait after all, the same
/// profile with the urgency `now` is resolved.
public struct RouteWait: Sendable, Hashable {
    /// What was asked for.
    public let profile: OperationProfile
    /// What it waits for to pass.
    public let state: LocalState
    /// The mode under which it was decided.
    public let mode: ExecutionMode
    /// Every route, with the reasons against it.
    public let rejected: [RejectedRoute]
    /// The version of the policy that decided.
    public let policyVersion: Int
}

/// A question to the person, after which an operation can run.
public struct ConsentQuestion: Sendable, Hashable {
    /// What was asked for.
    public let profile: OperationProfile
    /// What the person is asked to consent to.
    public let request: ConsentRequest
    /// Where it will run then.
    public let route: Route
    /// The mode under which it was decided.
    public let mode: ExecutionMode
    /// Every route, with the reasons against it.
    public let rejected: [RejectedRoute]
    /// The version of the policy that decided.
    public let policyVersion: Int
}

/// An operation that cannot run, with everything that stands in its way.
public struct RouteRefusal: Sendable, Hashable {
    /// What was asked for.
    public let profile: OperationProfile
    /// The mode under which it was decided.
    public let mode: ExecutionMode
    /// Every route, with the reasons against it.
    public let rejected: [RejectedRoute]
    /// The version of the policy that decided.
    public let policyVersion: Int
}
