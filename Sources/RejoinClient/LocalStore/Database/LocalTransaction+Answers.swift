internal import RejoinCore
internal import SQLite

extension LocalTransaction {
    /// What is known of an answer without its text.
    func row(of answer: AnswerID) throws -> AnswerRow? {
        try connection.first(
            "SELECT \(AnswerRow.columns) FROM \(AnswerRow.tables) WHERE a.id = ?", .id(answer), read: AnswerRow.init)
    }

    /// An answer with its text.
    func answer(_ id: AnswerID) throws -> StoredAnswer? { try answers("a.id = ?", .id(id)).first }

    /// The answers that a condition names, with their text, in the order of their turn.
    func answers(_ condition: String, _ value: Value) throws -> [StoredAnswer] {
        let rows = try connection.all(
            """
            SELECT a.key, a.id, t.id, a.local, a.withdrawal, a.state, a.reason, a.resets_at, a.retry_after, a.seq,
                a.base_seq, p.body, b.parts, b.detail
            FROM answer a JOIN turn t ON t.key = a.turn LEFT JOIN answer_base b ON b.answer = a.key
                LEFT JOIN passage p ON p.key = b.passage
            WHERE \(condition) ORDER BY a.position IS NULL, a.position, a.key
            """, value
        ) { row throws(SQLiteFailure) in
            let seq = row.integer(9)
            let baseSeq = row.integer(10)
            var state = try row.state(5)
            if baseSeq < seq { state = baseSeq == 0 ? .queued : .streaming }
            let answer = try StoredDetail.answer(
                try row.id(1), turn: try row.id(2), state: state, seq: baseSeq < seq ? baseSeq : seq,
                content: try row.content(body: 11, parts: 12), withdrawal: row.optionalText(4),
                detail: row.bytes(13))
            return (
                key: row.integer64(0), grows: baseSeq < seq,
                stored: StoredAnswer(answer: answer, local: try row.local(3, withdrawal: 4))
            )
        }
        return try rows.map { row in
            guard row.grows else { return row.stored }
            var stored = row.stored
            try connection.walk(
                "SELECT events FROM piece WHERE answer = ? ORDER BY first_seq", .integer(row.key)
            ) { piece throws(SQLiteFailure) in
                for event in StoredEvents.decode(piece.bytes(0)) { stored.answer.apply(event) }
                return true
            }
            return stored
        }
    }

    /// Lets an answer grow by the events that are next in line.
    func append(_ id: AnswerID, _ events: [NumberedEvent]) throws -> Appended {
        guard let row = try row(of: id) else { return .unknown }
        if row.state.end != nil { return events.allSatisfy { $0.seq <= row.seq } ? .appended(row.seq) : .dropped }
        if row.local == .stopRequested {
            // What came after the stop is not shown, so that its end is none of what is: a fetch brings that, with the
            // words before it. That text is to go counts, and then nothing is missing at the end.
            for case .withdrawn(let reason) in events.map(\.event) { _ = try withdraw(row, reason: reason) }
            if case .end(let end)? = events.last?.event, let now = try self.row(of: id), case .withdrawn = now.local,
                let stored = try answer(id)
            {
                try save(stored.answer.ended(end), of: now, local: .none)
            }
            return .dropped
        }
        let ordered = events.sorted { $0.seq < $1.seq }
        if ordered.contains(where: { $0.event.replacesText }) { return try appendReplacing(ordered, to: row) }
        // Knows the state and the number alone: the text is not needed to go on.
        var probe = Answer(id: id, turn: row.turn, state: row.state, seq: row.seq, content: [])
        var fresh: [NumberedEvent] = []
        var hasGap = false
        for event in ordered {
            switch probe.apply(event) {
            case .applied: fresh.append(event)
            case .gap: hasGap = true
            case .duplicate, .afterEnd: break
            }
        }
        if let first = fresh.first {
            try connection.run(
                "INSERT INTO piece (answer, first_seq, events) VALUES (?, ?, ?)", .integer(row.key),
                .integer(first.seq), .bytes(StoredEvents.encode(fresh)))
            try setProgress(probe.state, seq: probe.seq, of: row)
            try setLocal(probe.state.end == nil ? .streaming : .none, of: row)
            change.answers.insert(id)
            if probe.state.end != nil { try settle(row) }
            if probe.state != row.state { touch(row.conversation) }
        }
        return hasGap ? .gap(after: probe.seq) : .appended(probe.seq)
    }

    /// Lets an answer grow by events of which one takes the place of text that is held.
    private func appendReplacing(_ events: [NumberedEvent], to row: AnswerRow) throws -> Appended {
        guard let old = try answer(row.id) else { return .unknown }
        var new = old.answer
        var hasGap = false
        for event in events where new.apply(event) == .gap { hasGap = true }
        if new == old.answer { return hasGap ? .gap(after: new.seq) : .appended(new.seq) }
        if try save(old.merging(new), of: row, over: old) == .refused { return .gap(after: old.answer.seq) }
        return hasGap ? .gap(after: new.seq) : .appended(new.seq)
    }

    /// Takes in an answer that was fetched whole.
    func replace(_ new: Answer) throws -> Replaced {
        guard let row = try row(of: new.id), let old = try answer(new.id) else { return .unknown }
        guard new.turn == row.turn else { return .unknown }
        return try save(old.merging(new), of: row, over: old)
    }

    private func save(_ merged: StoredAnswer?, of row: AnswerRow, over old: StoredAnswer) throws -> Replaced {
        guard let merged else { return .refused }
        if merged == old { return .unchanged }
        try save(merged.answer, of: row, local: merged.local)
        return .replaced
    }

    /// Notes what the device knows of an answer; one that has ended or was withdrawn stays as it is.
    ///
    /// - Returns: whether it was noted.
    func mark(_ id: AnswerID, _ local: LocalState) throws -> Bool {
        guard let row = try row(of: id) else { return false }
        if case .withdrawn(let reason) = local { return try withdraw(row, reason: reason) }
        guard row.state.end == nil else { return false }
        if case .withdrawn = row.local { return false }
        // Only the server's word ends a stop that a person asked for.
        if row.local == local || row.local == .stopRequested { return false }
        try setLocal(local, of: row)
        if local == .interrupted || local == .stopRequested { try settle(row) }
        touch(row.conversation)
        return true
    }

    private func withdraw(_ row: AnswerRow, reason: String) throws -> Bool {
        guard var stored = try answer(row.id), stored.answer.withdrawal == nil else { return false }
        stored.answer = stored.answer.withdrawn(reason: reason)
        try save(stored.answer, of: row, local: .withdrawn(reason: reason))
        return true
    }

    /// The answers in one of the states on this device, oldest first.
    func unfinished(_ states: [LocalState]) throws -> [StoredAnswer] {
        try states.flatMap { try answers("a.local >= 2 AND a.local = ?", .integer($0.code)) }
            .sorted { $0.answer.id < $1.answer.id }
    }

    /// Makes every answer that streamed when the process ended an interrupted one.
    func interruptLeftovers() throws -> [AnswerID] {
        let leftovers: [AnswerID] = try connection.all(
            "SELECT id FROM answer WHERE local >= 2 AND local = ? ORDER BY id",
            .integer(LocalState.streaming.code)
        ) { row throws(SQLiteFailure) in try row.id(0) }
        for id in leftovers { _ = try mark(id, .interrupted) }
        return leftovers
    }

    /// Adds an answer without events.
    func insertAnswer(
        _ id: AnswerID, turn: Int64, conversation: Int64, local: LocalState, position: Int? = nil
    ) throws {
        try connection.run(
            """
            INSERT INTO answer (id, conversation, turn, position, local, state, seq, base_seq)
            VALUES (?, ?, ?, ?, ?, 'queued', 0, 0)
            """, .id(id), .integer(conversation), .integer(turn), .optional(position), .integer(local.code))
    }

    /// Makes one passage of an answer's pieces, so that it can be found and is read at once.
    private func settle(_ row: AnswerRow) throws {
        guard let stored = try answer(row.id) else { return }
        try save(stored.answer, of: row, local: stored.local)
    }

    /// Writes an answer as a whole.
    func save(_ answer: Answer, of row: AnswerRow, local: LocalState) throws {
        let old = try connection.first(
            "SELECT b.passage, p.body FROM answer_base b LEFT JOIN passage p ON p.key = b.passage WHERE b.answer = ?",
            .integer(row.key)
        ) { (passage: $0.optionalKey(0), body: $0.text(1)) }
        let content = StoredContent(answer.content)
        let hadPieces = try connection.run("DELETE FROM piece WHERE answer = ?", .integer(row.key)) > 0
        if answer.withdrawal != nil, hadPieces { erasesText = true }
        var passage = old?.passage
        if let key = passage, old?.body != content.body {
            try removePassage(key, erases: !content.body.utf8.starts(with: (old?.body ?? "").utf8))
            passage = nil
        }
        if passage == nil, !content.body.isEmpty {
            passage = try addPassage(
                content.body, conversation: row.conversationKey, turn: row.turnKey, answer: row.key, at: row.turnTime)
        }
        let parts = answer.content.isEmpty ? nil : content.parts
        try connection.run(
            """
            INSERT INTO answer_base (answer, passage, parts, detail) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT DO UPDATE SET passage = ?2, parts = ?3, detail = ?4
            """, .integer(row.key), .optional(passage), .optional(parts), .optional(StoredDetail.encode(answer)))
        try setProgress(answer.state, seq: answer.seq, of: row)
        try connection.run(
            "UPDATE answer SET base_seq = seq, withdrawal = ? WHERE key = ?", .optional(answer.withdrawal),
            .integer(row.key))
        try setLocal(local, of: row)
        touch(row.conversation)
    }

    private func setProgress(_ state: Answer.State, seq: Int, of row: AnswerRow) throws {
        try connection.run(
            "UPDATE answer SET seq = ?, state = ?, reason = ?, resets_at = ?, retry_after = ? WHERE key = ?",
            .integer(seq), .text(state.name), .optional(state.end?.reason), .time(state.end?.resetsAt),
            .optional(state.end?.retryAfter), .integer(row.key))
    }

    /// Notes what the device knows; a withdrawal stays.
    private func setLocal(_ local: LocalState, of row: AnswerRow) throws {
        if case .withdrawn = row.local { return }
        if row.local == local { return }
        try connection.run("UPDATE answer SET local = ? WHERE key = ?", .integer(local.code), .integer(row.key))
    }
}
