#if canImport(FoundationModels)
internal import Foundation
internal import FoundationModels
internal import RejoinAssist

/// Reads the framework's word on its model into ours.
@available(macOS 26.0, iOS 26.0, visionOS 26.0, *)
enum FrameworkAvailability {
    static func availability(of model: SystemLanguageModel) -> LocalAvailability {
        switch model.availability {
        case .available: .ready(record(of: model))
        case .unavailable(let reason): availability(because: reason)
        }
    }

    /// A reason that a later system adds is `unknown`, never ready.
    static func availability(because reason: SystemLanguageModel.Availability.UnavailableReason) -> LocalAvailability {
        switch reason {
        case .deviceNotEligible: .hardwareIneligible
        case .appleIntelligenceNotEnabled: .disabledByUser
        case .modelNotReady: .preparing
        @unknown default: .unknown
        }
    }

    /// What the model can do through this adapter: it hands over words, and no pictures or functions.
    private static func record(of model: SystemLanguageModel) -> CapabilityRecord {
        CapabilityRecord(
            capabilities: [.text, .structuredOutput],
            languages: .these(Set(model.supportedLanguages.map(\.minimalIdentifier))),
            contextSize: model.contextSize)
    }
}
#endif
