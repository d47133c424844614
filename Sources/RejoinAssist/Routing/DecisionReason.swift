/// Why a decision took the route that it took.
public enum DecisionReason: Sendable, Hashable {
    /// A rule answers it, and no model runs.
    case ruleMatched
    /// It comes first in the order of preference.
    case preferred
    /// The device's model can run, and lacks something that the operation needs.
    case localLacks(LocalLack)
    /// The device's model could do it, and cannot run now.
    case localUnavailable(LocalState)
    /// The device's model is not allowed to: by a switch, the policy or the person's plan.
    case localForbidden
    /// A route that is preferred to it is out, and it was not the device's.
    case preferredUnavailable
    /// Another route had failed.
    case fallback(after: FailureClass)
}

/// What a model on the device may lack for an operation.
public enum LocalLack: String, Sendable, Hashable, CaseIterable { case capability, language, context }
