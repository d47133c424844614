package import RejoinCore
internal import SQLite
internal import Synchronization

/// The store in one SQLite file: one writer and two readers, each on a queue of its own.
///
/// The write-ahead log lets readers read while the writer writes; a read sees every transaction that was committed
/// before it began. Other processes may write the same file.
package final class SQLiteStore: Store {
    /// What a committed transaction survives.
    package enum Durability: Sendable {
        /// A crash of the process. A power cut may take the last moments, never more, and never damages the file.
        case normal
        /// A power cut as well; each transaction waits for the disk.
        case full
    }

    private let writer: StoreLane
    private let readers: [StoreLane]
    private let turn = Atomic<Int>(0)
    private let checkpointer: StoreLane
    private let checkpoints = Mutex(Checkpoints())

    /// When the write-ahead log is moved into the file, and by whom.
    private struct Checkpoints {
        var writes = 0
        var running: Task<Void, Never>?
    }

    /// Transactions between two checkpoints: a fraction of a second of answers under way.
    ///
    /// A checkpoint slows the writer while the disk is waited for, and the more there is to move, the longer: measured,
    /// few large ones delay pieces far more than many small ones.
    private static let writesBetweenCheckpoints = 50

    /// Pages of the write-ahead log at which the writer takes its turn: some eight megabytes.
    private static let largestLog = 2000

    /// Opens a database, or makes one, and brings it up to this version.
    ///
    /// Blocks while it does; milliseconds, unless tables have to be rebuilt.
    ///
    /// - Parameters:
    ///   - path: the file; two more beside it, `-wal` and `-shm`, belong to it.
    ///   - durability: what a committed transaction survives.
    ///   - busyTimeout: how long a transaction waits for another process.
    ///   - maximumBytes: a quota for the database file, beyond which it is `full`; nil for none.
    ///   - journalRows: after how many transactions what was appended is sorted by answer; tests make it small.
    ///   - onChange: called on the writer's queue after each transaction that fed an account; must not block.
    /// - Throws: `newer`, `corrupt`, `locked`, `readOnly`, `full` or `io`.
    package init(
        path: String, durability: Durability = .normal, busyTimeout: Duration = .seconds(5),
        maximumBytes: Int? = nil, journalRows: Int = 500, onChange: @escaping ChangeObserver
    ) throws(StoreFailure) {
        do {
            let connection = try Self.openWriter(
                path: path, durability: durability, busyTimeout: busyTimeout, maximumBytes: maximumBytes)
            writer = StoreLane(
                connection, label: "store.writer", busyTimeout: busyTimeout, limits: Journal.Limits(rows: journalRows),
                onChange: onChange)
            var readers: [StoreLane] = []
            for number in 1...2 {
                let connection = try Connection(path: path, mode: .readWrite, busyTimeout: busyTimeout)
                try connection.execute("PRAGMA query_only = ON")
                readers.append(StoreLane(connection, label: "store.reader.\(number)", busyTimeout: busyTimeout))
            }
            self.readers = readers
            let mover = try Connection(path: path, mode: .readWrite, busyTimeout: busyTimeout)
            // A connection that never read does not know that there is a write-ahead log, and moves nothing.
            _ = try mover.exists("SELECT 1 FROM sqlite_schema")
            checkpointer = StoreLane(mover, label: "store.checkpointer", busyTimeout: busyTimeout)
        } catch let failure as StoreFailure {
            throw failure
        } catch let failure as SQLiteFailure {
            throw StoreFailure(failure)
        } catch {
            throw StoreFailure(.other, detail: String(reflecting: error))
        }
    }

    private static func openWriter(
        path: String, durability: Durability, busyTimeout: Duration, maximumBytes: Int?
    ) throws -> Connection {
        let connection = try Connection(path: path, mode: .readWriteCreate, busyTimeout: busyTimeout)
        if connection.isReadOnly { throw StoreFailure(.readOnly, detail: "\(path) takes no writes") }
        // Before anything is changed: a file that is not ours must stay as it is.
        try Schema.version(of: connection)
        guard try connection.useWriteAheadLog(within: busyTimeout) else {
            throw StoreFailure(.io, detail: "\(path) is on a file system without shared memory for a write-ahead log")
        }
        try connection.execute(
            """
            PRAGMA synchronous = \(durability == .full ? "FULL" : "NORMAL");
            PRAGMA secure_delete = ON;
            PRAGMA journal_size_limit = 67108864;
            PRAGMA wal_autocheckpoint = 0;
            PRAGMA cache_size = -16000
            """)
        if let maximumBytes {
            let pageSize = try connection.first("PRAGMA page_size") { $0.integer(0) } ?? 4096
            try connection.execute("PRAGMA max_page_count = \(max(1, maximumBytes / pageSize))")
        }
        try Schema.migrate(connection)
        try connection.execute("PRAGMA foreign_keys = ON")
        return connection
    }

    func write<Result: Sendable>(
        _ body: @Sendable (StoreTransaction) throws -> Result
    ) async throws -> Result {
        let result = try await writer.write(body)
        noteWrite()
        return result
    }

    /// Now and then moves the write-ahead log into the file, without keeping the writer from the answers.
    ///
    /// Moving means waiting for the disk, some twenty milliseconds in which no answer would grow. So another
    /// connection moves it while the writer goes on. The log can begin afresh only when all of it was moved and nothing
    /// came meanwhile; where that does not happen by itself for long, the writer moves the last pages and waits.
    private func noteWrite() {
        checkpoints.withLock { checkpoints in
            checkpoints.writes += 1
            guard checkpoints.writes >= Self.writesBetweenCheckpoints, checkpoints.running == nil else { return }
            checkpoints.writes = 0
            checkpoints.running = Task { [weak self, checkpointer, writer] in
                if await checkpointer.checkpoint() > Self.largestLog { await writer.checkpoint() }
                self?.checkpoints.withLock { $0.running = nil }
            }
        }
    }

    /// Waits while the write-ahead log is moved: who writes much and is in no hurry must not outrun that.
    func waitForCheckpoint() async { await checkpoints.withLock { $0.running }?.value }

    func read<Result: Sendable>(
        _ body: @Sendable (StoreTransaction) throws -> Result
    ) async throws -> Result {
        let number = turn.wrappingAdd(1, ordering: .relaxed).newValue
        return try await readers[Int(UInt(bitPattern: number) % UInt(readers.count))].read(body)
    }

    package func close() async throws {
        await checkpoints.withLock { $0.running }?.value
        await checkpointer.close(checkpoints: false)
        for reader in readers { await reader.close(checkpoints: false) }
        await writer.close(checkpoints: true)
    }

    // MARK: Accounts

    package func createAccount(_ account: AccountRecord, keepsHistory: Bool) async throws -> Bool {
        try await write { try $0.createAccount(account, keepsHistory: keepsHistory) }
    }

    package func account(_ id: AccountID) async throws -> AccountRecord? { try await read { try $0.account(id) } }

    package func account(named name: String) async throws -> AccountRecord? {
        try await read { try $0.account(nameKey: AccountRecord.key(ofName: name)) }
    }

    package func accounts() async throws -> [AccountRecord] { try await read { try $0.accounts() } }
    package func accountCount() async throws -> Int { try await read { try $0.accountCount() } }

    package func deleteAccount(_ id: AccountID, now: Timestamp) async throws -> [AnswerID]? {
        try await write { try $0.deleteAccount(id, now: now) }
    }

    package func openSession(_ session: SessionRecord, tokenHash: [UInt8]) async throws {
        try await write { try $0.openSession(session, tokenHash: tokenHash) }
    }

    package func session(tokenHash: [UInt8]) async throws -> SessionRecord? {
        try await read { try $0.session(tokenHash: tokenHash) }
    }

    package func sessions(of account: AccountID) async throws -> [SessionRecord] {
        try await read { try $0.sessions(of: account) }
    }

    package func closeSession(_ id: SessionID, of account: AccountID) async throws -> Bool {
        try await write { try $0.closeSession(id, of: account) }
    }

    package func saveSignInCode(hash: [UInt8], account: AccountID, expiresAt: Timestamp) async throws {
        try await write { try $0.saveSignInCode(hash: hash, account: account, expiresAt: expiresAt) }
    }

    package func redeemSignInCode(hash: [UInt8], now: Timestamp) async throws -> AccountID? {
        try await write { try $0.redeemSignInCode(hash: hash, now: now) }
    }

    // MARK: Conversations

    package func conversations(
        of account: AccountID, limit: Int, before: ConversationPosition?
    ) async throws -> [ConversationRecord] {
        try await read { try $0.conversations(of: account, limit: limit, before: before) }
    }

    package func conversation(
        _ id: ConversationID, of account: AccountID
    ) async throws -> Lookup<ConversationRecord> {
        try await read { try $0.conversation(id, of: account) }
    }

    package func putConversation(_ new: ConversationRecord, of account: AccountID) async throws -> ConversationPut {
        try await write { try $0.putConversation(new, of: account) }
    }

    package func patchConversation(
        _ id: ConversationID, of account: AccountID, _ patch: ConversationPatch, now: Timestamp
    ) async throws -> Lookup<ConversationRecord> {
        try await write { try $0.patchConversation(id, of: account, patch, now: now) }
    }

    package func setTitle(
        _ title: String, source: ConversationRecord.TitleSource, of id: ConversationID, account: AccountID,
        now: Timestamp
    ) async throws -> Bool {
        try await write { try $0.setTitle(title, source: source, of: id, account: account, now: now) }
    }

    package func deleteConversation(
        _ id: ConversationID, of account: AccountID, now: Timestamp
    ) async throws -> Lookup<[AnswerID]> {
        try await write { try $0.deleteConversation(id, of: account, now: now) }
    }

    package func deleteTemporaryConversations(idleSince: Timestamp, now: Timestamp) async throws -> Int {
        try await write { try $0.deleteTemporaryConversations(idleSince: idleSince, now: now) }
    }

    package func deleteConversations(of account: AccountID, now: Timestamp) async throws -> [AnswerID] {
        try await write { try $0.deleteConversations(of: account, now: now) }
    }

    package func contents(
        of id: ConversationID, account: AccountID
    ) async throws -> Lookup<ConversationContents> {
        try await read { try $0.contents(of: id, account: account) }
    }

    // MARK: Turns and answers

    package func admit(_ turn: TurnAdmission) async throws -> Admission { try await write { try $0.admit(turn) } }

    package func admit(_ answer: AnswerAdmission) async throws -> Admission { try await write { try $0.admit(answer) } }

    package func answer(_ id: AnswerID, of account: AccountID) async throws -> Lookup<AnswerRecord> {
        try await read { try $0.answer(id, of: account) }
    }

    package func turn(_ id: TurnID, of account: AccountID) async throws -> Lookup<TurnRecord> {
        try await read { try $0.turn(id, of: account) }
    }

    package func path(to turn: TurnID, of account: AccountID) async throws -> [PathStep] {
        try await read { try $0.path(to: turn, of: account) }
    }

    // MARK: The log

    package var executor: (any TaskExecutor)? { writer.executor }

    package func append(_ entries: [LogEntry]) async throws -> [AnswerID] {
        try await write { try $0.append(entries) }
    }

    package func log(of answer: AnswerID, after seq: Int, maximumBytes: Int) async throws -> LogPage {
        try await read { try $0.log(of: answer, after: seq, maximumBytes: maximumBytes) }
    }

    package func unfinishedAnswers() async throws -> [AnswerRecord] { try await read { try $0.unfinishedAnswers() } }

    package func compactLogs(endedBefore: Timestamp, limit: Int) async throws -> Int {
        try await write { try $0.compactLogs(endedBefore: endedBefore, limit: limit) }
    }

    // MARK: The change feed

    package func changes(of account: AccountID, after cursor: Int, limit: Int) async throws -> ChangePage {
        try await read { try $0.changes(of: account, after: cursor, limit: limit) }
    }

    package func changeCursor(of account: AccountID) async throws -> Int {
        try await read { try $0.changeCursor(of: account) }
    }

    package func expireChanges(before: Timestamp) async throws {
        try await write { try $0.expireChanges(before: before) }
    }
}
