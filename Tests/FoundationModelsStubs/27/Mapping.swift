internal import Foundation
internal import FoundationModels
internal import RejoinAssist

// Prints what each error of both families becomes, one a line.

struct Stranger: Error { let text = "CANARY" }

@main enum Mapping {
    static func main() {
        let context = LanguageModelSession.GenerationError.Context(debugDescription: "CANARY")
        let date = Date(timeIntervalSince1970: 1.5)
        let errors: [(String, any Error)] = [
            ("old.exceededContextWindowSize", LanguageModelSession.GenerationError.exceededContextWindowSize(context)),
            ("old.refusal", LanguageModelSession.GenerationError.refusal(.init(), context)),
            ("contextSizeExceeded", LanguageModelError.contextSizeExceeded(contextSize: 1, tokenCount: 2)),
            ("guardrailViolation", LanguageModelError.guardrailViolation),
            ("unsupportedGenerationGuide", LanguageModelError.unsupportedGenerationGuide(schemaName: "CANARY")),
            ("unsupportedLanguageOrLocale", LanguageModelError.unsupportedLanguageOrLocale(languageCode: nil)),
            ("rateLimited", LanguageModelError.rateLimited(resetDate: date)),
            ("rateLimited.never", LanguageModelError.rateLimited(resetDate: Date(timeIntervalSince1970: .infinity))),
            ("refusal", LanguageModelError.refusal),
            ("unsupportedCapability", LanguageModelError.unsupportedCapability(.vision)),
            ("unsupportedTranscriptContent", LanguageModelError.unsupportedTranscriptContent),
            ("timeout", LanguageModelError.timeout),
            ("assetsUnavailable", SystemLanguageModel.Error.assetsUnavailable),
            (
                "ParsingError",
                GeneratedContent.ParsingError(rawContent: "CANARY", underlyingError: nil, debugDescription: "CANARY")
            ),
            ("concurrentRequests", LanguageModelSession.Error.concurrentRequests),
            ("transcriptMutationWhileResponding", LanguageModelSession.Error.transcriptMutationWhileResponding),
            ("networkFailure", PrivateCloudComputeLanguageModel.Error.networkFailure),
            (
                "quotaLimitReached",
                PrivateCloudComputeLanguageModel.Error.quotaLimitReached(
                    limitIncreaseSuggestion: "CANARY", resetDate: date)
            ),
            ("serviceUnavailable", PrivateCloudComputeLanguageModel.Error.serviceUnavailable),
            ("ToolCallError", LanguageModelSession.ToolCallError(underlyingError: Stranger())),
            ("Stranger", Stranger()),
        ]
        for (name, error) in errors { print("27 \(name): \(FrameworkFailure.failure(of: error))") }
    }
}
