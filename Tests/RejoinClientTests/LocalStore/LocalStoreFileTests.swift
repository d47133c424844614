import Foundation
import RejoinCore
import SQLite
import Testing

@testable import RejoinClient

private typealias Sample = StoreSample

/// What only a store in a file can get wrong.
@Suite struct LocalStoreFileTests {
    private func code(_ body: () async throws -> Void) async -> LocalStoreError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? LocalStoreError)?.code
        }
    }

    /// All bytes of the files of a folder.
    private func bytes(in folder: String) throws -> Data {
        try FileManager.default.contentsOfDirectory(atPath: folder)
            .map { try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0)) }.reduce(Data(), +)
    }

    private func holds(_ word: String, in folder: String) throws -> Bool {
        try bytes(in: folder).range(of: Data(word.utf8)) != nil
    }

    @Test("A32 what was opened is read without a network after a restart") func readsOffline() async throws {
        try await Sample.withFolder { folder in
            let tree = Sample.serverTree(
                1, title: "Trip", selected: 1,
                Sample.serverTurn(1, "Where?", answers: [Sample.serverAnswer(1, turn: 1, "There.")]))
            var store = try await LocalStore.open(folder: folder, account: Sample.account)
            try await store.merge([Sample.line(2, title: "Only a line")])
            try await store.merge(tree)
            await store.close()
            store = try await LocalStore.open(folder: folder, account: Sample.account)
            let path = try await store.path(Sample.conversation(1))
            #expect(path.map(\.turn.content) == [[.text("Where?")]])
            #expect(path.map(\.answer.answer.text) == ["There."])
            #expect(try await store.line(Sample.conversation(1))?.isComplete == true)
            #expect(try await store.line(Sample.conversation(2))?.isComplete == false)
            await store.close()
        }
    }

    @Test("A41 signing out removes the account's files and nothing of another's") func erases() async throws {
        try await Sample.withFolder { folder in
            let other = AccountID(high: 2, low: 2)
            let mine = try await LocalStore.open(folder: folder, account: Sample.account)
            let theirs = try await LocalStore.open(folder: folder, account: other)
            try await mine.begin(Sample.prompt(1, "xyzzymine"))
            try await theirs.begin(Sample.prompt(2, in: 2, "xyzzytheirs"))
            #expect(try await theirs.list().map(\.id.low) == [2])
            #expect(try await theirs.search("xyzzymine").isEmpty)
            await mine.close()
            try LocalStore.erase(folder: folder, account: Sample.account)
            try LocalStore.erase(folder: folder, account: Sample.account)
            #expect(try !holds("xyzzymine", in: folder))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { $0.hasPrefix("\(other)") })
            #expect(try await theirs.search("xyzzytheirs").count == 2)
            await theirs.close()
            let again = try await LocalStore.open(folder: folder, account: Sample.account)
            #expect(try await again.list().isEmpty)
            #expect(try await again.outbox().isEmpty)
            await again.close()
        }
    }

    @Test func `only this user may read the files`() async throws {
        try await Sample.withFolder { folder in
            let inner = folder + "/accounts"
            let store = try await LocalStore.open(folder: inner, account: Sample.account)
            try await store.begin(Sample.prompt(1))
            for name in try FileManager.default.contentsOfDirectory(atPath: inner) {
                let attributes = try FileManager.default.attributesOfItem(atPath: inner + "/" + name)
                #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
            }
            #expect(try FileManager.default.attributesOfItem(atPath: inner)[.posixPermissions] as? Int == 0o700)
            await store.close()
        }
    }

    @Test("A38 deleted words leave the file, its log and its index, while others stay") func erasesWords() async throws
    {
        try await Sample.withFolder { folder in
            let store = try await LocalStore.open(folder: folder, account: Sample.account)
            for number in UInt64(1)...40 {
                let word = number % 2 == 0 ? "xyzzy\(number)gone" : "xyzzy\(number)kept"
                try await store.begin(
                    Sample.prompt(number, in: number, "\(word) 東西\(number) and more", at: Int64(number) * 100_000))
                try await store.append(Sample.answer(number), events: Sample.pieces("plugh\(word) ", "and"))
                if number % 4 < 2 { try await store.append(Sample.answer(number), events: [Sample.end(3)]) }
            }
            #expect(try holds("xyzzy8gone", in: folder))
            for number in stride(from: UInt64(2), through: 40, by: 2) {
                try await store.delete(Sample.conversation(number), at: Sample.time(1))
            }
            await store.finishErasing()
            #expect(try !holds("gone", in: folder))
            #expect(try holds("xyzzy7kept", in: folder))
            #expect(try await store.search("xyzzy7kept").count == 2)
            #expect(try await store.search("東西").count == 20)
            await store.close()
            #expect(try !holds("gone", in: folder))
        }
    }

    @Test("A26 withdrawn words leave the file") func erasesWithdrawn() async throws {
        try await Sample.withFolder { folder in
            let store = try await LocalStore.open(folder: folder, account: Sample.account)
            try await store.begin(Sample.prompt(1))
            try await store.append(Sample.answer(1), events: Sample.pieces("xyzzy ", "plugh"))
            try await store.mark(Sample.answer(1), .interrupted)
            try await store.append(Sample.answer(1), events: Sample.pieces(" frotz", from: 3))
            #expect(try holds("frotz", in: folder))
            try await store.append(
                Sample.answer(1), events: [NumberedEvent(seq: 4, event: .withdrawn(reason: "safety"))])
            await store.finishErasing()
            for word in ["xyzzy", "plugh", "frotz"] { #expect(try !holds(word, in: folder), "\(word)") }
            await store.close()
        }
    }

    @Test("A38 deleting all leaves no word in the file") func erasesAllWords() async throws {
        try await Sample.withFolder { folder in
            let store = try await LocalStore.open(folder: folder, account: Sample.account)
            for number in UInt64(1)...40 {
                try await store.begin(Sample.prompt(number, in: number, "xyzzy東西\(number)"))
            }
            try await store.deleteAll(at: Sample.time(1))
            await store.finishErasing()
            #expect(try !holds("xyzzy", in: folder))
            await store.close()
        }
    }

    @Test("A38 erasing goes on after a restart") func erasesAfterRestart() async throws {
        try await Sample.withFolder { folder in
            let file = StoreFile(folder: folder, account: Sample.account)
            // As the process leaves it that dies right after the deletion.
            let connection = try file.openWriter(busyTimeout: .zero, checkpointPages: 0)
            try connection.transaction(.immediate) {
                let transaction = LocalTransaction(connection)
                _ = try transaction.begin(
                    Sample.prompt(1, "xyzzy"), answer: Sample.answer(1), clearsDraft: true, isTemporary: false)
                try transaction.noteSweep()
            }
            try connection.transaction(.immediate) {
                let transaction = LocalTransaction(connection)
                _ = try transaction.delete(Sample.conversation(1), at: Sample.time(1))
                try transaction.noteSweep()
            }
            #expect(try holds("xyzzy", in: folder))
            let store = try await LocalStore.open(folder: folder, account: Sample.account)
            await store.finishErasing()
            #expect(try !holds("xyzzy", in: folder))
            await store.close()
        }
    }

    @Test("A42 a temporary conversation leaves no row and never enters the outbox") func temporary() async throws {
        try await Sample.withFolder { folder in
            let store = try await LocalStore.open(folder: folder, account: Sample.account)
            let id = Sample.conversation(1)
            try await store.begin(Sample.prompt(1, "xyzzy"), isTemporary: true)
            try await store.deliver(Sample.turn(1))
            try await store.append(Sample.answer(1), events: Sample.pieces("plugh"))
            try await store.beginAnswer(to: Sample.turn(1), answer: Sample.answer(2), at: Sample.time(2))
            try await store.append(Sample.answer(2), events: Sample.pieces("frotz") + [Sample.end(2)])
            try await store.begin(Sample.prompt(3, after: 2, "xyzzy again"))
            try await store.rename(id, to: "xyzzy title", at: Sample.time(3))
            try await store.requestStop(Sample.answer(3), at: Sample.time(3))
            try await store.saveDraft(Draft(conversation: id, text: "xyzzy draft", updatedAt: Sample.time(4)))
            let tree = try #require(try await store.conversation(id))
            #expect(tree.turns.count == 2)
            #expect(tree.conversation.isTemporary)
            #expect(try await store.text(2) == "frotz")
            #expect(try await store.temporaryConversations().map(\.id) == [id])
            #expect(try await store.outbox().isEmpty)
            #expect(try await store.list().isEmpty)
            #expect(try await store.search("xyzzy").isEmpty)
            for word in ["xyzzy", "plugh", "frotz"] { #expect(try !holds(word, in: folder), "\(word)") }

            try await store.closeTemporary(id)
            #expect(try await store.conversation(id) == nil)
            #expect(try await store.draft(for: id) == nil)
            #expect(try await store.temporaryConversations().isEmpty)
            #expect(try await store.append(Sample.answer(2), events: Sample.pieces("late", from: 3)) == .unknown)
            let late = Sample.serverTree(1, Sample.serverTurn(1, answers: [Sample.serverAnswer(1, turn: 1, "late")]))
            #expect(try await store.merge(late) == .deleted)
            try await store.merge([Sample.line(1)])
            #expect(try await store.list().isEmpty)
            #expect(try await store.begin(Sample.prompt(9), isTemporary: true) == .deleted)
            await store.close()
        }
    }

    @Test("A43 with history off nothing new persists, and switching it on is not retroactive") func historyOff()
        async throws
    {
        try await Sample.withFolder { folder in
            var store = try await LocalStore.open(folder: folder, account: Sample.account)
            try await store.begin(Sample.prompt(1, in: 1, "before"))
            store.keepsHistory = false
            try await store.begin(Sample.prompt(2, in: 2, "xyzzy", at: 5000))
            try await store.saveDraft(Draft(conversation: nil, text: "xyzzy", updatedAt: Sample.time(1)))
            try await store.merge([Sample.line(4, title: "xyzzy")])
            try await store.merge(
                Sample.serverTree(
                    3, title: "xyzzy",
                    Sample.serverTurn(3, "xyzzy", answers: [Sample.serverAnswer(3, turn: 3, "xyzzy")])))
            #expect(try await store.list().map(\.id.low) == [2, 3, 1])
            #expect(try await store.outbox().map(\.conversation?.low) == [1, 2])
            let entry = try #require(try await store.outbox().last)
            try await store.finish(entry.number)
            #expect(try await store.outbox().map(\.conversation?.low) == [1])
            #expect(try await store.search("xyzzy").count == 5)
            #expect(try await store.draft(for: nil)?.text == "xyzzy")
            store.keepsHistory = true
            try await store.append(Sample.answer(2), events: Sample.pieces("xyzzy"))
            #expect(try !holds("xyzzy", in: folder))
            await store.close()
            store = try await LocalStore.open(folder: folder, account: Sample.account)
            #expect(try await store.list().map(\.id.low) == [1])
            await store.close()
        }
    }

    @Test("A43 a store in memory does all that one in a file does, and leaves nothing") func inMemory() async throws {
        let store = LocalStore.temporary()
        try await store.begin(Sample.prompt(1, "apple"))
        try await store.begin(Sample.prompt(2, in: 2, "apple"), isTemporary: true)
        #expect(try await store.list().map(\.id.low) == [1])
        #expect(try await store.search("apple").count == 2)
        #expect(try await store.outbox().count == 1)
        await store.close()
        #expect(await code { _ = try await store.list() } == .closed)
        #expect(await code { try await store.begin(Sample.prompt(3)) } == .closed)
    }

    @Test("A44 a newer schema opens old data, step by step and at once") func migrates() async throws {
        try await Sample.withFolder { folder in
            let store = try await LocalStore.open(folder: folder, account: Sample.account)
            try await store.begin(Sample.prompt(1, "old"))
            await store.close()
            let path = StoreFile(folder: folder, account: Sample.account).path
            let later =
                LocalSchema.migrations + [
                    "ALTER TABLE turn ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'",
                    "CREATE TABLE extra (key INTEGER PRIMARY KEY) STRICT; INSERT INTO extra SELECT key FROM turn",
                ]
            let connection = try Connection(path: path, mode: .readWrite, busyTimeout: .zero)
            try LocalSchema.migrate(connection, through: later)
            #expect(try LocalSchema.version(of: connection, knowing: later.count) == later.count)
            #expect(try connection.first("SELECT mood FROM turn") { $0.text(0) } == "calm")
            #expect(try connection.first("SELECT count(*) FROM extra") { $0.integer(0) } == 1)
            // What was made by the newer program is refused by this one, and stays as it is.
            #expect(
                await code { _ = try await LocalStore.open(folder: folder, account: Sample.account) } == .newer)
            #expect(try connection.first("SELECT count(*) FROM extra") { $0.integer(0) } == 1)
        }
    }

    @Test("A44 a step that fails leaves the file at the version it had") func failedMigration() async throws {
        try await Sample.withFolder { folder in
            let store = try await LocalStore.open(folder: folder, account: Sample.account)
            try await store.begin(Sample.prompt(1, "old"))
            await store.close()
            let path = StoreFile(folder: folder, account: Sample.account).path
            let connection = try Connection(path: path, mode: .readWrite, busyTimeout: .zero)
            let later = LocalSchema.migrations + ["CREATE TABLE extra (a) STRICT; CREATE TABLE turn (b)", "no SQL"]
            #expect(throws: SQLiteFailure.self) { try LocalSchema.migrate(connection, through: later) }
            #expect(try LocalSchema.version(of: connection) == LocalSchema.migrations.count)
            let again = try await LocalStore.open(folder: folder, account: Sample.account)
            #expect(try await again.list().count == 1)
            await again.close()
        }
    }

    @Test func `a damaged file and one of another program are refused and stay as they are`() async throws {
        try await Sample.withFolder { folder in
            let file = StoreFile(folder: folder, account: Sample.account)
            try Data("this is no database, but a letter to someone".utf8).write(to: URL(fileURLWithPath: file.path))
            #expect(await code { _ = try await LocalStore.open(folder: folder, account: Sample.account) } == .damaged)
            #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)).count == 44)
            try FileManager.default.removeItem(atPath: file.path)
            do {
                let other = try Connection(path: file.path, mode: .readWriteCreate, busyTimeout: .zero)
                try other.execute("CREATE TABLE theirs (a); PRAGMA user_version = 1")
            }
            #expect(await code { _ = try await LocalStore.open(folder: folder, account: Sample.account) } == .damaged)
            let other = try Connection(path: file.path, mode: .readWrite, busyTimeout: .zero)
            #expect(try other.first("PRAGMA journal_mode") { $0.text(0) } == "delete")
        }
    }

    @Test func `a file that another program holds says so, and reads go on`() async throws {
        try await Sample.withFolder { folder in
            let store = try await LocalStore.open(
                folder: folder, account: Sample.account, busyTimeout: .milliseconds(10))
            try await store.begin(Sample.prompt(1))
            let path = StoreFile(folder: folder, account: Sample.account).path
            let other = try Connection(path: path, mode: .readWrite, busyTimeout: .zero)
            try other.execute("BEGIN IMMEDIATE")
            #expect(await code { try await store.begin(Sample.prompt(2, in: 2)) } == .locked)
            #expect(try await store.list().count == 1)
            try other.execute("COMMIT")
            #expect(try await store.begin(Sample.prompt(2, in: 2)) == .begun)
            await store.close()
        }
    }

    @Test func `a full disk writes nothing, and what is stored stays readable`() async throws {
        try await Sample.withFolder { folder in
            let store = try await LocalStore.open(folder: folder, account: Sample.account)
            try await store.begin(Sample.prompt(1))
            try await store.write { transaction in
                let pages = try transaction.connection.first("PRAGMA page_count") { $0.integer(0) } ?? 0
                try transaction.connection.execute("PRAGMA max_page_count = \(pages)")
            }
            let long = String(repeating: "long ", count: 20_000)
            #expect(await code { try await store.begin(Sample.prompt(2, in: 2, long)) } == .fullDisk)
            #expect(try await store.list().map(\.id.low) == [1])
            #expect(try await store.outbox().count == 1)
            await store.close()
        }
    }
}
