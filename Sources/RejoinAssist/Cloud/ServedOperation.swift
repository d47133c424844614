public import RejoinCore

/// An operation that the server runs too: it says what a request may hold and reads its input back from one.
///
/// The prompt is built at the server from the operation's own task, so that a client can ask for nothing else.
public protocol ServedOperation: AssistantOperation {
    /// The allowed fields of a request with their types, counts and lengths: what is not in here is refused.
    static var requestShape: DraftSchema { get }

    /// Reads the input back from a request that has the shape.
    ///
    /// - Returns: nil for a request that has the shape and makes no sense all the same.
    static func input(from request: JSONValue) -> Input?
}
