/// A value that has been through a pipeline; nothing else can make one, and nothing can decode one.
public struct Validated<Value: Sendable>: Sendable {
    /// What may be shown.
    public let value: Value
    /// What the pipeline did on the way.
    public let report: ValidationReport

    init(value: Value, report: ValidationReport) {
        self.value = value
        self.report = report
    }
}
