public import RejoinCore

/// What a picture's interpretation may draw on.
public protocol InterpretationReach: Sendable {
    /// The operation's name with this reach.
    static var id: OperationID { get }
    /// Whether the answer must be looked up, which no device can.
    static var needsLiveSources: Bool { get }
}

/// What the picture shows and what the model knows.
public enum PictureAlone: InterpretationReach {
    public static var id: OperationID { "interpret" }
    public static var needsLiveSources: Bool { false }
}

/// What can be found now, with links to it.
public enum WithLiveSources: InterpretationReach {
    public static var id: OperationID { "interpret.live" }
    public static var needsLiveSources: Bool { true }
}

/// Answers a question about a picture, in prose.
///
/// With the picture alone a device whose model can see will do; with live sources only a server can.
public enum Interpret<Reach: InterpretationReach>: AssistantOperation {
    /// A picture and a question.
    public struct Input: Sendable, Hashable {
        /// The picture, by reference.
        public var picture: PictureReference
        /// What the person wants to know.
        public var question: String

        /// Asks about a picture.
        public init(picture: PictureReference, question: String) {
            self.picture = picture
            self.question = question
        }
    }

    public typealias Draft = String

    /// The answer.
    public struct Output: Sendable, Hashable {
        /// The words.
        public let text: String
        /// The links in them, each of which may be shown.
        public let links: [SafeLink]
    }

    public static var profile: OperationProfile {
        OperationProfile(
            id: Reach.id, requires: Reach.needsLiveSources ? [.text, .vision, .liveRetrieval] : [.text, .vision],
            budget: TokenBudget(input: 1200, output: 400), risk: .medium, cost: .premium, urgency: .now,
            dataClass: .sensitive, cloudTier: .large)
    }
    public static var kind: ResponseKind { .prose }

    private static var longestAnswer: Int { 8000 }

    public static var pipeline: ValidationPipeline<Input, String, Output> {
        ValidationPipeline(
            normalise: { draft, _, report in
                let text = Normalise.trimmed(draft)
                if text != draft { report.normalised += 1 }
                draft = text
            },
            impossible: { (draft, input, _) throws(ValidationFailure) in
                guard !draft.isEmpty else { throw .empty }
                guard draft.count <= longestAnswer else { throw .tooLong }
                guard !PlainText.declines(draft, insteadOf: input.question) else { throw .refusedInWords }
            },
            finish: { (draft, _, report) throws(ValidationFailure) in
                var links: [SafeLink] = []
                for link in PlainText.links(in: draft) {
                    links.append(try SafeLink(link.contains("://") ? link : "https://" + link))
                }
                // Without sources a link can only be invented.
                guard Reach.needsLiveSources || links.isEmpty else { throw .unsafeLink }
                report.changed += 1
                return Output(text: draft, links: links)
            })
    }

    public static func task(for input: Input) -> ModelTask {
        ModelTask(
            instructions: Reach.needsLiveSources
                ? "Answer the question about the picture in a few sentences. Look up what is not in it, and link to where you found it."
                : "Answer the question about the picture in a few sentences. Say so where the picture does not show it.",
            prompt: input.question, maximumTokens: 400, pictures: [input.picture])
    }

    public static func draft(from text: String, for input: Input) throws(ValidationFailure) -> String { text }

    public static func request(for input: Input) -> JSONValue {
        .object(
            "picture", .object("id", .string(input.picture.id), "mediaType", .string(input.picture.mediaType)),
            "question", .string(input.question))
    }
}
