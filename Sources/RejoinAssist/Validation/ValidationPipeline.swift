/// The one way from a draft to a ``Validated`` output, the same for every route.
///
/// The steps run in one order: identifiers, normalising, impossible values, proposal. Each works on the draft that the
/// step before left behind and takes out or throws on what it finds, so a later step never sees what an earlier one
/// refused.
public struct ValidationPipeline<Input: Sendable, Draft: Sendable, Output: Sendable>: Sendable {
    /// Works on a draft in place and counts what it did.
    public typealias Step = @Sendable (inout Draft, Input, inout ValidationReport) throws(ValidationFailure) -> Void
    /// Makes what review may show of what is left.
    public typealias Finish = @Sendable (Draft, Input, inout ValidationReport) throws(ValidationFailure) -> Output

    private let steps: [Step]
    private let finish: Finish

    /// Makes a pipeline of the steps that an operation has a use for.
    ///
    /// - Parameters:
    ///   - ids: takes out what names something that was not submitted.
    ///   - normalise: writes values in the one form that the rest expects.
    ///   - impossible: takes out, or throws on, values that cannot be.
    ///   - finish: makes the output.
    public init(
        ids: Step? = nil, normalise: Step? = nil, impossible: Step? = nil, finish: @escaping Finish
    ) {
        steps = [ids, normalise, impossible].compactMap(\.self)
        self.finish = finish
    }

    /// Validates a draft against the input that it answers.
    ///
    /// - Throws: why the draft may not be shown.
    public func callAsFunction(_ draft: Draft, against input: Input) throws(ValidationFailure) -> Validated<Output> {
        var draft = draft
        var report = ValidationReport()
        for step in steps { try step(&draft, input, &report) }
        let output = try finish(draft, input, &report)
        return Validated(value: output, report: report)
    }
}
