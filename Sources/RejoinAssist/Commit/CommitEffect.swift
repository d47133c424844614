/// What accepting does to the world: writes a file, changes a row, calls a server.
///
/// The ledger keeps an effect from being applied twice as long as the process lives, and notices after a crash that an
/// attempt began and was not recorded. Whether that attempt *happened* only the effect can know. So one of these must
/// hold, or a crash between the effect and its record can apply it twice:
/// - ``applied(under:)`` can tell, because the key is stored in the same transaction as the effect;
/// - applying it again under the same key changes nothing: a server that keeps keys, a file written whole from the
///   input's bytes.
public protocol CommitEffect: Sendable {
    /// The operation whose changes it applies.
    associatedtype Operation: ReviewableOperation
    /// What is kept of it; the second caller gets the same.
    associatedtype Receipt: Sendable & Codable

    /// Looks up whether an earlier attempt under this key was applied; asked only after one that was not recorded.
    func applied(under key: IdempotencyKey) async throws -> Receipt?

    /// Applies what was accepted.
    ///
    /// - Throws: where nothing was applied, or where it is not known; it must not throw after it has succeeded.
    func apply(_ accepted: Accepted<Operation>, key: IdempotencyKey) async throws -> Receipt
}

extension CommitEffect {
    /// Nothing is known of earlier attempts: right only for an effect that may be applied again under the same key.
    public func applied(under key: IdempotencyKey) async throws -> Receipt? { nil }
}
