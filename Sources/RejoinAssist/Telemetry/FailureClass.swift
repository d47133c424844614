/// Why an operation failed, as a label that telemetry and support may see.
public enum FailureClass: String, Sendable, Hashable, Codable, CaseIterable {
    case guardrail, refused, decoding, busy, timeout, offline, cancelled, unknown
    case assetsUnavailable = "assets-unavailable"
    case contextTooLarge = "context-too-large"
    case unsupportedLanguage = "unsupported-language"
    case capabilityMissing = "capability-missing"
    case quotaReached = "quota-reached"
    case signedOut = "signed-out"
    case notEntitled = "not-entitled"
    case consentMissing = "consent-missing"
    case serviceDown = "service-down"
    case invalidRequest = "invalid-request"
    case gateViolation = "gate-violation"

    /// The class of a failure; what nobody knows is `unknown`, without the name of its type.
    public init(_ failure: AssistantFailure) {
        self =
            switch failure {
            case .assetsUnavailable: .assetsUnavailable
            case .contextTooLarge: .contextTooLarge
            case .guardrail: .guardrail
            case .refused: .refused
            case .decoding: .decoding
            case .unsupportedLanguage: .unsupportedLanguage
            case .busy: .busy
            case .timeout: .timeout
            case .capabilityMissing: .capabilityMissing
            case .quotaReached: .quotaReached
            case .offline: .offline
            case .signedOut: .signedOut
            case .notEntitled: .notEntitled
            case .consentMissing: .consentMissing
            case .serviceDown: .serviceDown
            case .invalidRequest: .invalidRequest
            case .gateViolation: .gateViolation
            case .cancelled: .cancelled
            case .unknown: .unknown
            }
    }
}
