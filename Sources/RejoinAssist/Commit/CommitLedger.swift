/// What is known of one attempt.
public enum CommitEntry: Sendable, Hashable {
    /// Nothing: it was begun now.
    case new
    /// It was begun before and never recorded; the process may have ended in between.
    case unfinished
    /// It was applied; this is its receipt, as JSON.
    case recorded([UInt8])
    /// Another caller in this process is at it.
    case underWay
}

/// Where attempts are written down, so that one is not applied twice.
///
/// One row for each key, for ever: ``begin(_:)`` is durable before it returns, and so is ``record(_:for:)``.
public protocol CommitLedger: Sendable {
    /// Begins an attempt, or says what became of it before.
    ///
    /// After ``CommitEntry/new`` and ``CommitEntry/unfinished`` the caller must call ``record(_:for:)`` or
    /// ``abandon(_:)``; until then every other caller gets ``CommitEntry/underWay``.
    func begin(_ key: IdempotencyKey) async throws -> CommitEntry

    /// Writes down the receipt of an attempt that was applied.
    func record(_ receipt: [UInt8], for key: IdempotencyKey) async throws

    /// Lets go of an attempt that was not applied, or of which that is not known: the next one finds it unfinished.
    func abandon(_ key: IdempotencyKey) async

    /// The receipt under a key, as JSON; `nil` where none was recorded.
    func receipt(for key: IdempotencyKey) async throws -> [UInt8]?
}
