package import RejoinCore
package import RejoinServer
internal import Synchronization

/// The store in memory, for tests: so plain that its answers are the ones that other stores are measured by.
package final class MemoryStore: Store {
    private let tables = Mutex<MemoryTables?>(MemoryTables())
    private let onChange: ChangeObserver

    /// Starts empty.
    package init(onChange: @escaping ChangeObserver = { _, _ in }) { self.onChange = onChange }

    func read<Result: Sendable>(_ body: (MemoryTables) throws -> Result) throws -> Result {
        guard let tables = tables.withLock({ $0 }) else { throw StoreFailure(.closed, detail: "closed") }
        return try body(tables)
    }

    /// Works on a copy, which counts only if the body does not throw.
    func write<Result: Sendable>(_ body: (inout MemoryTables) throws -> Result) throws -> Result {
        let (result, fed) = try tables.withLock { current in
            guard var copy = current else { throw StoreFailure(.closed, detail: "closed") }
            copy.fed = [:]
            let result = try body(&copy)
            current = copy
            return (result, copy.fed)
        }
        for (account, cursor) in fed { onChange(account, cursor) }
        return result
    }

    package func close() async throws { tables.withLock { $0 = nil } }

    package func createAccount(_ account: AccountRecord, keepsHistory: Bool) async throws -> Bool {
        try write { try $0.createAccount(account, keepsHistory: keepsHistory) }
    }
    package func account(_ id: AccountID) async throws -> AccountRecord? { try read { $0.accounts[id] } }
    package func account(named name: String) async throws -> AccountRecord? {
        try read { $0.accounts.values.first { $0.nameKey == AccountRecord.key(ofName: name) } }
    }
    package func accounts() async throws -> [AccountRecord] {
        try read { $0.accounts.values.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) } }
    }
    package func accountCount() async throws -> Int { try read { $0.accounts.count } }

    package func openSession(_ session: SessionRecord, tokenHash: [UInt8]) async throws {
        try write { try $0.openSession(session, tokenHash: tokenHash) }
    }
    package func session(tokenHash: [UInt8]) async throws -> SessionRecord? {
        try read { $0.sessions.first { $0.tokenHash == tokenHash }?.record }
    }
    package func sessions(of account: AccountID) async throws -> [SessionRecord] {
        try read { $0.sessions(of: account) }
    }
    package func closeSession(_ id: SessionID, of account: AccountID) async throws -> Bool {
        try write { try $0.closeSession(id, of: account) }
    }
    package func saveSignInCode(hash: [UInt8], account: AccountID, expiresAt: Timestamp) async throws {
        try write { try $0.saveSignInCode(hash: hash, account: account, expiresAt: expiresAt) }
    }
    package func redeemSignInCode(hash: [UInt8], now: Timestamp) async throws -> AccountID? {
        try write { $0.redeemSignInCode(hash: hash, now: now) }
    }

    package func conversations(
        of account: AccountID, limit: Int, before: ConversationPosition?
    ) async throws -> [ConversationRecord] {
        try read { $0.conversations(of: account, limit: limit, before: before) }
    }
    package func conversation(
        _ id: ConversationID, of account: AccountID
    ) async throws -> Lookup<ConversationRecord> {
        try read { $0.conversation(id, of: account) }
    }
    package func putConversation(_ new: ConversationRecord, of account: AccountID) async throws -> ConversationPut {
        try write { try $0.putConversation(new, of: account) }
    }
    package func patchConversation(
        _ id: ConversationID, of account: AccountID, _ patch: ConversationPatch, now: Timestamp
    ) async throws -> Lookup<ConversationRecord> {
        try write { try $0.patchConversation(id, of: account, patch, now: now) }
    }
    package func setTitle(
        _ title: String, source: ConversationRecord.TitleSource, of id: ConversationID, account: AccountID,
        now: Timestamp
    ) async throws -> Bool {
        try write { try $0.setTitle(title, source: source, of: id, account: account, now: now) }
    }
    package func deleteConversation(
        _ id: ConversationID, of account: AccountID, now: Timestamp
    ) async throws -> Lookup<[AnswerID]> {
        try write { try $0.deleteConversation(id, of: account, now: now) }
    }
    package func deleteTemporaryConversations(idleSince: Timestamp, now: Timestamp) async throws -> Int {
        try write { try $0.deleteTemporaryConversations(idleSince: idleSince, now: now) }
    }
    package func deleteConversations(of account: AccountID, now: Timestamp) async throws -> [AnswerID] {
        try write { try $0.deleteConversations(of: account, now: now) }
    }
    package func contents(
        of id: ConversationID, account: AccountID
    ) async throws -> Lookup<ConversationContents> {
        try read { $0.contents(of: id, account: account) }
    }

    package func deleteAccount(_ id: AccountID, now: Timestamp) async throws -> [AnswerID]? {
        try write { try $0.deleteAccount(id, now: now) }
    }
    package func conversationIDs(of account: AccountID) async throws -> [ConversationID] {
        try read { tables in
            tables.conversations.filter { $0.value.account == account && !$0.value.record.isTemporary }.keys.sorted()
        }
    }
    package func importConversation(
        _ contents: ConversationContents, of account: AccountID, now: Timestamp
    ) async throws -> ImportOutcome {
        try write { try $0.importConversation(contents, of: account, now: now) }
    }
    package func search(_ text: String, of account: AccountID, limit: Int) async throws -> [SearchHit] {
        try read { $0.search(text, of: account, limit: limit) }
    }
    package func settleSearch(maximumBytes: Int) async throws -> Bool { false }
    package func sweepSearch() async throws -> Bool { false }

    package func createTask(_ task: TaskRecord) async throws -> Bool { try write { try $0.createTask(task) } }
    package func updateTask(_ task: TaskRecord, now: Timestamp) async throws -> Bool {
        try write { try $0.updateTask(task, now: now) }
    }
    package func task(_ id: TaskID, of account: AccountID) async throws -> TaskRecord? {
        try read { $0.tasks[id].flatMap { $0.account == account ? $0 : nil } }
    }
    package func tasks(of account: AccountID) async throws -> [TaskRecord] {
        try read { $0.tasks { $0.account == account } }
    }
    package func deleteTask(_ id: TaskID, of account: AccountID, now: Timestamp) async throws -> Bool {
        try write { try $0.deleteTask(id, of: account, now: now) }
    }
    package func unfinishedTasks() async throws -> [TaskRecord] { try read { $0.tasks { $0.endedAt == nil } } }
    package func tasks(endedBefore: Timestamp) async throws -> [TaskRecord] {
        try read { $0.tasks { ($0.endedAt ?? endedBefore) < endedBefore } }
    }

    package func admit(_ turn: TurnAdmission) async throws -> Admission { try write { try $0.admit(turn) } }
    package func admit(_ answer: AnswerAdmission) async throws -> Admission { try write { try $0.admit(answer) } }
    package func answer(_ id: AnswerID, of account: AccountID) async throws -> Lookup<AnswerRecord> {
        try read { $0.answer(id, of: account) }
    }
    package func turn(_ id: TurnID, of account: AccountID) async throws -> Lookup<TurnRecord> {
        try read { $0.turn(id, of: account) }
    }
    package func path(to turn: TurnID, of account: AccountID) async throws -> [PathStep] {
        try read { $0.path(to: turn, of: account) }
    }

    package func append(_ entries: [LogEntry]) async throws -> [AnswerID] { try write { try $0.append(entries) } }
    package func log(of answer: AnswerID, after seq: Int, maximumBytes: Int) async throws -> LogPage {
        try read { $0.log(of: answer, after: seq, maximumBytes: maximumBytes) }
    }
    package func unfinishedAnswers() async throws -> [AnswerRecord] {
        try read { $0.answers.filter { $0.end == nil } }
    }
    package func compactLogs(endedBefore: Timestamp, limit: Int) async throws -> Int {
        try write { $0.compactLogs(endedBefore: endedBefore, limit: limit) }
    }

    package func changes(of account: AccountID, after cursor: Int, limit: Int) async throws -> ChangePage {
        try read { $0.changes(of: account, after: cursor, limit: limit) }
    }
    package func changeCursor(of account: AccountID) async throws -> Int {
        try read { $0.feeds[account]?.newest ?? 0 }
    }
    package func expireChanges(before: Timestamp) async throws { try write { $0.expireChanges(before: before) } }
}
