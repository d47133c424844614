import Synchronization

/// A ledger for tests and for effects that end with the process.
public final class MemoryCommitLedger: CommitLedger {
    private let book = Mutex(CommitBook())

    /// Starts with no attempt.
    public init() {}

    public func begin(_ key: IdempotencyKey) -> CommitEntry { book.withLock { $0.begin(key) } }

    public func record(_ receipt: [UInt8], for key: IdempotencyKey) { book.withLock { $0.record(receipt, for: key) } }

    public func abandon(_ key: IdempotencyKey) { book.withLock { $0.abandon(key) } }

    public func receipt(for key: IdempotencyKey) -> [UInt8]? { book.withLock { $0.receipts[key] } }

    /// How many keys there are: one for each attempt, however often it was made.
    public var count: Int { book.withLock { $0.count } }
}

/// What a ledger knows, without where it is kept.
struct CommitBook {
    private(set) var receipts: [IdempotencyKey: [UInt8]] = [:]
    private var begun: Set<IdempotencyKey> = []
    private var underWay: Set<IdempotencyKey> = []

    var count: Int { begun.union(receipts.keys).count }

    mutating func begin(_ key: IdempotencyKey) -> CommitEntry {
        if let receipt = receipts[key] { return .recorded(receipt) }
        guard underWay.insert(key).inserted else { return .underWay }
        return begun.insert(key).inserted ? .new : .unfinished
    }

    mutating func record(_ receipt: [UInt8], for key: IdempotencyKey) {
        underWay.remove(key)
        begun.remove(key)
        // The first receipt stands.
        if receipts[key] == nil { receipts[key] = receipt }
    }

    mutating func abandon(_ key: IdempotencyKey) { underWay.remove(key) }

    /// Takes over what a file says that another process, or an earlier one, began.
    mutating func noteBegun(_ key: IdempotencyKey) { if receipts[key] == nil { begun.insert(key) } }

    /// Takes over what a file says that another process, or an earlier one, recorded.
    mutating func noteApplied(_ key: IdempotencyKey, _ receipt: [UInt8]) {
        begun.remove(key)
        if receipts[key] == nil { receipts[key] = receipt }
    }
}
