internal import RejoinCore
internal import SQLite

/// One connection on a queue of its own: the writer, or a reader.
actor StoreLane {
    nonisolated let executor: QueueExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private var connection: Connection?
    private let running: RunningAnswers
    private let busyTimeout: Duration
    private let onChange: ChangeObserver
    /// Which state of the file this connection saw last, other connections' writes counted.
    private var seenVersion: Int?
    /// Deleted text may still be in the write-ahead log, because a reader was in the way of cutting it.
    private var owesErasure = false

    init(
        _ connection: sending Connection, label: String, busyTimeout: Duration,
        limits: Journal.Limits = Journal.Limits(), onChange: @escaping ChangeObserver = { _, _ in }
    ) {
        self.connection = connection
        self.busyTimeout = busyTimeout
        self.onChange = onChange
        running = RunningAnswers(limits: limits)
        executor = QueueExecutor(label: label)
    }

    /// Runs a body that only reads; all it reads is of one moment.
    func read<Result: Sendable>(_ body: @Sendable (StoreTransaction) throws -> Result) throws(StoreFailure) -> Result {
        try run(.deferred, body).result
    }

    /// Runs a body whose effects all happen or none, then reports the feeds that grew.
    func write<Result: Sendable>(
        _ body: @Sendable (StoreTransaction) throws -> Result
    ) throws(StoreFailure) -> Result {
        let (result, transaction) = try run(.immediate, body)
        for (account, cursor) in transaction.fed { onChange(account, cursor) }
        if transaction.erasesText { owesErasure = true }
        if owesErasure { eraseWriteAheadLog() }
        return result
    }

    /// Closes the connection; closing again does nothing.
    ///
    /// - Parameter checkpoints: whether to move what the write-ahead log holds into the file first.
    func close(checkpoints: Bool) {
        // What cannot be moved now is moved when the file is opened next.
        if checkpoints { _ = try? connection?.checkpoint(.truncate) }
        connection = nil
    }

    /// Moves what it can of the write-ahead log into the file, keeping nobody waiting.
    ///
    /// What cannot be moved now is moved the next time.
    ///
    /// - Returns: how many pages the log has.
    @discardableResult
    func checkpoint() -> Int { (try? connection?.checkpoint(.passive))?.pages ?? 0 }

    private func run<Result>(
        _ kind: Connection.Transaction, _ body: (StoreTransaction) throws -> Result
    ) throws(StoreFailure) -> (result: Result, transaction: StoreTransaction) {
        guard let connection else { throw StoreFailure(.closed, detail: "the store was closed") }
        let transaction = StoreTransaction(connection: connection, running: running)
        do {
            let result = try connection.transaction(kind) {
                if kind == .immediate { try noticeOthers(transaction) }
                return try body(transaction)
            }
            return (result, transaction)
        } catch {
            running.forgetAll()
            switch error {
            case let failure as StoreFailure: throw failure
            case let failure as SQLiteFailure: throw StoreFailure(failure)
            default: throw StoreFailure(.other, detail: String(reflecting: error))
            }
        }
    }

    /// Forgets the running answers that another process deleted: their runs are to end, not to write on.
    private func noticeOthers(_ transaction: StoreTransaction) throws {
        let version = try transaction.connection.first("PRAGMA data_version") { $0.integer(0) }
        if version != seenVersion, seenVersion != nil { try transaction.forgetMissingAnswers() }
        seenVersion = version
    }

    /// Cuts the write-ahead log, which still holds pages as they were before text was deleted.
    ///
    /// Nothing waits for it: if a reader is in the way, the next transaction tries again.
    private func eraseWriteAheadLog() {
        guard let connection else { return }
        connection.setBusyTimeout(.zero)
        defer { connection.setBusyTimeout(busyTimeout) }
        if let log = try? connection.checkpoint(.truncate), log.isWhole { owesErasure = false }
    }
}
