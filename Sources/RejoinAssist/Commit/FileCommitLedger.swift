import Dispatch

/// A ledger in a file of lines, which are only ever appended and are on the disk before a call returns.
///
/// A process that ends between an effect and its record leaves a line that says that the attempt began, and the next one
/// with the same key finds it unfinished. Several processes may share the file; each line is written under a lock. What
/// the ledger cannot know is whether an unfinished attempt happened, or is still happening in another process: that is
/// for the effect to answer, as ``CommitEffect`` says.
public actor FileCommitLedger: CommitLedger {
    /// What is wrong with the file.
    public enum FileError: Error, Sendable, Hashable {
        /// The system refused a call on it; its number for that.
        case system(code: Int32)
    }

    private let queue: LedgerQueue
    private let file: LedgerFile
    private var book = CommitBook()
    private var reader = LedgerLines()

    public nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    /// Opens the file, or makes it; only its owner may read it.
    ///
    /// - Throws: ``FileError`` where it cannot be opened.
    public init(path: String) throws {
        file = try LedgerFile(path: path)
        queue = LedgerQueue(label: "rejoinder.commit-ledger")
    }

    public func begin(_ key: IdempotencyKey) throws -> CommitEntry {
        try file.locked {
            try catchUp()
            let entry = book.begin(key)
            guard entry == .new else { return entry }
            do { try append(.begun(key)) } catch {
                book.abandon(key)
                throw error
            }
            return .new
        }
    }

    public func record(_ receipt: [UInt8], for key: IdempotencyKey) throws {
        try file.locked {
            try catchUp()
            if book.receipts[key] == nil { try append(.applied(key, receipt)) }
            book.record(receipt, for: key)
        }
    }

    public func abandon(_ key: IdempotencyKey) { book.abandon(key) }

    public func receipt(for key: IdempotencyKey) throws -> [UInt8]? {
        try file.locked { try catchUp() }
        return book.receipts[key]
    }

    /// Reads what another process has appended since.
    private func catchUp() throws {
        for line in reader.take(try file.rest(from: reader.offset)) { note(line) }
    }

    private func append(_ line: LedgerLine) throws {
        // A process that died while it wrote left half a line: this one begins anew behind it.
        let bytes = (reader.hasHalfLine ? [UInt8(ascii: "\n")] : []) + line.bytes
        try file.append(bytes)
        for line in reader.take(bytes[...]) { note(line) }
    }

    private func note(_ line: LedgerLine) {
        switch line {
        case .begun(let key): book.noteBegun(key)
        case .applied(let key, let receipt): book.noteApplied(key, receipt)
        }
    }
}

/// A queue of its own for the ledger, since the disk is waited for.
private final class LedgerQueue: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
