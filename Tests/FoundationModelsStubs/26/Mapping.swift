internal import FoundationModels
internal import RejoinAssist

// Prints what each error of the first family becomes, one a line.

struct Stranger: Error { let text = "CANARY" }

@main enum Mapping {
    static func main() {
        let context = LanguageModelSession.GenerationError.Context(debugDescription: "CANARY")
        let errors: [(String, any Error)] = [
            ("exceededContextWindowSize", LanguageModelSession.GenerationError.exceededContextWindowSize(context)),
            ("assetsUnavailable", LanguageModelSession.GenerationError.assetsUnavailable(context)),
            ("guardrailViolation", LanguageModelSession.GenerationError.guardrailViolation(context)),
            ("unsupportedGuide", LanguageModelSession.GenerationError.unsupportedGuide(context)),
            ("unsupportedLanguageOrLocale", LanguageModelSession.GenerationError.unsupportedLanguageOrLocale(context)),
            ("decodingFailure", LanguageModelSession.GenerationError.decodingFailure(context)),
            ("rateLimited", LanguageModelSession.GenerationError.rateLimited(context)),
            ("concurrentRequests", LanguageModelSession.GenerationError.concurrentRequests(context)),
            ("refusal", LanguageModelSession.GenerationError.refusal(.init(), context)),
            ("ToolCallError", LanguageModelSession.ToolCallError(underlyingError: Stranger())),
            ("Stranger", Stranger()),
            ("CancellationError", CancellationError()),
        ]
        for (name, error) in errors { print("26 \(name): \(FrameworkFailure.failure(of: error))") }
        let reasons: [SystemLanguageModel.Availability.UnavailableReason] = [
            .deviceNotEligible, .appleIntelligenceNotEnabled, .modelNotReady,
        ]
        for reason in reasons { print("26 \(reason): \(FrameworkAvailability.availability(because: reason))") }
    }
}
