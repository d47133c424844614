import Foundation
import RejoinCore
import RejoinServer
import SQLite
import Testing

/// What only a store in a file can get wrong.
@Suite struct StoreFileTests {
    private func open(_ path: String, _ durability: SQLiteStore.Durability = .normal) throws -> SQLiteStore {
        try SQLiteStore(path: path, durability: durability, busyTimeout: .milliseconds(50)) { _, _ in }
    }

    private func code(_ body: () async throws -> Void) async -> StoreFailure.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? StoreFailure)?.code
        }
    }

    @Test(arguments: [SQLiteStore.Durability.normal, .full])
    func `keeps everything that was committed, closed or not`(durability: SQLiteStore.Durability) async throws {
        try await TemporaryFolder.use { folder in
            let path = folder + "/rejoin.db"
            let first = try StoreScenario { _ in try open(path, durability) }
            try await first.createAccounts()
            _ = try await first.say(turn: 1, answer: 1, in: 1)
            var script = LogScript(1, of: 1)
            try await first.write(&script, .text("Hel"))

            // Never closed: what a killed process leaves behind.
            let second = try StoreScenario { _ in try open(path, durability) }
            #expect(try await second.store.unfinishedAnswers().map(\.seq) == [1])
            try await second.write(&script, .text("lo"), .end(.init(.done, .complete)))
            try await second.store.close()

            let third = try StoreScenario { _ in try open(path, durability) }
            #expect(try await third.store.answer(1, of: third.ann).value?.content == [.text("Hello")])
            #expect(try await third.store.log(of: 1, after: 1, maximumBytes: .max).numbered?.map(\.seq) == [2, 3])
            try await third.store.close()
            try await first.store.close()
        }
    }

    @Test("S26 every released version is brought forward", arguments: 1...Schema.migrations.count)
    func migrates(version: Int) async throws {
        try await TemporaryFolder.use { folder in
            let path = folder + "/old.db"
            try makeVersion1(path)
            // From version 1 to the version under test by its own steps, then by opening.
            let connection = try Connection(path: path, mode: .readWrite, busyTimeout: .zero)
            try Schema.migrate(connection, to: version)
            #expect(try Schema.version(of: connection) == version)
            if version >= 2 { try addVersion2Rows(connection) }

            let scenario = try StoreScenario { _ in try open(path) }
            #expect(try await scenario.store.account(named: "ANN")?.id == scenario.ann)
            #expect(try await scenario.store.conversation(2, of: scenario.ann).value?.title == "Trip")
            let contents = try await scenario.store.contents(of: 2, account: scenario.ann).value
            #expect(contents?.turns.map(\.content) == [[.text("Hi")]])
            #expect(contents?.answers.map(\.content) == [[.text("Hello")], []])
            #expect(contents?.answers.map(\.seq) == [2, version >= 2 ? 2 : 1])
            let running = try await scenario.store.log(of: 5, after: 0, maximumBytes: .max).numbered
            let piece = NumberedEvent(seq: 1, event: .text("Hello"))
            #expect(running == (version >= 2 ? [piece, .init(seq: 2, event: .text("!"))] : [piece]))
            #expect(contents?.answers.first?.end == .init(.done, .complete))
            #expect(try await scenario.store.log(of: 4, after: 0, maximumBytes: .max).numbered?.count == 2)
            #expect(try await scenario.feed() == ["put conversation 2", "put turn 3", "put answer 4"])
            #expect(try await scenario.store.conversation(9, of: scenario.ann) == .deleted)
            try await scenario.store.close()
            let version = try Connection(path: path, mode: .readOnly, busyTimeout: .zero)
                .first("PRAGMA user_version") { $0.integer(0) }
            #expect(version == Schema.migrations.count)
        }
    }

    /// A file as version 1 wrote it.
    ///
    /// Its rows are spelled out and stay as they are, whatever later versions do.
    private func makeVersion1(_ path: String) throws {
        let connection = try Connection(path: path, mode: .readWriteCreate, busyTimeout: .zero)
        try Schema.migrate(connection, to: 1)
        func id(_ high: UInt8, _ low: UInt8) -> String { String(format: "x'%016x%016x'", Int(high), Int(low)) }
        let ann = id(0xA, 1)
        let text = "id:1\nevent:text\ndata:{\"text\":\"Hello\"}\n\n"
        let end = "id:2\nevent:end\ndata:{\"state\":\"done\",\"reason\":\"complete\"}\n\n"
        try connection.execute(
            """
            INSERT INTO account VALUES (\(ann), 'Ann', 'ann', NULL, 1, 3, 0);
            INSERT INTO session VALUES (\(id(0, 8)), \(ann), x'01', 'desk', 2);
            INSERT INTO conversation VALUES (\(id(0, 2)), \(ann), 'Trip', 3, 5, 9, 0, 0, 0, NULL);
            INSERT INTO turn VALUES (1, \(id(0, 3)), \(id(0, 2)), \(ann), NULL,
                CAST('[{"type":"text","text":"Hi"}]' AS BLOB), 'auto', x'7b7d', 5);
            INSERT INTO answer (key, id, turn, conversation, account, requested_model, options, started_at, ended_at,
                state, reason, seq, content)
                VALUES (1, \(id(0, 4)), \(id(0, 3)), \(id(0, 2)), \(ann), 'auto', x'7b7d', 5, 9, 'done', 'complete', 2,
                CAST('[{"type":"text","text":"Hello"}]' AS BLOB));
            INSERT INTO log VALUES (1, 2, 1, CAST('\(text)\(end)' AS BLOB));
            INSERT INTO answer (key, id, turn, conversation, account, requested_model, options, started_at)
                VALUES (2, \(id(0, 5)), \(id(0, 3)), \(id(0, 2)), \(ann), 'auto', x'7b7d', 6);
            INSERT INTO log VALUES (2, 1, 1, CAST('\(text)' AS BLOB));
            INSERT INTO change VALUES (\(ann), 1, 'conversation', \(id(0, 2)), \(id(0, 2)), 0, 5),
                (\(ann), 2, 'turn', \(id(0, 3)), \(id(0, 2)), 0, 5), (\(ann), 3, 'answer', \(id(0, 4)), \(id(0, 2)), 0, 5);
            INSERT INTO tombstone VALUES ('conversation', \(id(0, 9)), \(ann), 7);
            """)
    }

    /// What version 2 adds: a piece of the running answer in the journal.
    private func addVersion2Rows(_ connection: Connection) throws {
        // The answer's key, the first and the last number, the count of bytes; then the bytes.
        let header = "0200000000000000" + "0200000000000000" + "0200000000000000" + "2300000000000000"
        let piece = "id:2\nevent:text\ndata:{\"text\":\"!\"}\n\n"
        let bytes = piece.utf8.map { String(format: "%02x", $0) }.joined()
        try connection.execute("INSERT INTO journal VALUES (1, x'\(header)\(bytes)')")
    }

    @Test("S26 a newer file is refused with both versions named, and stays as it is")
    func refusesNewer() async throws {
        try await TemporaryFolder.use { folder in
            let path = folder + "/newer.db"
            try await open(path).close()
            let connection = try Connection(path: path, mode: .readWrite, busyTimeout: .zero)
            try connection.execute("PRAGMA user_version = 99")
            let failure = #expect(throws: StoreFailure.self) { try open(path) }
            #expect(failure?.code == .newer)
            #expect(failure?.detail.contains("version 99") == true)
            #expect(failure?.detail.contains("up to \(Schema.migrations.count)") == true)
            #expect(try connection.first("PRAGMA user_version") { $0.integer(0) } == 99)
        }
    }

    @Test func `refuses a file of another program, and one that is no database, and leaves both alone`() async throws {
        try await TemporaryFolder.use { folder in
            let other = folder + "/other.db"
            let connection = try Connection(path: other, mode: .readWriteCreate, busyTimeout: .zero)
            try connection.execute("CREATE TABLE recipe (name TEXT)")
            #expect(throws: StoreFailure(.corrupt, detail: "the file is a database of another program")) {
                try open(other)
            }
            #expect(try connection.first("PRAGMA journal_mode") { $0.text(0) } == "delete")

            let text = folder + "/text.db"
            let words = Data(String(repeating: "Not a database. ", count: 500).utf8)
            try words.write(to: URL(fileURLWithPath: text))
            #expect(#expect(throws: StoreFailure.self) { try open(text) }?.code == .corrupt)
            #expect(try Data(contentsOf: URL(fileURLWithPath: text)) == words)

            let noFolder = #expect(throws: StoreFailure.self) { try open(folder + "/no/such/folder.db") }
            #expect(noFolder?.code == .io)
        }
    }

    @Test func `a damaged page is reported as damage`() async throws {
        try await TemporaryFolder.use { folder in
            let path = folder + "/damaged.db"
            let scenario = try StoreScenario { _ in try open(path) }
            try await scenario.createAccounts()
            for number in 1...200 as ClosedRange<UInt64> {
                _ = try await scenario.say(
                    String(repeating: "x", count: 500), turn: .init(high: 0, low: number),
                    answer: .init(high: 0, low: number), in: 1)
            }
            try await scenario.store.close()
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            for offset in 4096 * 4..<bytes.count { bytes[offset] = 0xA5 }
            try bytes.write(to: URL(fileURLWithPath: path))
            let damaged = try? open(path)
            let code = await code { _ = try await damaged?.contents(of: 1, account: scenario.ann) }
            #expect(damaged == nil || code == .corrupt)
        }
    }

    @Test("S28 another process's lock is waited for, then reported, and nothing is lost")
    func locked() async throws {
        try await TemporaryFolder.use { folder in
            let path = folder + "/rejoin.db"
            let scenario = try StoreScenario { _ in try open(path) }
            try await scenario.createAccounts()
            let other = try Connection(path: path, mode: .readWrite, busyTimeout: .zero)
            try other.execute("BEGIN IMMEDIATE")
            #expect(await code { _ = try await scenario.say(turn: 1, answer: 1, in: 1) } == .locked)
            // Readers do not wait.
            #expect(try await scenario.store.accountCount() == 2)
            try other.execute("ROLLBACK")
            #expect(try await scenario.say(turn: 1, answer: 1, in: 1).admitted != nil)
            try await scenario.store.close()
        }
    }

    @Test("S28 a file locked by another process while it is opened is reported")
    func lockedAtOpening() async throws {
        try await TemporaryFolder.use { folder in
            let path = folder + "/rejoin.db"
            let other = try Connection(path: path, mode: .readWriteCreate, busyTimeout: .zero)
            try other.execute("BEGIN EXCLUSIVE")
            #expect(#expect(throws: StoreFailure.self) { try open(path) }?.code == .locked)
            try other.execute("ROLLBACK")
            try await open(path).close()
        }
    }

    @Test("S28 a full disk is reported, what is stored stays readable, and room makes it go on")
    func full() async throws {
        try await TemporaryFolder.use { folder in
            let path = folder + "/rejoin.db"
            let store = try SQLiteStore(path: path, maximumBytes: 400_000) { _, _ in }
            let scenario = StoreScenario { _ in store }
            try await scenario.createAccounts()
            _ = try await scenario.say(turn: 1, answer: 1, in: 1)
            _ = try await scenario.say(turn: 2, answer: 2, in: 2)
            var script = LogScript(1, of: 1)
            var failure: StoreFailure.Code?
            var kept = 0
            while failure == nil, kept < 100 {
                let before = script
                let entry = script.entry([.text(String(repeating: "x", count: 10_000))])
                failure = await code { _ = try await scenario.store.append([entry]) }
                if failure == nil { kept += 1 } else { script = before }
            }
            #expect(failure == .full)
            #expect(kept > 10)
            #expect(try await store.answer(1, of: scenario.ann).value?.seq == kept)
            #expect(try await store.log(of: 1, after: 0, maximumBytes: .max).numbered?.count == kept)

            _ = try await store.deleteConversation(2, of: scenario.ann, now: 40)
            #expect(try await store.deleteConversation(1, of: scenario.ann, now: 40).value == [1])
            #expect(try await scenario.say(turn: 3, answer: 3, in: 3).admitted != nil)
            try await store.close()
        }
    }

    @Test("S28 a file that takes no writes is refused", .enabled(if: getuid() != 0, "root may write anything"))
    func readOnlyFile() async throws {
        try await TemporaryFolder.use { folder in
            let path = folder + "/rejoin.db"
            try await open(path).close()
            try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
            #expect(#expect(throws: StoreFailure.self) { try open(path) }?.code == .readOnly)
        }
    }

    @Test("S28 each of SQLite's refusals has its name in the store's words")
    func namesRefusals() {
        let expected: [(SQLiteFailure, StoreFailure.Code)] = [
            (SQLiteFailure(extendedCode: 13, message: ""), .full),
            (SQLiteFailure(extendedCode: 8 | 5 << 8, message: ""), .readOnly),
            (SQLiteFailure(extendedCode: 5 | 1 << 8, message: ""), .locked),
            (SQLiteFailure(extendedCode: 6, message: ""), .locked),
            (SQLiteFailure(extendedCode: 11, message: ""), .corrupt),
            (SQLiteFailure(extendedCode: 26, message: ""), .corrupt),
            (SQLiteFailure(extendedCode: 14, systemError: ENOENT, message: ""), .io),
            (SQLiteFailure(extendedCode: 14, systemError: EROFS, message: ""), .readOnly),
            (SQLiteFailure(extendedCode: 10 | 3 << 8, systemError: ENOSPC, message: ""), .full),
            (SQLiteFailure(extendedCode: 10, systemError: EIO, message: ""), .io),
            (SQLiteFailure(extendedCode: 1, message: ""), .other),
        ]
        for (failure, code) in expected { #expect(StoreFailure(failure).code == code, "\(failure)") }
    }

    @Test("S18 deleted text is in none of the files", arguments: [SQLiteStore.Durability.normal, .full])
    func erases(durability: SQLiteStore.Durability) async throws {
        try await TemporaryFolder.use { folder in
            let path = folder + "/rejoin.db"
            let scenario = try StoreScenario { _ in try open(path, durability) }
            try await scenario.createAccounts()
            _ = try await scenario.say("secret-of-the-prompt", turn: 1, answer: 1, in: 1)
            _ = try await scenario.say("kept-words", turn: 2, answer: 2, in: 2)
            var script = LogScript(1, of: 1)
            try await scenario.write(&script, .text("secret-of-the-answer"), .end(.init(.done, .complete)))
            let patch = ConversationPatch(title: "secret-of-the-title")
            _ = try await scenario.store.patchConversation(1, of: scenario.ann, patch, now: 40)
            func finds(_ text: String) throws -> Bool {
                try ["", "-wal"].contains {
                    let file = try Data(contentsOf: URL(fileURLWithPath: path + $0))
                    return file.range(of: Data(text.utf8)) != nil
                }
            }
            for secret in ["prompt", "answer", "title"] { #expect(try finds("secret-of-the-\(secret)")) }
            _ = try await scenario.store.deleteConversation(1, of: scenario.ann, now: 50)
            for secret in ["prompt", "answer", "title"] { #expect(try !finds("secret-of-the-\(secret)")) }
            #expect(try finds("kept-words"))
            try await scenario.store.close()
        }
    }

    @Test("S17 two processes write one file at once and lose nothing")
    func twoWriters() async throws {
        try await TemporaryFolder.use { folder in
            let path = folder + "/rejoin.db"
            let scenarios = try (0..<2).map { _ in
                try StoreScenario { try SQLiteStore(path: path, onChange: $0) }
            }
            try await scenarios[0].createAccounts()
            try await withThrowingTaskGroup { group in
                for (number, scenario) in scenarios.enumerated() {
                    group.addTask { () async throws in
                        for step in 0..<50 {
                            let id = UInt64(number * 100 + step)
                            let turn = TurnID(high: 0, low: id)
                            let answer = AnswerID(high: 0, low: id)
                            #expect(try await scenario.say(turn: turn, answer: answer, in: 1).admitted != nil)
                        }
                    }
                }
                try await group.waitForAll()
            }
            for scenario in scenarios {
                let contents = try await scenario.store.contents(of: 1, account: scenario.ann).value
                #expect(contents?.turns.count == 100)
                #expect(try await scenario.store.changeCursor(of: scenario.ann) == 201)
                try await scenario.store.close()
            }
        }
    }

    @Test func `the write-ahead log is moved into the file while the store is open`() async throws {
        try await TemporaryFolder.use { folder in
            let path = folder + "/rejoin.db"
            let scenario = try StoreScenario { _ in try open(path) }
            try await scenario.createAccounts()
            func size(_ ending: String) throws -> Int {
                try FileManager.default.attributesOfItem(atPath: path + ending)[.size] as? Int ?? 0
            }
            for id in 1...2000 as ClosedRange<UInt64> {
                _ = try await scenario.say(
                    String(repeating: "x", count: 4000), turn: .init(high: 0, low: id),
                    answer: .init(high: 0, low: id), in: 1)
            }
            #expect(try size("") > 1_000_000)
            #expect(try size("-wal") < 40_000_000)
            try await scenario.store.close()
        }
    }

    @Test("S26 two processes that open a new file at once both find it ready")
    func openedTwiceAtOnce() async throws {
        try await TemporaryFolder.use { folder in
            for round in 0..<10 {
                let path = folder + "/\(round).db"
                try await withThrowingTaskGroup { group in
                    for _ in 0..<2 {
                        group.addTask { try SQLiteStore(path: path) { _, _ in } }
                    }
                    for try await store in group { #expect(try await store.accountCount() == 0) }
                }
            }
        }
    }
}
