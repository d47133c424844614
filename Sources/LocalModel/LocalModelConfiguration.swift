/// How much a local model may do at once.
package struct LocalModelConfiguration: Equatable, Sendable {
    /// How many answers are worked on at once; more wait in order.
    package var sequences: Int
    /// Tokens of prompt and answer together, for each; at most what the model was trained for.
    package var contextPerSequence: Int
    /// Nil is one for each core.
    package var threads: Int?
    /// Whether generation gives up threads while the machine is busy with something else.
    ///
    /// The library's threads wait for each other by spinning: one that has to share its core makes all of them slower
    /// than one alone would be.
    package var adaptiveThreads: Bool
    /// The most tokens evaluated in one step.
    package var batch: Int
    /// What the model is told when a conversation does not begin with a system message.
    ///
    /// Short and always the same: it is the beginning of every prompt, and what is equal at the beginning is evaluated
    /// once.
    package var systemText: String

    /// Sets the bounds; the defaults suit a small server.
    package init(
        sequences: Int = 4, contextPerSequence: Int = 4096, threads: Int? = nil, adaptiveThreads: Bool = true,
        batch: Int = 512, systemText: String = "You are a helpful assistant. Answer clearly and to the point."
    ) {
        precondition(sequences > 0 && contextPerSequence > 1 && batch > 0 && (threads ?? 1) > 0)
        self.sequences = sequences
        self.contextPerSequence = contextPerSequence
        self.threads = threads
        self.adaptiveThreads = adaptiveThreads
        self.batch = batch
        self.systemText = systemText
    }
}
