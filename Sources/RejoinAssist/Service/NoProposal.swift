/// Why an operation came back without a proposal: each case says what would change that.
///
/// It has no place for text from a model, a provider or a person.
@nonexhaustive public enum NoProposal: Error, Sendable, Hashable {
    /// It runs once the person consents.
    case needsConsent(ConsentQuestion)
    /// It runs on this device in a while; ask again when the model's state changes.
    case mustWait(RouteWait)
    /// Nowhere can it run; each route says why.
    case unavailable(RouteRefusal)
    /// The person took the consent back before it was over.
    case consentWithdrawn(ConsentRequest)
    /// What came back may not be shown.
    case rejected(ValidationFailure)
    /// The last route that could be tried failed.
    case failed(AssistantFailure)

    /// What was decided, where no route was begun.
    public var resolution: Resolution? {
        switch self {
        case .needsConsent(let question): .askConsent(question)
        case .mustWait(let wait): .wait(wait)
        case .unavailable(let refusal): .unavailable(refusal)
        case .consentWithdrawn, .rejected, .failed: nil
        }
    }
}
