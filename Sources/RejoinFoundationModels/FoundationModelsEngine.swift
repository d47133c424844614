public import RejoinAssist

#if canImport(FoundationModels)
internal import FoundationModels
#endif

/// The platform's own model on this device, behind the one protocol of every local model.
///
/// It can be made everywhere: where the platform has no such model it says so by its availability.
public struct FoundationModelsEngine: LocalEngine {
    /// Speaks to the platform's general model.
    public init() {}

    /// What the platform says right now; it is asked each time.
    public var availability: LocalAvailability {
        get async {
            #if canImport(FoundationModels)
            guard #available(macOS 26.0, iOS 26.0, visionOS 26.0, *) else { return .osTooOld }
            return FrameworkAvailability.availability(of: .default)
            #else
            return .notBuiltIn
            #endif
        }
    }

    public func makeSession(instructions: String) async throws(AssistantFailure) -> any LocalSession {
        #if canImport(FoundationModels)
        guard #available(macOS 26.0, iOS 26.0, visionOS 26.0, *) else { throw .assetsUnavailable }
        let model = SystemLanguageModel.default
        return FrameworkSession(
            LanguageModelSession(model: model, instructions: instructions), instructions: instructions,
            contextSize: model.contextSize)
        #else
        throw .assetsUnavailable
        #endif
    }
}
