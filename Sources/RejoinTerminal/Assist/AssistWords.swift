import RejoinAssist

/// What a person reads where an operation came to nothing.
enum AssistWords {
    /// A sentence, and the exit code that goes with it.
    static func words(for reason: NoProposal) -> (sentence: String, code: Int32) {
        switch reason {
        case .needsConsent(let question):
            (
                "it would leave this device, to \(words(for: question.request)), and you have not agreed",
                ExitCode.refused
            )
        case .mustWait(let wait): (Resolution.wait(wait).explain().sentence, ExitCode.unavailable)
        case .unavailable(let refusal):
            (Self.words(for: Resolution.unavailable(refusal).explain()), ExitCode.unavailable)
        case .consentWithdrawn(let request):
            ("your consent for \(words(for: request)) was taken back, so it was stopped", ExitCode.refused)
        case .rejected(let failure): ("what the model wrote cannot be used: \(rejection(failure))", ExitCode.failed)
        case .failed(let failure): words(for: failure)
        @unknown default: ("it did not work out", ExitCode.failed)
        }
    }

    /// The sentence of an explanation with what helps.
    static func words(for explanation: Explanation) -> String {
        explanation.action == .downloadModel
            ? explanation.sentence + " `rejoin model get` fetches one." : explanation.sentence
    }

    /// Why a draft may not be shown.
    static func rejection(_ failure: ValidationFailure) -> String {
        switch failure {
        case .undecodable: "it is not in the form that was asked for"
        case .empty: "it is empty"
        case .impossibleValue: "it is a value that cannot be there"
        case .languageChanged: "it is in another language"
        case .numberLost: "a number in it was lost"
        case .refusedInWords: "the model declined"
        case .tooLong: "it is too long"
        case .unsafeLink: "it holds a link that was not there or must not be followed"
        @unknown default: "it does not hold up"
        }
    }

    /// Whom a consent is about, and what they would get.
    static func words(for request: ConsentRequest) -> String {
        let who =
            switch request.recipient {
            case .platformPrivateCloud: "the platform's private cloud"
            case .firstParty(let name), .thirdParty(let name): HarmlessText.line(name)
            }
        return "\(who) (\(words(for: request.data)))"
    }

    /// A kind of data in words.
    static func words(for data: DataClass) -> String {
        switch data {
        case .none: "nothing of yours"
        case .minimised: "titles and a few examples"
        case .freeForm: "the text as it is"
        case .sensitive: "the document as it is, amounts and names included"
        }
    }

    private static func words(for failure: AssistantFailure) -> (sentence: String, code: Int32) {
        switch failure {
        case .assetsUnavailable: ("there is no model here that can be used", ExitCode.unavailable)
        case .contextTooLarge: ("it is too long for the model; try a part of it", ExitCode.refused)
        case .guardrail, .refused: ("the model declined", ExitCode.refused)
        case .decoding: ("what the model wrote cannot be used", ExitCode.failed)
        case .unsupportedLanguage: ("the model does not know the language", ExitCode.refused)
        case .busy: ("too much is going on; try again in a while", ExitCode.unavailable)
        case .timeout: ("it took too long", ExitCode.unavailable)
        case .capabilityMissing: ("the model cannot do that", ExitCode.refused)
        case .quotaReached: ("your share is used up for now", ExitCode.refused)
        case .offline: ("the server cannot be reached", ExitCode.unavailable)
        case .signedOut: ("the server does not know your token", ExitCode.notSignedIn)
        case .notEntitled: ("your plan does not include it", ExitCode.refused)
        case .serviceDown: ("the server could not do it", ExitCode.unavailable)
        case .cancelled: ("stopped", ExitCode.stopped)
        default: ("it did not work out", ExitCode.failed)
        }
    }
}
