internal import RejoinCore
internal import SQLite

extension LocalTransaction {
    /// Takes in a line of the server's list.
    ///
    /// - Returns: its key; nil if the conversation was deleted here.
    @discardableResult
    func merge(_ new: ServerConversation) throws -> Int64? {
        if try isDeleted(new.id) { return nil }
        let old = try conversation(new.id)
        let key: Int64
        if let old, let found = try self.key(of: new.id) {
            key = found
            let pending = try pendingFacts(of: new.id)
            let title = old.title.merging(serverTitle: new.title, isRenamePending: pending.renames)
            let hasNewTitle = try retitle(key, title, at: new.updatedAt ?? old.updatedAt)
            // Unsent work keeps a conversation as high in the list as it is.
            let keepsTime = old.unsent > 0 || new.updatedAt == nil
            let updatedAt = keepsTime ? max(old.updatedAt, new.updatedAt ?? old.updatedAt) : new.updatedAt
            let changed = try connection.run(
                """
                UPDATE conversation SET updated_at = ?1, is_pinned = ?2, is_archived = ?3
                WHERE key = ?4 AND (updated_at, is_pinned, is_archived) IS NOT (?1, ?2, ?3)
                """, .time(updatedAt), .bool(pending.pins ? old.isPinned : new.isPinned),
                .bool(pending.archives ? old.isArchived : new.isArchived), .integer(key))
            if hasNewTitle || changed > 0 { touch(new.id) }
        } else {
            let updatedAt = new.updatedAt ?? new.id.time
            key = try insertConversation(
                StoredConversation(
                    id: new.id, updatedAt: updatedAt, isPinned: new.isPinned, isArchived: new.isArchived,
                    isTemporary: new.isTemporary))
            if !new.title.isEmpty { try retitle(key, .server(new.title), at: updatedAt) }
            touch(new.id)
        }
        return key
    }

    /// Takes in a conversation as the server holds it; nothing that only this device has is lost.
    ///
    /// - Parameter isCrossed: whether the server may have been asked before a choice that this device knows of.
    func merge(_ new: ServerTree, isCrossed: Bool = false) throws -> Merged {
        guard let key = try merge(new.conversation) else { return .deleted }
        let id = new.conversation.id
        let pending = try pendingFacts(of: id)
        let held = try held(in: key)
        for (position, turn) in new.turns.enumerated() {
            try merge(turn, position: new.isWhole ? position : nil, into: key, id, held)
        }
        if new.isWhole {
            let changed = try connection.run(
                "UPDATE conversation SET is_complete = 1 WHERE key = ? AND is_complete = 0", .integer(key))
            if changed > 0 { touch(id) }
        }
        if let selected = new.selected {
            try mergeSelection(selected, of: id, key, isDoubtful: pending.selects || isCrossed)
        }
        return .merged
    }

    /// What is held of a conversation, without its text: most of what comes in says nothing new.
    private struct Held {
        var turns: [TurnID: (key: Int64, position: Int?, delivery: Int)] = [:]
        var answers: [AnswerID: (turn: Int64, position: Int?, seq: Int, isAtRest: Bool)] = [:]
    }

    private func held(in conversation: Int64) throws -> Held {
        var held = Held()
        try connection.walk(
            "SELECT id, key, position, delivery FROM turn WHERE conversation = ?", .integer(conversation)
        ) { row throws(SQLiteFailure) in
            held.turns[try row.id(0)] = (row.integer64(1), row.optionalInteger(2), row.integer(3))
            return true
        }
        try connection.walk(
            """
            SELECT id, turn, position, seq, local < 2 AND state NOT IN ('queued', 'streaming') FROM answer
            WHERE conversation = ?
            """, .integer(conversation)
        ) { row throws(SQLiteFailure) in
            held.answers[try row.id(0)] = (row.integer64(1), row.optionalInteger(2), row.integer(3), row.bool(4))
            return true
        }
        return held
    }

    private func merge(
        _ new: ServerTurn, position: Int?, into conversation: Int64, _ id: ConversationID, _ held: Held
    ) throws {
        let turn: Int64
        if let old = held.turns[new.id] {
            turn = old.key
            // The server has it, so it was sent, whatever this device still thinks.
            if old.delivery != Delivery.Code.delivered.rawValue { _ = try deliver(new.id) }
            if let position, old.position != position {
                try connection.run(
                    "UPDATE turn SET position = ? WHERE key = ?", .integer(position), .integer(turn))
                touch(id)
            }
        } else {
            // An id of another conversation is no business of this one.
            if try row(of: new.id) != nil { return }
            let stored = StoredTurn(
                id: new.id, conversation: id, parent: new.parent, content: new.content, model: new.model,
                createdAt: new.createdAt ?? new.id.time, delivery: .delivered)
            turn = try insertTurn(stored, conversation: conversation, position: position)
            touch(id)
        }
        for (index, answer) in new.answers.enumerated() where answer.turn == new.id {
            if let old = held.answers[answer.id] {
                if old.turn != turn { continue }
                if old.position != index { try setPosition(index, of: answer.id, in: id) }
                if old.isAtRest, old.seq >= answer.seq, answer.withdrawal == nil { continue }
            } else {
                if try row(of: answer.id) != nil { continue }
                try insertAnswer(answer.id, turn: turn, conversation: conversation, local: .none, position: index)
                touch(id)
            }
            _ = try replace(answer)
            try removeEntries(ofAnswer: answer.id)
        }
    }

    private func setPosition(_ position: Int, of answer: AnswerID, in id: ConversationID) throws {
        try connection.run("UPDATE answer SET position = ? WHERE id = ?", .integer(position), .id(answer))
        touch(id)
    }

    /// The server's selection counts; where it is in doubt, it is asked for again once nothing of ours is under way.
    private func mergeSelection(
        _ selected: AnswerID, of id: ConversationID, _ key: Int64, isDoubtful: Bool
    ) throws {
        let current = try self.selected(in: key)
        if current == selected { return }
        // Noted with what was taken in: a kill after it would leave nothing else that leads back here.
        if isDoubtful { return try askForPath(of: id) }
        guard let row = try row(of: selected), row.conversationKey == key else { return }
        // Who looks at a prompt that was not taken goes on looking at it.
        if let current, try !isTaken(current), try isOnPath(selected, to: current) { return }
        try select(selected, in: key)
        touch(id)
    }

    /// Whether the server took the turn of an answer and did not decline to begin it, as far as this device knows.
    private func isTaken(_ answer: AnswerID) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM answer a JOIN turn t ON t.key = a.turn
            WHERE a.id = ? AND t.delivery = ? AND (a.seq > 0 OR a.state IN ('queued', 'streaming'))
            """, .id(answer), .integer(Delivery.Code.delivered.rawValue))
    }

    /// Notes that the server is to be asked which path of a conversation it shows.
    func askForPath(of id: ConversationID) throws {
        guard let key = try key(of: id), try !isTemporary(key), let line = try conversation(id) else { return }
        try enqueue(.askForPath, conversation: id, at: line.updatedAt)
    }

    /// Notes that a choice of a path came to nothing, unless what is shown is one that the server did not take.
    func dropChoice(in id: ConversationID) throws {
        guard let key = try key(of: id) else { return }
        if let selected = try selected(in: key), try !isTaken(selected) { return }
        try askForPath(of: id)
    }

    /// Notes that the server is to be told the path that is shown, after an entry that asks for an answer.
    func repeatChoice(in id: ConversationID, after number: Int, at time: Timestamp) throws {
        guard let key = try key(of: id), try !isTemporary(key), let selected = try selected(in: key) else { return }
        let hasOthers = try connection.exists(
            "SELECT 1 FROM answer WHERE conversation = ? AND id <> ?", .integer(key), .id(selected))
        guard hasOthers else { return }
        let isItsOwn = try connection.exists(
            "SELECT 1 FROM outbox WHERE number = ? AND answer = ?", .integer(number), .id(selected))
        // What is yet to be sent tells of itself, and what was refused is shown here alone.
        guard try isItsOwn || isTaken(selected) else { return }
        let isToldLater = try connection.exists(
            "SELECT 1 FROM outbox WHERE number > ? AND answer = ? AND kind <> ?", .integer(number), .id(selected),
            Self.stopCode)
        if !isToldLater { try enqueue(.select(selected), conversation: id, at: time) }
    }

    /// The answer that was chosen as the end of the path.
    private func selected(in conversation: Int64) throws -> AnswerID? {
        try connection.first("SELECT selected FROM conversation WHERE key = ?", .integer(conversation)) {
            row throws(SQLiteFailure) -> AnswerID? in try row.optionalID(0)
        } ?? nil
    }

    private func isOnPath(_ answer: AnswerID, to end: AnswerID) throws -> Bool {
        var next: AnswerID? = end
        var steps = 0
        // Bounded: what came from outside could be a ring.
        while let current = next, steps < 100_000 {
            if current == answer { return true }
            next =
                try connection.first(
                    "SELECT t.parent FROM answer a JOIN turn t ON t.key = a.turn WHERE a.id = ?", .id(current)
                ) { row throws(SQLiteFailure) -> AnswerID? in try row.optionalID(0) } ?? nil
            steps += 1
        }
        return false
    }

    /// Takes in that a conversation was deleted elsewhere.
    func applyDeletion(_ id: ConversationID, at time: Timestamp) throws {
        if try !isDeleted(id) { try bury(id, at: time) }
        try removeContent(of: id)
    }

    /// Forgets deletions that no late event can undo any more.
    func purgeTombstones(olderThan time: Timestamp) throws -> Int {
        try connection.run(
            """
            DELETE FROM tombstone WHERE deleted_at < ?
            AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.conversation = tombstone.conversation)
            """, .time(time))
    }

    /// Removes what the server no longer lists, except what holds work that it has not got or that is newer.
    func reset(keeping listed: Set<ConversationID>, listedAt: Timestamp) throws -> [ConversationID] {
        let candidates: [ConversationID] = try connection.all(
            """
            SELECT id FROM conversation WHERE is_temporary = 0 AND updated_at < ?
            AND NOT EXISTS (
                SELECT 1 FROM turn WHERE turn.conversation = conversation.key AND (delivery < 2 OR delivery > 4))
            AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.conversation = conversation.id)
            AND NOT EXISTS (SELECT 1 FROM answer WHERE answer.conversation = conversation.key AND local >= 2)
            """, .time(listedAt)
        ) { row throws(SQLiteFailure) in try row.id(0) }
        let gone = candidates.filter { !listed.contains($0) }
        for id in gone { try removeContent(of: id) }
        // What is kept may have changed in the part of the feed that is lost.
        // What only this device has is all that there is of it.
        try connection.run(
            """
            UPDATE conversation SET is_complete = 0 WHERE is_temporary = 0
            AND (NOT EXISTS (SELECT 1 FROM turn WHERE turn.conversation = conversation.key AND delivery > 4)
                OR EXISTS (SELECT 1 FROM turn WHERE turn.conversation = conversation.key AND delivery = 2))
            """)
        return gone
    }
}

extension Title {
    /// The title after the server's word.
    ///
    /// The server lets no title that it made take the place of a person's. So what it says against one that it was
    /// told was chosen by a person too, on another device.
    func merging(serverTitle: String, isRenamePending: Bool) -> Title {
        guard !serverTitle.isEmpty, !isRenamePending else { return self }
        if case .person = self { return .person(serverTitle) }
        return .server(serverTitle)
    }
}

extension ID {
    /// The time in an id of version 7.
    var time: Timestamp { Timestamp(milliseconds: Int64(high >> 16)) }
}
