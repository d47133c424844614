public import RejoinCore

extension LocalStore {
    /// Takes in a page of the server's list.
    public func merge(_ page: [ServerConversation]) async throws {
        let inMemory = conversationsInMemory
        // What is new while history is off, and what was temporary, is no business of the file.
        let known = page.filter { !inMemory.contains($0.id) && !isClosed($0.id) && !$0.isTemporary }
        let keepsHistory = keepsHistory
        try await write { transaction in
            for line in known {
                let isKnown = try transaction.key(of: line.id) != nil
                if keepsHistory || isKnown { try transaction.merge(line) }
            }
        }
        let others = page.filter { inMemory.contains($0.id) }
        if others.isEmpty { return }
        try await write(.memory) { transaction in for line in others { try transaction.merge(line) } }
    }

    /// Takes in a conversation as the server holds it.
    ///
    /// By id, and only ever more: turns and answers that the server has not got stay, text that is shown stays, and a
    /// conversation that was deleted here stays away.
    ///
    /// - Parameter isCrossed: whether the server may have been asked before a choice of a path that this device knows
    ///   of; looked at while nothing else is written. Then its own choice is asked for again later on.
    @discardableResult
    public func merge(
        _ tree: ServerTree, isCrossed: @Sendable () -> Bool = { false }
    ) async throws -> Merged {
        let id = tree.conversation.id
        if isClosed(id) { return .deleted }
        var place = place(of: id)
        if place == .file, !keepsHistory || tree.conversation.isTemporary {
            let isHere = try await read { try $0.key(of: id) != nil || $0.isDeleted(id) }
            if !isHere { place = .memory }
        }
        if place == .memory {
            keepInMemory(id, turns: tree.turns.map(\.id), answers: tree.turns.flatMap { $0.answers.map(\.id) })
        }
        return try await write(place) { try $0.merge(tree, isCrossed: isCrossed()) }
    }

    /// Takes in that a conversation was deleted elsewhere: its content goes, and nothing late brings it back.
    public func applyDeletion(_ conversation: ConversationID, at time: Timestamp) async throws {
        let place = place(of: conversation)
        try await write(place) { try $0.applyDeletion(conversation, at: time) }
        leaveMemory(conversation)
    }

    /// Whether a conversation was deleted, here or elsewhere.
    public func isDeleted(_ conversation: ConversationID) async throws -> Bool {
        if isClosed(conversation) { return true }
        return try await read { try $0.isDeleted(conversation) }
    }

    /// Forgets deletions older than the server keeps its own, except those it has yet to be told.
    ///
    /// - Returns: how many.
    @discardableResult
    public func purgeTombstones(olderThan time: Timestamp) async throws -> Int {
        try await write { try $0.purgeTombstones(olderThan: time) }
    }

    /// After the feed's cursor expired and the list was read afresh: removes what the server no longer lists.
    ///
    /// What holds unsent work stays, and so does what changed here since the reading began.
    ///
    /// - Parameter listedAt: the device's time when the reading of the list began.
    /// - Returns: what was removed.
    @discardableResult
    public func resetForCursorExpired(
        keeping listed: Set<ConversationID>, listedAt: Timestamp
    ) async throws -> [ConversationID] {
        try await write { try $0.reset(keeping: listed, listedAt: listedAt) }
    }

    /// How far the account's feed was read.
    public func syncState() async throws -> SyncState {
        try await read { try $0.syncState() }
    }

    /// Notes how far the account's feed was read.
    public func setSyncState(_ state: SyncState) async throws {
        try await write { try $0.setSyncState(state) }
    }

    /// The limits that the server told last.
    public func limits() async throws -> LimitsSnapshot? { try await read { try $0.limits() } }

    /// Keeps what the server told of limits.
    public func saveLimits(_ limits: LimitsSnapshot) async throws {
        try await write { try $0.saveLimits(limits) }
    }

    /// What the server is to be told next; nil if it knows all.
    public func nextOutbox() async throws -> OutboxEntry? { try await outbox(limit: 1).first }

    /// What the server is to be told, in order.
    public func outbox(limit: Int = .max) async throws -> [OutboxEntry] {
        let entries = try await read { try $0.outbox(limit: limit) }
        guard usesMemory else { return entries }
        return Array((entries + (try await read(.memory) { try $0.outbox(limit: limit) })).prefix(limit))
    }

    /// Takes out an entry that the server was told; one that is gone already is no matter.
    public func finish(_ number: Int) async throws {
        try await write(Self.place(of: number)) { try $0.finish(number) }
    }

    /// Notes that the server is to be told the path that is shown after an entry that asks for an answer.
    ///
    /// Without it a device on which another path was chosen would go on showing that one; and a prompt that a later
    /// choice overtook would take the place of that choice when it gets through. Called before the answer is asked for,
    /// so that a kill in between loses neither.
    public func repeatChoice(after entry: OutboxEntry, at time: Timestamp) async throws {
        guard let conversation = entry.conversation else { return }
        try await write(place(of: conversation)) {
            try $0.repeatChoice(in: conversation, after: entry.number, at: time)
        }
    }

    /// Notes that a choice of a path will not be told: which path the server shows is asked for.
    ///
    /// Not where what is shown is a prompt that the server did not take.
    public func dropChoice(in conversation: ConversationID) async throws {
        try await write(place(of: conversation)) { try $0.dropChoice(in: conversation) }
    }

    /// Counts a vain attempt.
    public func fail(_ number: Int) async throws {
        try await write(Self.place(of: number)) { try $0.fail(number) }
    }

    private static func place(of number: Int) -> Place { number > firstMemoryNumber ? .memory : .file }
}
