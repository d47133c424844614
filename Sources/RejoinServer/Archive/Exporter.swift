package import RejoinCore

/// Writes everything of an account as the lines of an archive, one conversation in memory at a time, then its facts.
package struct Exporter: Sendable {
    private let store: any Store
    private let account: AccountRecord
    private let now: Timestamp

    package init(store: any Store, account: AccountRecord, now: Timestamp) {
        self.store = store
        self.account = account
        self.now = now
    }

    /// Hands the archive over line by line.
    ///
    /// Temporary conversations are left out: they are to leave nothing behind. What changes meanwhile may be in it or
    /// not, but each conversation is of one moment.
    ///
    /// - Parameter progress: told how many conversations are done, and of how many; throws to stop.
    package func run(
        write: ([UInt8]) throws -> Void, progress: (_ done: Int, _ total: Int) throws -> Void
    ) async throws {
        try write(
            ArchiveLine.encode("rejoinder_export") { json in
                json.name("version")
                json.integer(ArchiveLine.version)
                json.name("exported_at")
                json.time(now)
                json.name("account")
                json.beginObject()
                json.name("id")
                json.id(account.id)
                json.member("name", account.name)
                json.name("created_at")
                json.time(account.createdAt)
                json.endObject()
            })
        var counts = ArchiveLine.Counts()
        let ids = try await store.conversationIDs(of: account.id)
        for (index, id) in ids.enumerated() {
            try progress(index, ids.count)
            guard case .found(let contents) = try await store.contents(of: id, account: account.id) else { continue }
            try write(contents.conversation.archiveLine)
            counts.conversations += 1
            for turn in contents.turns {
                try write(turn.archiveLine)
                counts.turns += 1
            }
            for answer in contents.answers {
                try write(try await ended(answer).archiveLine)
                counts.answers += 1
            }
        }
        for fact in try await store.facts(of: account.id) {
            try write(fact.archiveLine)
            counts.facts += 1
        }
        try write(
            ArchiveLine.encode("end") { json in
                json.name("conversations")
                json.integer(counts.conversations)
                json.name("turns")
                json.integer(counts.turns)
                json.name("answers")
                json.integer(counts.answers)
                json.name("facts")
                json.integer(counts.facts)
            })
        try progress(ids.count, ids.count)
    }

    /// An answer that is under way, as far as it is durable.
    private func ended(_ answer: AnswerRecord) async throws -> AnswerRecord {
        guard answer.end == nil else { return answer }
        let fold = try await Recovery.folded(answer, in: store)
        var shown = answer
        shown.content = fold.content
        shown.model = fold.model
        shown.usage = fold.usage
        shown.seq = fold.seq
        return shown
    }
}
