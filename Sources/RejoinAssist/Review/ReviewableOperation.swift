/// An operation whose output a person reviews, change by change.
public protocol ReviewableOperation: AssistantOperation {
    /// What the output would change, in the order in which it is shown.
    static func changes(in output: Output, for input: Input) -> [Change]

    /// The draft of an output in which a person rewrote one change; it goes through the pipeline like any other.
    ///
    /// - Throws: ``ValidationFailure/impossibleValue`` where there is no such change or no such value.
    static func draft(
        of output: Output, replacing change: ChangeID, with text: String, for input: Input
    ) throws(ValidationFailure) -> Draft
}
