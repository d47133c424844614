public import RejoinCore

/// A feature of an app: what goes in, what a route may give back, and what review may show.
///
/// An operation declares; it neither routes nor runs. ``profile`` is all that routing reads.
public protocol AssistantOperation: Sendable {
    /// An unchanging picture of the app's data.
    associatedtype Input: Sendable
    /// What a route decoded; nobody trusts it.
    associatedtype Draft: Sendable
    /// What review may show.
    associatedtype Output: Sendable

    /// What it needs.
    static var profile: OperationProfile { get }
    /// Whether a broken preview is kept as prose or thrown away as a plan.
    static var kind: ResponseKind { get }
    /// The one way from a draft to something that may be shown.
    static var pipeline: ValidationPipeline<Input, Draft, Output> { get }

    /// The answer of a rule, where one matches; then no model runs.
    static func rule(for input: Input) -> Draft?
    /// What a model is asked.
    static func task(for input: Input) -> ModelTask
    /// Reads a model's whole output, once it has ended.
    static func draft(from text: String, for input: Input) throws(ValidationFailure) -> Draft
    /// What the server is sent: the allowed fields and no other.
    static func request(for input: Input) -> JSONValue
}

extension AssistantOperation {
    /// No rule: a model is needed.
    public static func rule(for input: Input) -> Draft? { nil }
}
