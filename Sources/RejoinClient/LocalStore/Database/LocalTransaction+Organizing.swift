internal import RejoinCore
internal import SQLite

extension LocalTransaction {
    /// Shows another path, and notes that the server is to know.
    func choose(_ answer: AnswerID, at time: Timestamp) throws -> Bool {
        guard let row = try row(of: answer) else { return false }
        try select(answer, in: row.conversationKey)
        try tell(.select(answer), row.conversation, at: time)
        return true
    }

    /// Gives a conversation the title that a person chose.
    func rename(_ id: ConversationID, to title: String, at time: Timestamp) throws -> Bool {
        guard let key = try key(of: id) else { return false }
        try retitle(key, .person(title), at: time)
        try tell(.rename(title), id, at: time)
        return true
    }

    /// Keeps a conversation at the top of the list, or no longer.
    func setPinned(_ isPinned: Bool, _ id: ConversationID, at time: Timestamp) throws -> Bool {
        guard try key(of: id) != nil else { return false }
        try connection.run("UPDATE conversation SET is_pinned = ? WHERE id = ?", .bool(isPinned), .id(id))
        try tell(.pin(isPinned), id, at: time)
        return true
    }

    /// Takes a conversation out of the list that is shown, or puts it back.
    func setArchived(_ isArchived: Bool, _ id: ConversationID, at time: Timestamp) throws -> Bool {
        guard try key(of: id) != nil else { return false }
        try connection.run("UPDATE conversation SET is_archived = ? WHERE id = ?", .bool(isArchived), .id(id))
        try tell(.archive(isArchived), id, at: time)
        return true
    }

    /// Deletes a conversation here, for good, and notes that the server is to do the same.
    func delete(_ id: ConversationID, at time: Timestamp) throws -> Bool {
        guard let key = try key(of: id) else { return false }
        let isTemporary = try isTemporary(key)
        let isOnlyHere = try isOnlyHere(key)
        try removeContent(of: id)
        if isTemporary { return true }
        try bury(id, at: time)
        // Nobody else knows that there was such a conversation, and nobody is told.
        if isOnlyHere { return true }
        try enqueue(.delete, conversation: id, at: time)
        return true
    }

    /// Deletes every conversation.
    func deleteAll(at time: Timestamp) throws {
        try removeEverything(at: time)
        try enqueue(.deleteAll, conversation: nil, at: time)
    }

    /// Notes that a person stopped an answer, and that the server is to know; nothing for one that has ended.
    func requestStop(_ answer: AnswerID, at time: Timestamp) throws -> Bool {
        guard let row = try row(of: answer), row.state.end == nil else { return false }
        if row.local == .stopRequested { return true }
        guard try mark(answer, .stopRequested) else { return false }
        try tell(.stop(answer), row.conversation, at: time)
        return true
    }

    /// Ends an answer that the server declined to begin.
    func refuse(answer id: AnswerID, _ end: Event.End) throws -> Bool {
        guard let row = try row(of: id), row.state.end == nil, let stored = try answer(id) else { return false }
        try save(stored.answer.ended(end), of: row, local: .none)
        try removeEntries(ofAnswer: id)
        return true
    }

    /// Remembers that a conversation was deleted.
    func bury(_ id: ConversationID, at time: Timestamp) throws {
        try connection.run(
            "INSERT OR REPLACE INTO tombstone (conversation, deleted_at) VALUES (?, ?)", .id(id), .time(time))
    }

    /// Removes all conversations and remembers that they were deleted.
    func removeEverything(at time: Timestamp) throws {
        let ids: [ConversationID] = try connection.all("SELECT id FROM conversation") {
            row throws(SQLiteFailure) in try row.id(0)
        }
        for id in ids {
            try bury(id, at: time)
            touch(id)
        }
        try removeAllPassages()
        for table in ["answer_base", "piece", "answer", "turn", "conversation", "outbox"] {
            try connection.run("DELETE FROM \(table)")
        }
        try connection.run("DELETE FROM draft WHERE length(conversation) > 0")
    }

    private func tell(_ kind: OutboxKind, _ id: ConversationID, at time: Timestamp) throws {
        touch(id)
        guard let key = try key(of: id), try !isTemporary(key), try !isOnlyHere(key) else { return }
        try enqueue(kind, conversation: id, at: time)
    }
}
