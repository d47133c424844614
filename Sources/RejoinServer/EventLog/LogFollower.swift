package import RejoinCore

/// Reads one answer's log from a cursor to its end: from memory while it runs, from the store otherwise.
///
/// It holds nothing but its cursor. A follower that falls behind costs no memory: it finds the store where it left off.
package struct LogFollower {
    private let answer: AnswerID
    private let eventLog: EventLog
    private let store: any LogStore
    /// The number of the last event handed over.
    package private(set) var cursor: Int
    private var isOver = false
    private var log: AnswerLog?

    package init(answer: AnswerID, cursor: Int, eventLog: EventLog, store: any LogStore) {
        self.answer = answer
        self.cursor = cursor
        self.eventLog = eventLog
        self.store = store
        log = eventLog.live(answer)
    }

    /// The next events, encoded, as soon as there are any.
    ///
    /// - Returns: nil after the end was handed over, when the answer is gone, or when its run is nowhere: a reader
    ///   that has not seen the end then asks again.
    /// - Throws: ``StoreFailure``, or `CancellationError` when the reader has left.
    package mutating func next() async throws -> [UInt8]? {
        while !isOver {
            try Task.checkCancellation()
            guard let log else { return try await nextStored() }
            switch log.read(after: cursor, maximumBytes: eventLog.policy.readBytes) {
            case .events(let bytes, let lastSeq):
                cursor = lastSeq
                return bytes
            case .upToDate: await log.waitForMore(after: cursor)
            case .ended, .deleted: isOver = true
            case .older:
                if let bytes = try await nextStored() { return bytes }
            }
        }
        return nil
    }

    /// Waits a while for something to hand over.
    ///
    /// - Returns: false if the time passed without.
    package func hasMore(within limit: Duration) async -> Bool {
        guard let log else { return true }
        let (cursor, sleep) = (cursor, eventLog.sleep)
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await log.waitForMore(after: cursor)
                return true
            }
            group.addTask {
                try? await sleep(limit)
                return false
            }
            let hasMore = await group.next() ?? true
            group.cancelAll()
            return hasMore
        }
    }

    private mutating func nextStored() async throws -> [UInt8]? {
        switch try await store.log(of: answer, after: cursor, maximumBytes: eventLog.policy.readBytes) {
        case .events(let bytes, let lastSeq, let isLast, let isEnded):
            if isLast, isEnded || log == nil {
                isOver = isEnded
                // A run may have opened its log after we looked for it.
                if !isEnded, bytes.isEmpty {
                    log = eventLog.live(answer)
                    if log == nil { isOver = true }
                }
            }
            guard !bytes.isEmpty else { return isOver ? nil : try await next() }
            cursor = max(cursor, lastSeq)
            return bytes
        case .compacted(let record):
            isOver = true
            return Self.snapshot(of: record, after: cursor)
        case .deleted, .notFound:
            isOver = true
            return nil
        }
    }

    /// What stands for a log that was dropped: one snapshot, and the end.
    private static func snapshot(of record: AnswerRecord, after cursor: Int) -> [UInt8]? {
        guard let end = record.end, cursor < record.seq else { return nil }
        var bytes: [UInt8] = []
        if cursor < record.seq - 1 {
            let seq = record.seq - 1
            let snapshot = Event.snapshot(
                Event.Snapshot(seq: seq, content: record.content, withdrawal: record.withdrawal))
            NumberedEvent(seq: seq, event: snapshot).append(to: &bytes)
        }
        NumberedEvent(seq: record.seq, event: .end(end)).append(to: &bytes)
        return bytes
    }
}
