/// What a person accepted: the only thing that an effect is ever given.
public struct Accepted<O: ReviewableOperation>: Sendable {
    /// What was asked about.
    public let input: O.Input
    /// The whole of what was validated, for its types.
    public let output: Validated<O.Output>
    /// The changes to apply, and no others.
    public let changes: [Change]

    init(input: O.Input, output: Validated<O.Output>, changes: [Change]) {
        self.input = input
        self.output = output
        self.changes = changes
    }

    /// The change under a name, if it was accepted.
    public subscript(id: ChangeID) -> Change? { changes.first { $0.id == id } }
}

/// Leave to apply what was accepted, once: using it twice does not compile.
///
/// Make it inside the task that applies it: a closure that escapes cannot use it up. A permit does not survive a crash;
/// the ledger and the effect do what is needed then.
public struct CommitPermit<O: ReviewableOperation>: ~Copyable, Sendable {
    /// The name of this attempt; another permit for the same acceptance has the same.
    public let key: IdempotencyKey
    private let accepted: Accepted<O>

    init(key: IdempotencyKey, accepted: Accepted<O>) {
        self.key = key
        self.accepted = accepted
    }

    /// Applies the effect, unless the ledger knows that it was applied, and records its receipt.
    ///
    /// - Throws: ``CommitFailure``; where ``CommitFailure/mayRetry`` holds, another permit with the same key is safe.
    public consuming func apply<E: CommitEffect>(
        _ effect: E, ledger: any CommitLedger
    ) async throws(CommitFailure) -> E.Receipt where E.Operation == O {
        try await CommitRun(key: key, accepted: accepted, effect: effect, ledger: ledger).run()
    }
}
