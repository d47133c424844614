public import RejoinAssist

#if canImport(FoundationModels, _version: 2)
internal import Foundation
internal import FoundationModels
internal import RejoinCore
#endif

/// The platform's own private cloud, behind the same gate as the model on the device; the boundary is another.
///
/// Data leaves the device here: only a decision for the route `privateCloud` may lead to it. Where the app lacks the
/// platform's entitlement the framework ends the process, so the app has to say that it has it.
public struct PrivateCloudEngine: LocalEngine {
    private let isEntitled: Bool

    /// Speaks to the private cloud.
    ///
    /// - Parameter isEntitled: whether this build of the app carries the platform's entitlement.
    public init(isEntitled: Bool) { self.isEntitled = isEntitled }

    /// What the platform says of the private cloud right now, its quota beside it: what routing asks.
    public var privateCloudAvailability: PrivateCloudAvailability {
        get async {
            #if canImport(FoundationModels, _version: 2)
            guard isEntitled, #available(macOS 27.0, iOS 27.0, visionOS 27.0, *) else {
                return PrivateCloudAvailability(.notBuiltIn)
            }
            return FrameworkAvailability.availability(of: PrivateCloudComputeLanguageModel())
            #else
            return PrivateCloudAvailability(.notBuiltIn)
            #endif
        }
    }

    /// The same without the quota, for the gate.
    public var availability: LocalAvailability {
        get async {
            switch await privateCloudAvailability.state {
            case .ready(let record): .ready(record)
            case .hardwareIneligible: .hardwareIneligible
            case .systemNotReady: .preparing
            case .notBuiltIn: .notBuiltIn
            default: .unknown
            }
        }
    }

    public func makeSession(instructions: String) async throws(AssistantFailure) -> any LocalSession {
        #if canImport(FoundationModels, _version: 2)
        guard isEntitled, #available(macOS 27.0, iOS 27.0, visionOS 27.0, *) else { throw .assetsUnavailable }
        // Its context is only known by a call over the network; nobody waits for that.
        return FrameworkSession(
            LanguageModelSession(model: PrivateCloudComputeLanguageModel(), instructions: instructions),
            instructions: instructions, contextSize: 0)
        #else
        throw .assetsUnavailable
        #endif
    }
}

#if canImport(FoundationModels, _version: 2)
@available(macOS 27.0, iOS 27.0, visionOS 27.0, *)
extension FrameworkAvailability {
    static func availability(of model: PrivateCloudComputeLanguageModel) -> PrivateCloudAvailability {
        let state: PrivateCloudAvailability.State =
            switch model.availability {
            case .available:
                .ready(
                    CapabilityRecord(
                        capabilities: [.text, .structuredOutput],
                        languages: .these(Set(model.supportedLanguages.map(\.minimalIdentifier)))))
            case .unavailable(.deviceNotEligible): .hardwareIneligible
            case .unavailable(.systemNotReady): .systemNotReady
            case .unavailable: .unknown
            }
        return PrivateCloudAvailability(state, quota: quota(of: model.quotaUsage))
    }

    private static func quota(
        of usage: PrivateCloudComputeLanguageModel.QuotaUsage
    ) -> PrivateCloudAvailability.Quota {
        switch usage.status {
        case .belowLimit(let isApproachingLimit): isApproachingLimit ? .approachingLimit : .belowLimit
        case .limitReached: .reached(resets: FrameworkFailure.timestamp(usage.resetDate))
        // Nothing is known of a state that this version has never heard of: the request itself will tell.
        @unknown default: .belowLimit
        }
    }
}
#endif
