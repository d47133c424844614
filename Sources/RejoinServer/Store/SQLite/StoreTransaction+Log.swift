internal import RejoinCore
internal import SQLite

extension StoreTransaction {
    func append(_ entries: [LogEntry]) throws -> [AnswerID] {
        var gone: [AnswerID] = []
        for entry in entries {
            guard let answer = try running[entry.answer] ?? resume(entry.answer) else {
                if !gone.contains(entry.answer) { gone.append(entry.answer) }
                continue
            }
            guard entry.follows(answer.seq) else { throw StoreFailure.outOfOrder(entry, after: answer.seq) }
            try connection.run(
                "INSERT INTO log (answer, last_seq, first_seq, bytes) VALUES (?, ?, ?, ?)",
                .integer(answer.key), .integer(entry.lastSeq), .integer(entry.firstSeq), .bytes(entry.bytes))
            answer.seq = entry.lastSeq
            if let ended = entry.ended {
                try finish(answer, as: ended, seq: entry.lastSeq, at: entry.at)
                running[entry.answer] = nil
            }
        }
        return gone
    }

    /// Reads how far an answer's log is, to append to it; nil if the answer is not there.
    private func resume(_ id: AnswerID) throws -> RunningAnswers.Entry? {
        let found = try connection.first(
            """
            SELECT key, account, conversation, state IS NOT NULL,
                coalesce(seq, (SELECT max(last_seq) FROM log WHERE log.answer = answer.key))
            FROM answer WHERE id = ?
            """, .id(id)
        ) { row throws(SQLiteFailure) in
            (
                entry: RunningAnswers.Entry(
                    key: row.integer64(0), account: try row.id(1), conversation: try row.id(2), seq: row.integer(4)),
                hasEnded: row.bool(3)
            )
        }
        guard let found else { return nil }
        if found.hasEnded {
            throw StoreFailure(.outOfOrder, detail: "answer \(id) has ended with event \(found.entry.seq)")
        }
        running[id] = found.entry
        return found.entry
    }

    private func finish(_ answer: RunningAnswers.Entry, as ended: Answer, seq: Int, at: Timestamp) throws {
        guard let end = ended.state.end else {
            throw StoreFailure(.outOfOrder, detail: "answer \(ended.id) is given as ended without an end")
        }
        try connection.run(
            """
            UPDATE answer SET ended_at = ?, state = ?, reason = ?, resets_at = ?, retry_after = ?, seq = ?, content = ?,
                model = ?, placement = ?, model_reason = ?, input_tokens = ?, output_tokens = ?, is_estimated = ?
            WHERE key = ?
            """, .time(at), .text(end.state.rawValue), .optional(end.reason),
            end.resetsAt.map { .time($0) } ?? .null, .optional(end.retryAfter), .integer(seq),
            .content(ended.content), .optional(ended.model?.model), .optional(ended.model?.placement.rawValue),
            .optional(ended.model?.reason), .optional(ended.usage?.inputTokens), .optional(ended.usage?.outputTokens),
            ended.usage.map { .bool($0.isEstimated) } ?? .null, .integer(answer.key))
        try touchConversation(answer.conversation, at: at)
        try feed(.answer, ended.id, of: answer.account, conversation: answer.conversation, at: at)
    }

    func log(of answer: AnswerID, after seq: Int, maximumBytes: Int) throws -> LogPage {
        let found = try connection.first(
            "SELECT key, state IS NOT NULL, has_log FROM answer WHERE id = ?", .id(answer)
        ) { (key: $0.integer64(0), hasEnded: $0.bool(1), hasLog: $0.bool(2)) }
        guard let found else { return try ownerOfDeleted(.answer, answer) == nil ? .notFound : .deleted }
        if !found.hasLog, let record = try self.answer(answer) { return .compacted(record) }
        return try events(ofKey: found.key, after: seq, maximumBytes: maximumBytes, hasEnded: found.hasEnded)
    }

    private func events(ofKey key: Int64, after seq: Int, maximumBytes: Int, hasEnded: Bool) throws -> LogPage {
        var bytes: [UInt8] = []
        var lastSeq = seq
        var isLast = true
        try connection.walk(
            "SELECT last_seq, bytes FROM log WHERE answer = ? AND last_seq > ? ORDER BY last_seq", .integer(key),
            .integer(seq)
        ) { row throws(SQLiteFailure) in
            if lastSeq != seq, bytes.count + row.byteCount(1) > maximumBytes {
                isLast = false
                return false
            }
            // The first piece may begin with events that the reader holds.
            if lastSeq == seq {
                bytes = Array(LogFrames.suffix(of: row.bytes(1), after: seq))
            } else {
                bytes += row.bytes(1)
            }
            lastSeq = row.integer(0)
            return true
        }
        return .events(bytes: bytes, lastSeq: lastSeq, isLast: isLast, isEnded: isLast && hasEnded)
    }

    /// The content of an answer that has not ended.
    func foldedContent(ofKey key: Int64, answer: AnswerID, turn: TurnID) throws -> [ContentPart] {
        var fold = Answer(id: answer, turn: turn)
        var parser = EventStreamParser(maximumEventSize: .max)
        try connection.walk("SELECT bytes FROM log WHERE answer = ? ORDER BY last_seq", .integer(key)) {
            row throws(SQLiteFailure) in
            parser.feed(row.bytes(0)) { event in
                if let event = NumberedEvent(event) { fold.apply(event) }
            }
            return true
        }
        return fold.content
    }

    func compactLogs(endedBefore: Timestamp, limit: Int) throws -> Int {
        let keys = try connection.all(
            """
            SELECT key FROM answer WHERE state IS NOT NULL AND has_log = 1 AND ended_at < ?
            ORDER BY ended_at, key LIMIT ?
            """, .time(endedBefore), .integer(max(0, limit))
        ) { $0.integer64(0) }
        for key in keys {
            try connection.run("DELETE FROM log WHERE answer = ?", .integer(key))
            try connection.run("UPDATE answer SET has_log = 0 WHERE key = ?", .integer(key))
        }
        return keys.count
    }
}
