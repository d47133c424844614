import RejoinCore

/// What a start does about the answers that a crash left without an end.
enum Recovery {
    /// Ends each unfinished answer as interrupted, with all the text that its log holds.
    ///
    /// - Returns: how many there were.
    static func interruptUnfinished(in store: any Store, at time: Timestamp) async throws -> Int {
        let unfinished = try await store.unfinishedAnswers()
        // Many in one transaction, but not all: a batch is bounded.
        for start in stride(from: 0, to: unfinished.count, by: 256) {
            var entries: [LogEntry] = []
            for record in unfinished[start..<min(start + 256, unfinished.count)] {
                entries.append(try await end(of: record, in: store, at: time))
            }
            _ = try await store.append(entries)
        }
        return unfinished.count
    }

    private static func end(of record: AnswerRecord, in store: any Store, at time: Timestamp) async throws -> LogEntry {
        var answer = try await folded(record, in: store)
        var events: [Event] = []
        // A model was asked and nobody is left to say what for: an estimate, so that it is settled like any other.
        if answer.usage == nil, !record.sent.isEmpty {
            let input = record.sent.reduce(0) { $0 + $1.bytes }
            events.append(
                .usage(
                    Event.Usage(
                        inputTokens: ModelContext.estimatedTokens(input),
                        outputTokens: ModelContext.estimatedTokens(answer.text.utf8.count), isEstimated: true)))
        }
        events.append(.end(Event.End(.interrupted, .serverCrashed)))
        let firstSeq = answer.seq + 1
        var bytes: [UInt8] = []
        for event in events {
            let numbered = NumberedEvent(seq: answer.seq + 1, event: event)
            answer.apply(numbered)
            numbered.append(to: &bytes)
        }
        return LogEntry(
            answer: record.id, firstSeq: firstSeq, lastSeq: answer.seq, bytes: bytes, ended: answer, at: time)
    }

    static func folded(_ record: AnswerRecord, in store: any Store) async throws -> Answer {
        var answer = Answer(id: record.id, turn: record.turn)
        var parser = EventStreamParser()
        while case .events(let bytes, _, let isLast, _) = try await store.log(
            of: record.id, after: answer.seq, maximumBytes: 1 << 20)
        {
            parser.feed(bytes) { event in
                if let numbered = NumberedEvent(event) { answer.apply(numbered) }
            }
            if isLast || bytes.isEmpty { break }
        }
        return answer
    }
}
