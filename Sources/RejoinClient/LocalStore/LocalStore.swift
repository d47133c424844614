public import RejoinCore
internal import SQLite
internal import Synchronization

/// What a device holds of one account: all that a front shows, and all that the server has yet to be told.
///
/// One file for each account, so that accounts cannot mix. Each verb is one transaction, durable against the death of
/// the process when it returns. Reads have a connection of their own and never wait for sync. What must leave nothing
/// behind is kept in memory behind the same verbs.
///
/// Every verb throws ``LocalStoreError``.
public final class LocalStore: Sendable {
    let writer: LocalLane
    private let reader: LocalLane
    /// Temporary conversations, and all new ones while history is off.
    private let memory: LocalLane
    private let broadcast: ChangeBroadcast
    /// Where its file is; nil for one in memory.
    let path: String?
    private let routes = Mutex(Routes())
    private let sweeping = Mutex<Task<Void, Never>?>(nil)

    /// What is kept in memory alone.
    private struct Routes {
        var keepsHistory = true
        var conversations: Set<ConversationID> = []
        var turns: [TurnID: ConversationID] = [:]
        var answers: [AnswerID: ConversationID] = [:]
        /// Temporary conversations that were closed: nothing late may bring them back.
        var closed: Set<ConversationID> = []
    }

    /// Where something is kept.
    enum Place: Sendable { case file, memory }

    init(writer: LocalLane, reader: LocalLane?, broadcast: ChangeBroadcast, path: String? = nil) {
        self.path = path
        self.writer = writer
        self.reader = reader ?? writer
        self.broadcast = broadcast
        memory = Self.memoryLane("store.memory", broadcast, firstNumber: Self.firstMemoryNumber)
    }

    /// Opens what a device holds of an account, or begins it.
    ///
    /// - Parameters:
    ///   - folder: where the accounts' files are; made if it is missing, for this user alone.
    ///   - busyTimeout: how long to wait for another process that writes the same file.
    /// - Throws: ``LocalStoreError``, `newer` for a file of a later version.
    public static func open(
        folder: String, account: AccountID, busyTimeout: Duration = .seconds(5)
    ) async throws -> LocalStore {
        try await open(StoreFile(folder: folder, account: account), busyTimeout: busyTimeout)
    }

    static func open(
        _ file: StoreFile, busyTimeout: Duration = .seconds(5), checkpointPages: Int = 1000
    ) async throws -> LocalStore {
        let broadcast = ChangeBroadcast()
        let writer = LocalLane(label: "store.writer", busyTimeout: busyTimeout, broadcast: broadcast) {
            try file.openWriter(busyTimeout: busyTimeout, checkpointPages: checkpointPages)
        }
        let reader = LocalLane(label: "store.reader", busyTimeout: busyTimeout) {
            try file.openReader(busyTimeout: busyTimeout)
        }
        // The writer first: it makes the file that the reader needs.
        try await writer.open()
        try await reader.open()
        let store = LocalStore(writer: writer, reader: reader, broadcast: broadcast, path: file.path)
        try await store.recallHistoryConsent()
        store.beginSweep()
        return store
    }

    /// A store that nothing survives: for history switched off, and for tests.
    public static func temporary() -> LocalStore {
        let broadcast = ChangeBroadcast()
        return LocalStore(writer: memoryLane("store.temporary", broadcast), reader: nil, broadcast: broadcast)
    }

    /// Removes all that a device holds of an account; nothing of others.
    ///
    /// The account's store must be closed.
    public static func erase(folder: String, account: AccountID) throws(LocalStoreError) {
        try StoreFile(folder: folder, account: account).erase()
    }

    /// Closes the store; every call after that throws `closed`.
    public func close() async {
        let sweep = sweeping.withLock { $0 }
        sweep?.cancel()
        await sweep?.value
        await reader.close(checkpoints: false)
        await writer.close(checkpoints: true)
        await memory.close(checkpoints: false)
        broadcast.finish()
    }

    /// Gives back memory that can be filled again from the file; what is in memory alone stays.
    func releaseMemory() async {
        await reader.releaseMemory()
        await writer.releaseMemory()
    }

    /// A stream of what changes from now on: a set at a time, never a backlog.
    ///
    /// Each use subscribes anew. It ends when the store is closed.
    public var changes: AsyncStream<StoreChange> { broadcast.subscribe() }

    /// Whether new conversations are kept in the file.
    ///
    /// Switching it off keeps what is new from then on in memory for this session; switching it on again does not
    /// write that down.
    public var keepsHistory: Bool {
        get { routes.withLock { $0.keepsHistory } }
        set { routes.withLock { $0.keepsHistory = newValue } }
    }

    // MARK: Where things are

    /// Runs a body whose effects all happen or none.
    func write<Result: Sendable>(
        _ place: Place = .file, _ body: @Sendable (LocalTransaction) throws -> Result
    ) async throws -> Result {
        let (result, erasesText) = try await (place == .file ? writer : memory).write(body)
        if erasesText, place == .file { beginSweep() }
        return result
    }

    /// Runs a body that only reads.
    func read<Result: Sendable>(
        _ place: Place = .file, _ body: @Sendable (LocalTransaction) throws -> Result
    ) async throws -> Result {
        try await (place == .file ? reader : memory).read(body)
    }

    func place(of conversation: ConversationID) -> Place {
        routes.withLock { $0.conversations.contains(conversation) ? .memory : .file }
    }

    func place(of turn: TurnID) -> Place { routes.withLock { $0.turns[turn] == nil ? .file : .memory } }

    func place(of answer: AnswerID) -> Place { routes.withLock { $0.answers[answer] == nil ? .file : .memory } }

    /// Whether anything is kept in memory.
    var usesMemory: Bool { routes.withLock { !$0.conversations.isEmpty } }

    /// Whether a temporary conversation was closed.
    func isClosed(_ conversation: ConversationID) -> Bool { routes.withLock { $0.closed.contains(conversation) } }

    /// Notes that a conversation is kept in memory, with what is in it.
    func keepInMemory(_ conversation: ConversationID, turns: [TurnID] = [], answers: [AnswerID] = []) {
        routes.withLock { routes in
            routes.conversations.insert(conversation)
            for turn in turns { routes.turns[turn] = conversation }
            for answer in answers { routes.answers[answer] = conversation }
        }
    }

    /// Notes that a conversation is no longer kept in memory.
    func leaveMemory(_ conversation: ConversationID) {
        routes.withLock { routes in
            guard routes.conversations.remove(conversation) != nil else { return }
            routes.closed.insert(conversation)
            routes.turns = routes.turns.filter { $0.value != conversation }
            routes.answers = routes.answers.filter { $0.value != conversation }
        }
    }

    /// Everything that is kept in memory.
    var conversationsInMemory: Set<ConversationID> { routes.withLock { $0.conversations } }

    // MARK: Erasing

    /// Waits until the words of deleted text have left the file's index too.
    ///
    /// They cannot be found any more as soon as a deletion returns; this is for who wants to see it in the bytes.
    public func finishErasing() async { await sweeping.withLock { $0 }?.value }

    /// Takes the words of deleted text out of the index, a few milliseconds at a time, so that nothing waits for it.
    private func beginSweep() {
        sweeping.withLock { sweeping in
            let before = sweeping
            // One at a time: what it has not done is done by the next.
            before?.cancel()
            sweeping = Task { [writer] in
                await before?.value
                // What cannot be done now is done when the file is opened next.
                while !Task.isCancelled, let hasMore = try? await writer.sweep(), hasMore {}
            }
        }
    }

    // MARK: Memory

    /// Entries of the outbox in memory have numbers of their own.
    static let firstMemoryNumber = 1 << 40

    private static func memoryLane(
        _ label: String, _ broadcast: ChangeBroadcast, firstNumber: Int = 0
    ) -> LocalLane {
        LocalLane(label: label, busyTimeout: .zero, broadcast: broadcast) {
            let connection = try Connection(path: ":memory:", mode: .readWriteCreate, busyTimeout: .zero)
            try LocalSchema.migrate(connection)
            try connection.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('outbox', ?)", .integer(firstNumber))
            return connection
        }
    }
}
