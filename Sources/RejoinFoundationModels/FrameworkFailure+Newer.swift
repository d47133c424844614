#if canImport(FoundationModels, _version: 2)
internal import Foundation
internal import FoundationModels
internal import RejoinAssist
internal import RejoinCore

/// The second family: several types, where the first was one.
@available(macOS 27.0, iOS 27.0, visionOS 27.0, *)
extension FrameworkFailure {
    /// What an error of the second family means; nil for any other error.
    static func newerFailure(of error: any Error) -> AssistantFailure? {
        switch error {
        case let error as LanguageModelError: failure(of: error)
        case let error as LanguageModelSession.Error: failure(of: error)
        case let error as PrivateCloudComputeLanguageModel.Error: failure(of: error)
        case let error as SystemLanguageModel.Error:
            switch error {
            case .assetsUnavailable: .assetsUnavailable
            @unknown default: .unknown(type: ErrorTypeName(of: error))
            }
        case is GeneratedContent.ParsingError: .decoding
        default: nil
        }
    }

    private static func failure(of error: LanguageModelError) -> AssistantFailure {
        switch error {
        case .contextSizeExceeded: .contextTooLarge
        case .guardrailViolation: .guardrail
        case .refusal: .refused
        case .unsupportedLanguageOrLocale: .unsupportedLanguage
        case .rateLimited(let resetDate): .busy(until: timestamp(resetDate))
        case .timeout: .timeout
        case .unsupportedCapability, .unsupportedTranscriptContent, .unsupportedGenerationGuide: .capabilityMissing
        @unknown default: .unknown(type: ErrorTypeName(of: error))
        }
    }

    private static func failure(of error: LanguageModelSession.Error) -> AssistantFailure {
        switch error {
        case .concurrentRequests, .transcriptMutationWhileResponding: .gateViolation
        @unknown default: .unknown(type: ErrorTypeName(of: error))
        }
    }

    private static func failure(of error: PrivateCloudComputeLanguageModel.Error) -> AssistantFailure {
        switch error {
        case .networkFailure: .offline
        case .quotaLimitReached(_, let resetDate): .quotaReached(resets: timestamp(resetDate))
        case .serviceUnavailable: .serviceDown
        @unknown default: .unknown(type: ErrorTypeName(of: error))
        }
    }

    /// A date as a moment of ours; nil where there is none that can be.
    static func timestamp(_ date: Date?) -> Timestamp? {
        guard let date, let milliseconds = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) else {
            return nil
        }
        return Timestamp(milliseconds: milliseconds)
    }
}
#endif
