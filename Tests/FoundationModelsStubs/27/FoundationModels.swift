// What the adapter needs of the framework's second generation, declared by hand after its public interface, so that the
// adapter can be type-checked and its mapping run where there is no such framework. No behaviour of it is imitated.

import Foundation

public struct LanguageModelCapabilities: Sendable {
    public struct Capability: Sendable, Hashable {
        public static let vision = Capability()
        public static let guidedGeneration = Capability()
    }

    public func contains(_ capability: Capability) -> Bool { false }
}

public protocol LanguageModel: Sendable {
    var capabilities: LanguageModelCapabilities { get }
}

public enum LanguageModelError: Error {
    case contextSizeExceeded(contextSize: Int, tokenCount: Int)
    case guardrailViolation
    case unsupportedGenerationGuide(schemaName: String)
    case unsupportedLanguageOrLocale(languageCode: Locale.LanguageCode?)
    case rateLimited(resetDate: Date?)
    case refusal
    case unsupportedCapability(LanguageModelCapabilities.Capability)
    case unsupportedTranscriptContent
    case timeout
}

public final class PrivateCloudComputeLanguageModel: LanguageModel {
    public enum Error: Swift.Error {
        case networkFailure
        case quotaLimitReached(limitIncreaseSuggestion: String?, resetDate: Date?)
        case serviceUnavailable
    }

    @frozen public enum Availability: Equatable, Sendable {
        case available
        case unavailable(UnavailableReason)

        public enum UnavailableReason: Equatable, Sendable {
            case deviceNotEligible
            case systemNotReady
        }
    }

    public struct QuotaUsage: Sendable {
        public enum Status: Sendable {
            case belowLimit(isApproachingLimit: Bool)
            case limitReached
        }

        public var status: Status { .limitReached }
        public var resetDate: Date? { nil }
    }

    public init() {}

    public var capabilities: LanguageModelCapabilities { LanguageModelCapabilities() }
    public var availability: Availability { .unavailable(.systemNotReady) }
    public var supportedLanguages: Set<Locale.Language> { [] }
    public var quotaUsage: QuotaUsage { QuotaUsage() }
}

public final class SystemLanguageModel: LanguageModel {
    public enum Error: Swift.Error {
        case assetsUnavailable
    }

    public var capabilities: LanguageModelCapabilities { LanguageModelCapabilities() }

    @frozen public enum Availability: Equatable, Sendable {
        case available
        case unavailable(UnavailableReason)

        public enum UnavailableReason: Equatable, Sendable {
            case deviceNotEligible
            case appleIntelligenceNotEnabled
            case modelNotReady
        }
    }

    public struct UseCase: Sendable {
        public static let general = UseCase()
        public static let contentTagging = UseCase()
    }

    public struct Guardrails: Sendable {
        public static let `default` = Guardrails()
        public static let permissiveContentTransformations = Guardrails()
    }

    public static let `default` = SystemLanguageModel()

    public convenience init(useCase: UseCase = .general, guardrails: Guardrails = .default) { self.init(()) }

    init(_: Void) {}

    public var availability: Availability { .unavailable(.modelNotReady) }
    public var isAvailable: Bool { availability == .available }
    public var supportedLanguages: Set<Locale.Language> { [] }
    public var contextSize: Int { 4096 }

    public func supportsLocale(_ locale: Locale = .current) -> Bool { false }
}

public struct Prompt: Sendable {
    public init(_ text: String) {}
}

public struct Instructions: Sendable {
    public init(_ text: String) {}
}

public struct ContextOptions: Sendable {
    public init(includeSchemaInPrompt: Bool = true) {}
}

public struct GenerationOptions: Sendable {
    public struct SamplingMode: Sendable {
        public static var greedy: SamplingMode { SamplingMode() }
    }

    public init(samplingMode: SamplingMode? = nil, temperature: Double? = nil, maximumResponseTokens: Int? = nil) {}
}

public protocol ConvertibleFromGeneratedContent: Sendable {}

public struct GenerationGuide<Value>: Sendable {}

public struct GeneratedContent: Sendable, ConvertibleFromGeneratedContent {
    public struct ParsingError: Error {
        public let rawContent: String
        public let underlyingError: (any Error)?
        public let debugDescription: String

        public init(rawContent: String, underlyingError: (any Error)?, debugDescription: String) {
            self.rawContent = rawContent
            self.underlyingError = underlyingError
            self.debugDescription = debugDescription
        }
    }

    public var jsonString: String { "{}" }
    public var isComplete: Bool { true }
}

public struct DynamicGenerationSchema: Sendable {
    public struct Property: Sendable {
        public init(name: String, description: String? = nil, schema: DynamicGenerationSchema, isOptional: Bool = false)
        {}
    }

    public init(name: String, description: String? = nil, properties: [Property]) {}
    public init(name: String, description: String? = nil, anyOf choices: [String]) {}
    public init(name: String, description: String? = nil, anyOf choices: [DynamicGenerationSchema]) {}
    public init(arrayOf itemSchema: DynamicGenerationSchema, minimumElements: Int? = nil, maximumElements: Int? = nil) {
    }
    public init<Value: Generable>(type: Value.Type, guides: [GenerationGuide<Value>] = []) {}
}

public struct GenerationSchema: Sendable {
    public init(root: DynamicGenerationSchema, dependencies: [DynamicGenerationSchema]) throws {}
}

public protocol Generable: ConvertibleFromGeneratedContent {
    associatedtype PartiallyGenerated = Self
}

extension String: ConvertibleFromGeneratedContent {}
extension Int: ConvertibleFromGeneratedContent {}
extension Double: ConvertibleFromGeneratedContent {}
extension Bool: ConvertibleFromGeneratedContent {}
extension String: Generable {}
extension Int: Generable {}
extension Double: Generable {}
extension Bool: Generable {}
extension GeneratedContent: Generable {}

public protocol Tool: Sendable {}

public final class LanguageModelSession: @unchecked Sendable {  // SAFETY: it has no state.
    public struct Response<Content: Sendable>: Sendable {
        public let content: Content
        public let rawContent: GeneratedContent
    }

    public struct ResponseStream<Content: Generable>: AsyncSequence, Sendable
    where Content.PartiallyGenerated: Sendable {
        public struct Snapshot: Sendable {
            public var content: Content.PartiallyGenerated
            public var rawContent: GeneratedContent
        }

        public struct AsyncIterator: AsyncIteratorProtocol {
            public mutating func next() async throws -> Snapshot? { nil }
        }

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
    }

    public enum Error: Swift.Error {
        case concurrentRequests
        case transcriptMutationWhileResponding
    }

    public enum GenerationError: Swift.Error {
        public struct Context: Sendable {
            public let debugDescription: String
            public init(debugDescription: String) { self.debugDescription = debugDescription }
        }

        public struct Refusal: Sendable {
            public init() {}
        }

        case exceededContextWindowSize(Context)
        case assetsUnavailable(Context)
        case guardrailViolation(Context)
        case unsupportedGuide(Context)
        case unsupportedLanguageOrLocale(Context)
        case decodingFailure(Context)
        case rateLimited(Context)
        case concurrentRequests(Context)
        case refusal(Refusal, Context)
    }

    public struct ToolCallError: Swift.Error {
        public var underlyingError: any Swift.Error
        public init(underlyingError: any Swift.Error) { self.underlyingError = underlyingError }
    }

    public convenience init(
        model: SystemLanguageModel = .default, tools: [any Tool] = [], instructions: String? = nil
    ) { self.init(()) }

    public convenience init(
        model: some LanguageModel, tools: [any Tool] = [], instructions: String? = nil
    ) { self.init(()) }

    init(_: Void) {}

    public var isResponding: Bool { false }

    public func prewarm(promptPrefix: Prompt? = nil) {}

    public func streamResponse(
        to prompt: String, options: GenerationOptions = GenerationOptions()
    ) -> sending ResponseStream<String> { ResponseStream() }

    public func streamResponse(
        to prompt: String, schema: GenerationSchema, includeSchemaInPrompt: Bool = true,
        options: GenerationOptions = GenerationOptions()
    ) -> sending ResponseStream<GeneratedContent> { ResponseStream() }

    public func streamResponse(
        to prompt: String, options: GenerationOptions = GenerationOptions(),
        contextOptions: ContextOptions, metadata: [String: any Sendable & Codable & Equatable] = [:]
    ) -> sending ResponseStream<String> { ResponseStream() }
}
