/// An operation on a list that may be longer than a model can take at once.
///
/// The list is cut into chunks, each is asked for by itself, and the drafts are put together again before the pipeline
/// sees them; so there is one decision for every item, whatever became of its chunk.
public protocol BatchOperation: AssistantOperation {
    /// The inputs to ask for, one after another; together they hold every item once.
    static func chunks(of input: Input) -> [Input]

    /// Puts the chunks' drafts together.
    ///
    /// - Parameter outcomes: what became of each chunk, in the order of ``chunks(of:)``.
    /// - Throws: the first chunk's failure where none came back.
    static func merged(
        _ outcomes: [Result<Draft, AssistantFailure>], of chunks: [Input], for input: Input
    ) throws(AssistantFailure) -> Draft
}
