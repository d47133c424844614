import Foundation
import SQLite
import Testing

@Suite struct SQLiteTests {
    private func withConnection(_ body: (Connection, _ path: String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rejoin-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path + "/test.db"
        try body(try Connection(path: path, mode: .readWriteCreate, busyTimeout: .zero), path)
    }

    @Test func `values come back as they were bound`() throws {
        try withConnection { connection, _ in
            try connection.execute("CREATE TABLE t (i INTEGER, r REAL, s TEXT, b BLOB, n ANY) STRICT")
            try connection.run(
                "INSERT INTO t VALUES (?, ?, ?, ?, ?)", .integer(Int64.min), .real(0.1), .text("a\u{0}é👩‍👩‍👧"),
                .bytes([0, 255, 0]), .null)
            try connection.run(
                "INSERT INTO t VALUES (?, ?, ?, ?, ?)", .bool(true), .real(-0.0), .text(""), .bytes([]), .null)
            let types = try connection.all("SELECT typeof(i), typeof(r), typeof(s), typeof(b), typeof(n) FROM t") {
                [$0.text(0), $0.text(1), $0.text(2), $0.text(3), $0.text(4)]
            }
            #expect(types == Array(repeating: ["integer", "real", "text", "blob", "null"], count: 2))
            struct Stored: Equatable {
                var integer: Int64, real: Double, text: String, bytes: [UInt8], count: Int, isNull: Bool
            }
            let rows = try connection.all("SELECT i, r, s, b, n FROM t ORDER BY rowid") {
                Stored(
                    integer: $0.integer64(0), real: $0.real(1), text: $0.text(2), bytes: $0.bytes(3),
                    count: $0.byteCount(3), isNull: $0.isNull(4))
            }
            #expect(
                rows[0]
                    == Stored(integer: .min, real: 0.1, text: "a\u{0}é👩‍👩‍👧", bytes: [0, 255, 0], count: 3, isNull: true))
            #expect(rows[1] == Stored(integer: 1, real: 0, text: "", bytes: [], count: 0, isNull: true))
        }
    }

    @Test func `null reads as nothing`() throws {
        try withConnection { connection, _ in
            let isNothing = try connection.first("SELECT NULL") {
                $0.isNull(0) && $0.integer(0) == 0 && $0.real(0) == 0 && $0.text(0).isEmpty && $0.bytes(0).isEmpty
                    && !$0.bool(0)
            }
            #expect(isNothing == true)
            #expect(try connection.first("SELECT 1 WHERE 0") { $0.integer(0) } == nil)
            #expect(try !connection.exists("SELECT 1 WHERE 0"))
            #expect(try connection.exists("SELECT NULL"))
        }
    }

    @Test func `a body that throws leaves nothing behind, and the next transaction works`() throws {
        struct Stop: Error {}
        try withConnection { connection, _ in
            try connection.execute("CREATE TABLE t (i INTEGER PRIMARY KEY)")
            #expect(throws: Stop.self) {
                try connection.transaction(.immediate) {
                    try connection.run("INSERT INTO t VALUES (1)")
                    throw Stop()
                }
            }
            #expect(!connection.isInTransaction)
            try connection.transaction(.immediate) { try connection.run("INSERT INTO t VALUES (?)", .integer(2)) }
            #expect(try connection.all("SELECT i FROM t") { $0.integer(0) } == [2])
            #expect(connection.lastInsertedKey == 2)
        }
    }

    @Test func `a failure names its code, and its text for people names no SQL`() throws {
        try withConnection { connection, _ in
            try connection.execute("CREATE TABLE t (name TEXT PRIMARY KEY)")
            try connection.run("INSERT INTO t VALUES (?)", .text("secret"))
            let twice = #expect(throws: SQLiteFailure.self) {
                try connection.run("INSERT INTO t VALUES (?)", .text("secret"))
            }
            #expect(twice?.code == .constraint)
            #expect(twice?.extendedCode == 1555)
            #expect(twice.map { "\($0)" } == "the database refused (code 1555)")
            #expect(twice?.debugDescription.contains("INSERT INTO t") == true)
            #expect(twice?.debugDescription.contains("secret") == false)
            // The statement is still good.
            #expect(try connection.run("INSERT INTO t VALUES (?)", .text("other")) == 1)
            #expect(throws: SQLiteFailure.self) { try connection.run("NOT SQL") }
            #expect(throws: SQLiteFailure.self) { try connection.run("") }
            #expect(throws: SQLiteFailure.self) { try connection.run("SELECT 1", .integer(1)) }
        }
    }

    @Test func `a statement may run inside itself`() throws {
        try withConnection { connection, _ in
            let sql = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT i FROM n"
            var pairs: [Int] = []
            try connection.walk(sql) { outer throws(SQLiteFailure) in
                let left = outer.integer(0)
                try connection.walk(sql) { inner throws(SQLiteFailure) in
                    pairs.append(left * 10 + inner.integer(0))
                    return inner.integer(0) < 2
                }
                return true
            }
            #expect(pairs == [11, 12, 21, 22, 31, 32])
        }
    }

    @Test(arguments: ["a\"\u{652}b", "\"\u{301}a\"", "x\" OR y\u{20DD}\"", "\"\"\"a"])
    func `a quote that somebody typed is no operator to the index, whatever mark stands on it`(typed: String) throws {
        try withConnection { connection, _ in
            try connection.execute("CREATE VIRTUAL TABLE texts USING fts5(body); INSERT INTO texts VALUES ('a b x y')")
            let words = try #require(SearchQuery(typed).words)
            #expect(words.utf8.count { $0 == UInt8(ascii: "\"") }.isMultiple(of: 2))
            _ = try connection.exists("SELECT 1 FROM texts WHERE texts MATCH ?", .text(words))
        }
    }

    @Test func `a lock is waited for as long as was said`() throws {
        try withConnection { connection, path in
            let other = try Connection(path: path, mode: .readWrite, busyTimeout: .milliseconds(30))
            try connection.execute("BEGIN IMMEDIATE")
            let clock = ContinuousClock()
            let waited = clock.measure {
                let failure = #expect(throws: SQLiteFailure.self) { try other.execute("BEGIN IMMEDIATE") }
                #expect(failure?.code == .busy)
            }
            #expect(waited >= .milliseconds(25))
            // Times beyond what SQLite counts, and below zero, are no trap.
            for timeout in [Duration.seconds(Int64.max), .seconds(-5), .zero] { other.setBusyTimeout(timeout) }
            #expect(throws: SQLiteFailure.self) { try other.execute("BEGIN IMMEDIATE") }
        }
    }

    @Test func `a file that may only be read says so`() throws {
        try withConnection { connection, path in
            try connection.execute("CREATE TABLE t (i INTEGER)")
            let reader = try Connection(path: path, mode: .readOnly, busyTimeout: .zero)
            #expect(reader.isReadOnly)
            #expect(!connection.isReadOnly)
            let failure = #expect(throws: SQLiteFailure.self) { try reader.run("INSERT INTO t VALUES (1)") }
            #expect(failure?.code == .readOnly)
            let missing = #expect(throws: SQLiteFailure.self) {
                try Connection(path: path + ".missing", mode: .readWrite, busyTimeout: .zero)
            }
            #expect(missing?.code == .cannotOpen)
        }
    }

    @Test func `a checkpoint empties the write-ahead log unless a reader is in the way`() throws {
        try withConnection { connection, path in
            try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (i INTEGER)")
            let reader = try Connection(path: path, mode: .readOnly, busyTimeout: .zero)
            try reader.execute("BEGIN; SELECT * FROM t")
            try connection.execute("INSERT INTO t VALUES (1)")
            #expect(try !connection.checkpoint(.truncate).isWhole)
            try reader.execute("COMMIT")
            #expect(try connection.checkpoint(.passive).isWhole)
            #expect(try connection.checkpoint(.truncate).isWhole)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path + "-wal")).isEmpty)
        }
    }

    @Test func `the schema cannot be written over`() throws {
        try withConnection { connection, _ in
            try connection.execute("CREATE TABLE t (i INTEGER); PRAGMA writable_schema = ON")
            #expect(throws: SQLiteFailure.self) { try connection.execute("DELETE FROM sqlite_schema") }
        }
    }

    @Test func `an actor on a queue executor runs on its queue alone`() async {
        actor Counter {
            private let executor = QueueExecutor(label: "test")
            nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
            private var value = 0

            func add() -> Int {
                executor.checkIsolated()
                value += 1
                return value
            }
        }
        let counter = Counter()
        await withDiscardingTaskGroup { group in
            for _ in 0..<100 { group.addTask { _ = await counter.add() } }
        }
        #expect(await counter.add() == 101)
    }
}
