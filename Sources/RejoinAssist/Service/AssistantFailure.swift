public import RejoinCore

/// Why an operation gave no proposal: every route's errors in one closed vocabulary.
///
/// It has no place for text from a model, a provider or a person.
@nonexhaustive public enum AssistantFailure: Error, Sendable, Hashable {
    /// The model's files are not there or not ready.
    case assetsUnavailable
    /// The request does not fit the model's context.
    case contextTooLarge
    /// A safety rule of the model's maker stopped it.
    case guardrail
    /// The model declined.
    case refused
    /// What came back is not what was asked for.
    case decoding
    /// The model does not know the language.
    case unsupportedLanguage
    /// Too much is going on here, or there; until when, where that is known.
    case busy(until: Timestamp?)
    /// It took too long.
    case timeout
    /// The model lacks something that the operation needs.
    case capabilityMissing
    /// A quota is used up; when it starts anew, where that is known.
    case quotaReached(resets: Timestamp?)
    /// The device has no network.
    case offline
    /// Nobody is signed in, or the sign-in no longer counts.
    case signedOut
    /// The plan does not include it.
    case notEntitled
    /// Nobody consented to sending it, or they took that back.
    case consentMissing
    /// The server was reached and could not.
    case serviceDown
    /// The request was not accepted as it stands.
    case invalidRequest
    /// Two calls reached one session: a fault of the gate.
    case gateViolation
    /// The person, or the app, stopped it.
    case cancelled
    /// Anything else, by the name of its type alone.
    case unknown(type: ErrorTypeName)

    /// Whether another route may be tried: the fault lies with the route and not with the request or the person.
    public var isRecoverable: Bool {
        switch self {
        case .assetsUnavailable, .contextTooLarge, .guardrail, .decoding, .unsupportedLanguage, .busy, .timeout,
            .capabilityMissing, .quotaReached, .offline, .serviceDown, .gateViolation, .unknown:
            true
        case .refused, .signedOut, .notEntitled, .consentMissing, .invalidRequest, .cancelled: false
        }
    }
}

/// The name of an error's type: all that is kept of an error that nobody knows.
public struct ErrorTypeName: Sendable, Hashable {
    /// The type's full name.
    public let name: String

    /// Names the type of an error.
    public init(of error: some Error) {
        name = String(reflecting: type(of: error))
    }
}
