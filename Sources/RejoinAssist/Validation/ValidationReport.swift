/// What a pipeline did on the way, in numbers: a support line may hold it, since it has no place for text.
public struct ValidationReport: Sendable, Hashable {
    /// Identifiers that nobody submitted, and values under them.
    public var unknownIDs = 0
    /// Values that were there but in another form, and were rewritten.
    public var normalised = 0
    /// Values that cannot be, and were taken out.
    public var impossible = 0
    /// Items that change.
    public var changed = 0
    /// Items that stay as they are, for whatever reason.
    public var kept = 0
    /// Items that nothing is known of yet, because their chunk did not come back.
    public var pending = 0

    /// Whether something was left out.
    public var isPartial: Bool { unknownIDs > 0 || impossible > 0 || pending > 0 }

    /// Makes the report of a draft that needed nothing.
    public init() {}
}
