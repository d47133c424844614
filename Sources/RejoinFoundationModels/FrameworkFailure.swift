#if canImport(FoundationModels)
internal import FoundationModels
internal import RejoinAssist

/// What the framework's errors mean in the closed vocabulary.
///
/// There are two families. A program built with the older tools gets the first whatever the system, one built with the
/// newer tools the second; both are compiled, so neither can come unseen. Of an error that nobody knows, its type's name
/// is kept and nothing else: descriptions may hold a person's text.
@available(macOS 26.0, iOS 26.0, visionOS 26.0, *)
enum FrameworkFailure {
    static func failure(of error: any Error) -> AssistantFailure {
        if error is CancellationError { return .cancelled }
        if let error = error as? LanguageModelSession.GenerationError { return failure(of: error) }
        #if canImport(FoundationModels, _version: 2)
        if #available(macOS 27.0, iOS 27.0, visionOS 27.0, *), let failure = newerFailure(of: error) { return failure }
        #endif
        return .unknown(type: ErrorTypeName(of: error))
    }

    /// The first family.
    private static func failure(of error: LanguageModelSession.GenerationError) -> AssistantFailure {
        switch error {
        case .exceededContextWindowSize: .contextTooLarge
        case .assetsUnavailable: .assetsUnavailable
        case .guardrailViolation: .guardrail
        case .unsupportedGuide: .capabilityMissing
        case .unsupportedLanguageOrLocale: .unsupportedLanguage
        case .decodingFailure: .decoding
        case .rateLimited: .busy(until: nil)
        case .concurrentRequests: .gateViolation
        case .refusal: .refused
        @unknown default: .unknown(type: ErrorTypeName(of: error))
        }
    }
}
#endif
