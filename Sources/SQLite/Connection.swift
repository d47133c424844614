internal import CSQLite

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// One connection to a database file, with its prepared statements.
///
/// Not `Sendable`: its owner is an actor on a queue of its own. Every call blocks until SQLite is done.
package final class Connection {
    /// How a file is opened.
    package enum Mode: Sendable {
        /// Reads and writes; the file is made if it is missing.
        case readWriteCreate
        /// Reads and writes a file that must exist.
        case readWrite
        /// Reads a file that must exist.
        case readOnly
    }

    /// When a transaction takes its lock.
    package enum Transaction: Sendable {
        /// At the first statement; all reads see one state of the data.
        case deferred
        /// At once, for writing: it waits for other writers here and nowhere later.
        case immediate
    }

    /// How far a checkpoint goes.
    package enum Checkpoint: Sendable {
        /// As far as is possible without waiting.
        case passive
        /// Everything, and the write-ahead log is cut to nothing.
        case truncate
    }

    /// Where another library of the process was first to use SQLite, it stays as that one found it.
    private static let isLibraryReady = csqlite_skip_memory_counts() == SQLITE_OK

    let handle: Handle
    private var statements: [String: CachedStatement] = [:]

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: a file's path; never read as a URI.
    ///   - busyTimeout: how long a statement waits for another connection's lock.
    /// - Throws: ``SQLiteFailure``; that the file is no database often shows only at the first statement.
    package init(path: String, mode: Mode, busyTimeout: Duration) throws(SQLiteFailure) {
        let access =
            switch mode {
            case .readWriteCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .readWrite: SQLITE_OPEN_READWRITE
            case .readOnly: SQLITE_OPEN_READONLY
            }
        _ = Self.isLibraryReady
        var opened: OpaquePointer?
        let status = unsafe sqlite3_open_v2(
            path, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard let pointer = unsafe opened else {
            throw SQLiteFailure(extendedCode: status, message: "no memory to open a database")
        }
        unsafe handle = Handle(pointer)
        guard status == SQLITE_OK else { throw failure(status, nil) }
        try check(unsafe csqlite_defend(handle.pointer), nil)
        setBusyTimeout(busyTimeout)
    }

    /// How long a statement waits for another connection's lock from now on.
    package func setBusyTimeout(_ timeout: Duration) {
        let (seconds, attoseconds) = timeout.components
        let milliseconds = seconds.multipliedReportingOverflow(by: 1000)
        let whole = milliseconds.overflow ? Int64(Int32.max) : milliseconds.partialValue
        let total = min(max(0, whole), Int64(Int32.max) - 1000) + attoseconds / 1_000_000_000_000_000
        unsafe sqlite3_busy_timeout(handle.pointer, Int32(truncatingIfNeeded: max(0, total)))
    }

    /// Whether the file was opened for reading alone, which SQLite does by itself where it may not write.
    package var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle.pointer, "main") == 1 }

    /// Whether a transaction is open.
    package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle.pointer) == 0 }

    /// The integer key of the row that was inserted last.
    package var lastInsertedKey: Int64 { unsafe sqlite3_last_insert_rowid(handle.pointer) }

    /// Runs statements that take no values, one after the other.
    package func execute(_ script: String) throws(SQLiteFailure) {
        try check(unsafe sqlite3_exec(handle.pointer, script, nil, nil, nil), script)
    }

    /// Runs one statement to its end.
    ///
    /// - Returns: how many rows it inserted, updated or deleted.
    @discardableResult
    package func run(_ sql: String, _ values: Value...) throws(SQLiteFailure) -> Int {
        try step(sql, values) { (_) throws(SQLiteFailure) in true }
        return Int(unsafe sqlite3_changes64(handle.pointer))
    }

    /// Reads all rows of a result.
    package func all<Element>(
        _ sql: String, _ values: Value..., read: (borrowing Row) throws(SQLiteFailure) -> Element
    ) throws(SQLiteFailure) -> [Element] {
        try all(sql, values, read: read)
    }

    /// Reads all rows of a result, the values given as an array.
    package func all<Element>(
        _ sql: String, _ values: [Value], read: (borrowing Row) throws(SQLiteFailure) -> Element
    ) throws(SQLiteFailure) -> [Element] {
        var elements: [Element] = []
        try step(sql, values) { (row) throws(SQLiteFailure) in
            elements.append(try read(row))
            return true
        }
        return elements
    }

    /// Reads the first row of a result, if there is one.
    package func first<Element>(
        _ sql: String, _ values: Value..., read: (borrowing Row) throws(SQLiteFailure) -> Element
    ) throws(SQLiteFailure) -> Element? {
        var element: Element?
        try step(sql, values) { (row) throws(SQLiteFailure) in
            element = try read(row)
            return false
        }
        return element
    }

    /// Walks through the rows of a result until `visit` returns false.
    package func walk(
        _ sql: String, _ values: Value..., visit: (borrowing Row) throws(SQLiteFailure) -> Bool
    ) throws(SQLiteFailure) {
        try step(sql, values, visit)
    }

    /// Whether a result has any row.
    package func exists(_ sql: String, _ values: Value...) throws(SQLiteFailure) -> Bool {
        var found = false
        try step(sql, values) { (_) throws(SQLiteFailure) in
            found = true
            return false
        }
        return found
    }

    /// Runs a body in a transaction, which is rolled back if the body or the commit throws.
    ///
    /// - Throws: ``SQLiteFailure``, or what the body throws.
    @discardableResult
    package func transaction<Result>(_ kind: Transaction, _ body: () throws -> Result) throws -> Result {
        try run(kind == .immediate ? "BEGIN IMMEDIATE" : "BEGIN")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // A full disk and a few others have rolled back already; a failure to roll back leaves nothing to try.
            if isInTransaction { _ = try? run("ROLLBACK") }
            throw error
        }
    }

    /// Has the file keep a write-ahead log from now on.
    ///
    /// Of two connections that read a new file and then both want to change it, SQLite lets one fail at once, since
    /// waiting could never end: that one asks again.
    ///
    /// - Parameter patience: how long to ask again.
    /// - Returns: false on a file system without shared memory, where there is no such log.
    package func useWriteAheadLog(within patience: Duration) throws(SQLiteFailure) -> Bool {
        let deadline = ContinuousClock.now + patience
        while true {
            do throws(SQLiteFailure) {
                return try first("PRAGMA journal_mode = WAL") { $0.text(0) } == "wal"
            } catch {
                guard error.code == .busy, ContinuousClock.now < deadline else { throw error }
                usleep(1000)
            }
        }
    }

    /// Moves what the write-ahead log holds into the file.
    ///
    /// - Returns: how many pages the log has, and whether all of them are in the file now: another connection may have
    ///   been in the way.
    @discardableResult
    package func checkpoint(_ kind: Checkpoint) throws(SQLiteFailure) -> (pages: Int, isWhole: Bool) {
        let mode = kind == .passive ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE
        var pages: Int32 = 0
        var done: Int32 = 0
        let status = unsafe sqlite3_wal_checkpoint_v2(handle.pointer, nil, mode, &pages, &done)
        if status & 0xFF == SQLITE_BUSY || status & 0xFF == SQLITE_LOCKED { return (0, false) }
        try check(status, nil)
        return (Int(pages), pages == done)
    }

    /// Gives back the memory of pages that can be read again from the file.
    package func releaseMemory() { _ = unsafe sqlite3_db_release_memory(handle.pointer) }

    private func step(
        _ sql: String, _ values: [Value], _ visit: (borrowing Row) throws(SQLiteFailure) -> Bool
    ) throws(SQLiteFailure) {
        let cached = try cachedStatement(sql)
        cached.isInUse = true
        defer {
            cached.statement.reset()
            cached.isInUse = false
        }
        try check(cached.statement.bind(values), sql)
        while true {
            let status = cached.statement.step()
            switch status {
            case SQLITE_ROW: guard try cached.statement.withRow(visit) else { return }
            case SQLITE_DONE: return
            default: throw failure(status, sql)
            }
        }
    }

    private func cachedStatement(_ sql: String) throws(SQLiteFailure) -> CachedStatement {
        if let cached = statements[sql], !cached.isInUse { return cached }
        var prepared: OpaquePointer?
        let status = unsafe sqlite3_prepare_v3(
            handle.pointer, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        try check(status, sql)
        guard let pointer = unsafe prepared else {
            throw SQLiteFailure(extendedCode: SQLITE_MISUSE, message: "an empty statement")
        }
        let cached = unsafe CachedStatement(Statement(pointer))
        if statements[sql] == nil { statements[sql] = cached }
        return cached
    }

    private func check(_ status: Int32, _ sql: String?) throws(SQLiteFailure) {
        if status != SQLITE_OK { throw failure(status, sql) }
    }

    func failure(_ status: Int32, _ sql: String?) -> SQLiteFailure {
        var message = unsafe String(cString: sqlite3_errmsg(handle.pointer))
        if let sql { message += " in: \(sql)" }
        let systemError = unsafe sqlite3_system_errno(handle.pointer)
        return SQLiteFailure(extendedCode: status, systemError: systemError, message: message)
    }
}

/// The open database; closed once its last statement is gone too.
@safe struct Handle: ~Copyable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe sqlite3_close_v2(pointer) }
}
