// What the adapter needs of the framework's first generation, declared by hand after its public interface, so that the
// adapter can be type-checked and its mapping run where there is no such framework. No behaviour of it is imitated.

import Foundation

public final class SystemLanguageModel: Sendable {
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

public struct GenerationOptions: Sendable {
    public struct SamplingMode: Sendable {
        public static var greedy: SamplingMode { SamplingMode() }
    }

    public init(sampling: SamplingMode? = nil, temperature: Double? = nil, maximumResponseTokens: Int? = nil) {}
}

public protocol ConvertibleFromGeneratedContent: Sendable {}

public struct GenerationGuide<Value>: Sendable {}

public struct GeneratedContent: Sendable, ConvertibleFromGeneratedContent {
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

    public enum GenerationError: Error {
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

    public struct ToolCallError: Error {
        public var underlyingError: any Error
        public init(underlyingError: any Error) { self.underlyingError = underlyingError }
    }

    public convenience init(
        model: SystemLanguageModel = .default, tools: [any Tool] = [], instructions: String? = nil
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
}
