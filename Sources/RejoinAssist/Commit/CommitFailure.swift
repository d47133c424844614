/// Why what was accepted is not recorded as applied; no word of the effect's error is kept, only its type.
@nonexhaustive public enum CommitFailure: Error, Sendable, Hashable {
    /// Another permit with this key is being applied right now.
    case underWay
    /// The effect failed.
    case effectFailed(ErrorTypeName)
    /// The effect cannot be applied to what is there now: the original was changed meanwhile.
    case originalChanged
    /// The person, or the app, stopped it before it was applied.
    case cancelled
    /// The ledger could not be read or written, so nothing was applied, or what was applied could not be recorded.
    case ledgerFailed(ErrorTypeName)
    /// There is a receipt under this key, of another kind than this effect's.
    case receiptUnreadable

    /// Whether another attempt with the same key may succeed and cannot apply anything twice.
    public var mayRetry: Bool {
        switch self {
        case .underWay, .effectFailed, .cancelled, .ledgerFailed: true
        case .originalChanged, .receiptUnreadable: false
        }
    }
}
