/// The one way from a draft to a ``Validated`` output, the same for every route.
public struct ValidationPipeline<Input: Sendable, Draft: Sendable, Output: Sendable>: Sendable {
    private let finish: @Sendable (Draft, Input, inout ValidationReport) throws(ValidationFailure) -> Output

    /// Makes a pipeline of one step.
    public init(
        finish: @escaping @Sendable (Draft, Input, inout ValidationReport) throws(ValidationFailure) -> Output
    ) {
        self.finish = finish
    }

    /// Validates a draft against the input that it answers.
    ///
    /// - Throws: why the draft may not be shown.
    public func callAsFunction(_ draft: Draft, against input: Input) throws(ValidationFailure) -> Validated<Output> {
        var report = ValidationReport()
        return Validated(value: try finish(draft, input, &report), report: report)
    }
}

/// What a pipeline did, in numbers.
public struct ValidationReport: Sendable, Hashable {
    /// Makes the report of a draft that needed nothing.
    public init() {}
}
