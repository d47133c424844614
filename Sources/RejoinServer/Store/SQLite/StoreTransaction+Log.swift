internal import RejoinCore
internal import SQLite

extension StoreTransaction {
    func append(_ entries: [LogEntry]) throws -> [AnswerID] {
        var gone: [AnswerID] = []
        var row: [UInt8] = []
        for entry in entries {
            guard let answer = try running[entry.answer] ?? resume(entry.answer) else {
                if !gone.contains(entry.answer) { gone.append(entry.answer) }
                continue
            }
            guard entry.follows(answer.seq) else { throw StoreFailure.outOfOrder(entry, after: answer.seq) }
            Journal.append(key: answer.key, entry, to: &row)
            answer.seq = entry.lastSeq
            if let sent = entry.sent { try note(sent, of: entry.answer) }
            if let ended = entry.ended {
                try finish(answer, as: ended, seq: entry.lastSeq, at: entry.at)
                running[entry.answer] = nil
            }
        }
        if !row.isEmpty { try journal(row) }
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
        if let number = try journalNumbers()[found.entry.key] { found.entry.seq = number }
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
                model = ?, placement = ?, model_reason = ?, input_tokens = ?, output_tokens = ?, is_estimated = ?,
                withdrawn = ?
            WHERE key = ?
            """, .time(at), .text(end.state.rawValue), .optional(end.reason),
            end.resetsAt.map { .time($0) } ?? .null, .optional(end.retryAfter), .integer(seq),
            .content(ended.content), .optional(ended.model?.model), .optional(ended.model?.placement.rawValue),
            .optional(ended.model?.reason), .optional(ended.usage?.inputTokens), .optional(ended.usage?.outputTokens),
            ended.usage.map { .bool($0.isEstimated) } ?? .null, .optional(ended.withdrawal), .integer(answer.key))
        try settle(ended.id, as: ended, at: at)
        try queueForSearch(.answer, answer.key, in: answer.conversation)
        try touchConversation(answer.conversation, at: at)
        try feed(.answer, ended.id, of: answer.account, conversation: answer.conversation, at: at)
    }

    /// Forgets running answers that are no longer in the file.
    func forgetMissingAnswers() throws {
        for (id, entry) in running.all {
            let isThere = try connection.exists(
                "SELECT 1 FROM answer WHERE key = ? AND id = ?", .integer(entry.key), .id(id))
            if !isThere { running[id] = nil }
        }
        running.journalSize = nil
    }

    func log(of answer: AnswerID, after seq: Int, maximumBytes: Int) throws -> LogPage {
        let found = try connection.first(
            "SELECT key, seq, has_log FROM answer WHERE id = ?", .id(answer)
        ) { (key: $0.integer64(0), endSeq: $0.optionalInteger(1), hasLog: $0.bool(2)) }
        guard let found else { return try ownerOfDeleted(.answer, answer) == nil ? .notFound : .deleted }
        let (seq, maximumBytes) = (max(0, seq), max(0, maximumBytes))
        if !found.hasLog, let record = try self.answer(answer) { return .compacted(record) }
        return try events(ofKey: found.key, after: seq, maximumBytes: maximumBytes, endSeq: found.endSeq)
    }

    /// Whole events from the one after `seq` on: as many as fit, but one at least.
    ///
    /// - Parameter endSeq: the number of the answer's end, once it has ended.
    private func events(ofKey key: Int64, after seq: Int, maximumBytes: Int, endSeq: Int?) throws -> LogPage {
        var bytes: [UInt8] = []
        var lastSeq = seq
        var isAll = true
        try walkLog(ofKey: key, after: seq, endSeq: endSeq) { (piece, last) throws(SQLiteFailure) in
            isAll = bytes.count <= maximumBytes
            guard isAll else { return false }
            bytes += piece
            lastSeq = last
            return true
        }
        if isAll, bytes.count <= maximumBytes {
            return .events(bytes: bytes, lastSeq: lastSeq, isLast: true, isEnded: endSeq != nil)
        }
        let (page, count) = LogFrames.prefix(of: bytes, maximumBytes: maximumBytes)
        let isLast = isAll && page.count == bytes.count
        return .events(bytes: Array(page), lastSeq: seq + count, isLast: isLast, isEnded: isLast && endSeq != nil)
    }

    /// Walks through what the log and then the journal hold above a number, until `visit` returns false.
    ///
    /// The journal is left alone if the log holds the answer's end already, as it does for all but the newest.
    private func walkLog(
        ofKey key: Int64, after seq: Int, endSeq: Int?,
        _ visit: (_ bytes: ArraySlice<UInt8>, _ lastSeq: Int) throws(SQLiteFailure) -> Bool
    ) throws(SQLiteFailure) {
        var wantsMore = endSeq.map { seq < $0 } ?? true
        // The first piece may begin with events that the reader holds.
        func take(_ bytes: ArraySlice<UInt8>, _ firstSeq: Int, _ lastSeq: Int) throws(SQLiteFailure) {
            guard wantsMore, lastSeq > seq else { return }
            let rest = firstSeq > seq ? bytes : LogFrames.suffix(of: Array(bytes), after: seq)
            wantsMore = try visit(rest, lastSeq) && lastSeq != endSeq
        }
        try connection.walk(
            "SELECT bytes, first_seq, last_seq FROM log WHERE answer = ? AND last_seq > ? ORDER BY last_seq",
            .integer(key), .integer(seq)
        ) { row throws(SQLiteFailure) in
            try take(row.bytes(0)[...], row.integer(1), row.integer(2))
            return wantsMore
        }
        guard wantsMore else { return }
        try walkJournal { (entry) throws(SQLiteFailure) in
            if entry.key == key { try take(entry.bytes, entry.firstSeq, entry.lastSeq) }
        }
    }

    /// The content of an answer that has not ended.
    func foldedContent(ofKey key: Int64, answer: AnswerID, turn: TurnID) throws -> [ContentPart] {
        var fold = Answer(id: answer, turn: turn)
        var parser = EventStreamParser(maximumEventSize: .max)
        try walkLog(ofKey: key, after: 0, endSeq: nil) { (bytes, _) throws(SQLiteFailure) in
            parser.feed(bytes) { event in
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
        if !keys.isEmpty { try settleJournal() }
        for key in keys {
            try connection.run("DELETE FROM log WHERE answer = ?", .integer(key))
            try connection.run("UPDATE answer SET has_log = 0 WHERE key = ?", .integer(key))
        }
        return keys.count
    }
}
