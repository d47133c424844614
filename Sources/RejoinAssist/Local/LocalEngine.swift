/// A model on this device, whichever it is: our own, the platform's, or a script in a test.
///
/// An engine need not guard against two calls at once, queue, or tell equal requests apart: ``LocalService`` does.
public protocol LocalEngine: Sendable {
    /// What is true right now; it is asked again for each decision and never kept.
    var availability: LocalAvailability { get async }

    /// Makes a session that was told its instructions and nothing else.
    ///
    /// - Throws: why there is none; `assetsUnavailable` where the model's files are missing.
    func makeSession(instructions: String) async throws(AssistantFailure) -> any LocalSession
}

/// One conversation with a model on this device; ``LocalService`` lets one call in at a time.
public protocol LocalSession: Sendable {
    /// Whether the session has had enough: the next request gets a new one.
    ///
    /// A session whose transcript grows says so before the model's context is full.
    var isWorn: Bool { get }

    /// Loads what the first answer will need; it never fails, it only does not help.
    func prewarm(for task: ModelTask) async

    /// Runs the model to its end.
    ///
    /// When the task is cancelled the model stops and this throws `cancelled`.
    ///
    /// - Parameter preview: told the whole text so far, as often as the model likes; a later one may be shorter.
    /// - Returns: the whole text that the model wrote.
    /// - Throws: what went wrong, in the closed vocabulary; errors of a library never leave an engine.
    func respond(
        to task: ModelTask, preview: @escaping @Sendable (String) -> Void
    ) async throws(AssistantFailure) -> String
}

extension LocalSession {
    /// A session that never wears out.
    public var isWorn: Bool { false }
    /// Nothing to load.
    public func prewarm(for task: ModelTask) async {}
}
