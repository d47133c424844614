public import RejoinCore

/// One limit of the account, as the server gave it.
public struct Limit: Equatable, Sendable {
    /// What is counted.
    public var capability: String
    public var plan: String?
    /// How much there is in all; nil for no bound.
    public var limit: Int?
    /// How much is left.
    public var remaining: Int?
    public var resetsAt: Timestamp?
    /// When the server counted.
    public var asOf: Timestamp?

    /// Notes a limit.
    public init(
        capability: String, plan: String? = nil, limit: Int? = nil, remaining: Int? = nil,
        resetsAt: Timestamp? = nil, asOf: Timestamp? = nil
    ) {
        self.capability = capability
        self.plan = plan
        self.limit = limit
        self.remaining = remaining
        self.resetsAt = resetsAt
        self.asOf = asOf
    }
}

/// The limits of the account at a moment.
///
/// The device never counts by itself: it shows these with their age.
public struct LimitsSnapshot: Equatable, Sendable {
    public var items: [Limit]
    public var asOf: Timestamp

    /// Notes limits.
    public init(items: [Limit], asOf: Timestamp) {
        self.items = items
        self.asOf = asOf
    }
}

/// How far this device has read the account's change feed.
public struct SyncState: Equatable, Sendable {
    /// The number of the last change that was taken in.
    public var cursor: Int
    /// When the list was last read whole; nil if never.
    public var listedAt: Timestamp?

    /// Notes a place in the feed.
    public init(cursor: Int = 0, listedAt: Timestamp? = nil) {
        self.cursor = cursor
        self.listedAt = listedAt
    }
}
