internal import SQLite

/// One connection on a queue of its own: the writer, the reader, or what is kept in memory alone.
actor LocalLane {
    private let executor: QueueExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private enum State {
        case unopened(@Sendable () throws -> sending Connection)
        case open(Connection)
        case closed
    }

    private var state: State
    private let busyTimeout: Duration
    private let broadcast: ChangeBroadcast?
    /// Deleted text may still be in the write-ahead log, because a reader was in the way of cutting it.
    private var owesErasure = false

    /// Makes a lane that opens its connection, on its own queue, when it is first used.
    ///
    /// - Parameter broadcast: where to report what committed transactions changed.
    init(
        label: String, busyTimeout: Duration, broadcast: ChangeBroadcast? = nil,
        open: @escaping @Sendable () throws -> sending Connection
    ) {
        state = .unopened(open)
        self.busyTimeout = busyTimeout
        self.broadcast = broadcast
        executor = QueueExecutor(label: label)
    }

    /// Opens the connection now, so that a file that cannot be used is known at once.
    func open() throws(LocalStoreError) { _ = try connection() }

    /// Runs a body that only reads; all it reads is of one moment.
    func read<Result: Sendable>(
        _ body: @Sendable (LocalTransaction) throws -> Result
    ) throws(LocalStoreError) -> Result {
        try run(.deferred, body).result
    }

    /// Runs a body whose effects all happen or none, then reports what changed.
    func write<Result: Sendable>(
        _ body: @Sendable (LocalTransaction) throws -> Result
    ) throws(LocalStoreError) -> (result: Result, erasesText: Bool) {
        let (result, transaction) = try run(.immediate, body)
        broadcast?.send(transaction.change)
        if transaction.erasesText { owesErasure = true }
        if owesErasure { cutLog() }
        return (result, transaction.erasesText)
    }

    /// Takes one step of the work that makes deleted words leave the index for good.
    ///
    /// - Returns: whether there is more to do.
    func sweep() throws(LocalStoreError) -> Bool {
        // Most often there is nothing to do, and then nobody must wait for the right to write.
        guard try run(.deferred, { try $0.needsSweep() }).result else { return false }
        let hasMore = try run(.immediate) { try $0.sweep() }.result
        if !hasMore {
            owesErasure = true
            cutLog()
        }
        return hasMore
    }

    /// Closes the connection; closing again does nothing.
    ///
    /// - Parameter checkpoints: whether to move what the write-ahead log holds into the file first.
    func close(checkpoints: Bool) {
        // What cannot be moved now is moved when the file is opened next.
        if checkpoints, case .open(let connection) = state { _ = try? connection.checkpoint(.truncate) }
        state = .closed
    }

    /// Gives back what can be read again from the file.
    func releaseMemory() { if case .open(let connection) = state { connection.releaseMemory() } }

    private func connection() throws(LocalStoreError) -> Connection {
        switch state {
        case .open(let connection): return connection
        case .closed: throw LocalStoreError(.closed, detail: "the store was closed")
        case .unopened(let open):
            do {
                let connection = try open()
                state = .open(connection)
                return connection
            } catch {
                throw Self.error(error)
            }
        }
    }

    private func run<Result>(
        _ kind: Connection.Transaction, _ body: (LocalTransaction) throws -> Result
    ) throws(LocalStoreError) -> (result: Result, transaction: LocalTransaction) {
        let connection = try connection()
        let transaction = LocalTransaction(connection)
        do {
            let result = try connection.transaction(kind) {
                let result = try body(transaction)
                try transaction.noteSweep()
                return result
            }
            return (result, transaction)
        } catch {
            throw Self.error(error)
        }
    }

    /// Cuts the write-ahead log, which still holds pages as they were before text was deleted.
    ///
    /// Nothing waits for it: if a reader is in the way, the next transaction tries again.
    private func cutLog() {
        guard case .open(let connection) = state else { return }
        connection.setBusyTimeout(.zero)
        defer { connection.setBusyTimeout(busyTimeout) }
        if let log = try? connection.checkpoint(.truncate), log.isWhole { owesErasure = false }
    }

    private static func error(_ error: any Error) -> LocalStoreError {
        switch error {
        case let error as LocalStoreError: error
        case let failure as SQLiteFailure: LocalStoreError(failure)
        default: LocalStoreError(.other, detail: String(reflecting: error))
        }
    }
}
