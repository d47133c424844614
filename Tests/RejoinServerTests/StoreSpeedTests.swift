import RejoinCore
import RejoinServer
import SQLite
import Testing

/// Prints figures; what they must be is for the benchmarks, on a quiet machine.
@Suite(.serialized) struct StoreSpeedTests {
    @Test func `appending, in entries of one piece and batches of three hundred`() async throws {
        try await TemporaryFolder.use { folder in
            let store = try SQLiteStore(path: folder + "/rejoin.db") { _, _ in }
            let scenario = StoreScenario { _ in store }
            try await scenario.createAccounts()
            let clock = ContinuousClock()
            var scripts: [LogScript] = []
            let admitting = clock.now
            for number in 1...300 as ClosedRange<UInt64> {
                let (turn, answer) = (TurnID(high: 0, low: number), AnswerID(high: 0, low: number))
                _ = try await scenario.say(turn: turn, answer: answer, in: 1)
                scripts.append(LogScript(answer, of: turn))
            }
            print("admit: \((clock.now - admitting) / 300)")
            var batches: [[LogEntry]] = []
            for _ in 0..<100 {
                var batch: [LogEntry] = []
                for index in scripts.indices { batch.append(scripts[index].entry([.text("a word or ")])) }
                batches.append(batch)
            }
            let duration = try await clock.measure {
                for batch in batches { _ = try await store.append(batch) }
            }
            print("append: \(duration / (100 * 300)) an entry, \(duration / 100) a batch of 300")
            #expect(try await store.answer(300, of: scenario.ann).value?.seq == 100)
            try await store.close()
        }
    }

    @Test func `opening and listing ten thousand conversations`() async throws {
        try await TemporaryFolder.use { folder in
            let path = folder + "/rejoin.db"
            let scenario = try StoreScenario { try SQLiteStore(path: path, onChange: $0) }
            try await scenario.createAccounts()
            try await scenario.store.close()
            let connection = try Connection(path: path, mode: .readWrite, busyTimeout: .zero)
            try connection.run(
                """
                WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 10000)
                INSERT INTO conversation
                SELECT CAST(printf('%016d', n) AS BLOB), ?, 'Title', 1, n, n, 0, 0, 0, NULL, 1 FROM number
                """, .bytes(scenario.ann.bytes))
            let clock = ContinuousClock()
            var store: SQLiteStore?
            let opening = try clock.measure { store = try SQLiteStore(path: path) { _, _ in } }
            let opened = try #require(store)
            var page: [ConversationRecord] = []
            let listing = try await clock.measure {
                page = try await opened.conversations(of: scenario.ann, limit: 50, before: nil)
            }
            print("open with 10,000 conversations: \(opening); first page of 50: \(listing)")
            #expect(page.count == 50)
            try await opened.close()
        }
    }
}
