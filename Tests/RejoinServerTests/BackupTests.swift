import Foundation
import RejoinCore
import RejoinServer
import SQLite
import Synchronization
import Testing

@Suite(.serialized) struct BackupTests {
    @Test("S36 a backup made while answers are written holds every turn that was accepted before, and can be restored")
    func whileWriting() async throws {
        try await TemporaryFolder.use { folder in
            let path = DataFolder.database(in: folder)
            let scenario = try StoreScenario { try SQLiteStore(path: path, onChange: $0) }
            try await scenario.createAccounts()
            for id in 1...1200 as ClosedRange<UInt64> {
                _ = try await scenario.say(
                    String(repeating: "words of turn \(id) ", count: 60), turn: .init(high: 0, low: id),
                    answer: .init(high: 0, low: id), in: 1)
            }
            while try await scenario.store.settleSearch(maximumBytes: 1 << 20) {}
            let file = folder + "/copy.sqlite"
            let (steps, slowest) = try await withThrowingTaskGroup(of: Duration.self) { group in
                let isOver = Atomic<Bool>(false)
                let steps = Mutex(0)
                group.addTask { () async throws in
                    var slowest = Duration.zero
                    var id: UInt64 = 10_000
                    while !isOver.load(ordering: .relaxed) {
                        id += 1
                        let start = ContinuousClock.now
                        _ = try await scenario.say(
                            turn: .init(high: 0, low: id), answer: .init(high: 0, low: id), in: 2)
                        slowest = max(slowest, ContinuousClock.now - start)
                    }
                    return slowest
                }
                let size = try DatabaseBackup.make(of: path, to: file) { _, _ in
                    steps.withLock { $0 += 1 }
                } wait: {
                    usleep(UInt32($0 / Duration.microseconds(1)))
                }
                isOver.store(true, ordering: .relaxed)
                #expect(size > 1_200_000)
                return (steps.withLock { $0 }, try await group.next() ?? .zero)
            }
            #expect(steps > 1)
            #expect(slowest < .milliseconds(250), "a turn waited \(slowest)")

            // Restored beside it, the copy is a whole store of one moment.
            let beside = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("copy") }
            #expect(beside == ["copy.sqlite"])
            let other = folder + "/other"
            try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
            try DatabaseBackup.restore(file, to: DataFolder.database(in: other))
            let restored = try StoreScenario { try SQLiteStore(path: DataFolder.database(in: other), onChange: $0) }
            #expect(try await restored.store.contents(of: 1, account: restored.ann).value?.turns.count == 1200)
            #expect(
                try await restored.store.search("words 1199", of: restored.ann, limit: 5).map(\.turn?.low) == [1199])
            let late = try await restored.store.contents(of: 2, account: restored.ann).value
            #expect((late?.turns.count ?? 0) == (late?.answers.count ?? 0))
            #expect(try await restored.say(turn: 5000, answer: 5000, in: 9).admitted != nil)
            try await restored.store.close()
            try await scenario.store.close()
        }
    }

    @Test("S18 a backup made after a deletion holds nothing of what was deleted, and old ones go after their time")
    func deletion() async throws {
        try await TemporaryFolder.use { folder in
            let path = DataFolder.database(in: folder)
            let scenario = try StoreScenario { try SQLiteStore(path: path, onChange: $0) }
            try await scenario.createAccounts()
            _ = try await scenario.say("canary-of-the-backup", turn: 1, answer: 1, in: 1)
            let day = Int64(86_400_000)
            let backups = folder + "/backups"
            try FileManager.default.createDirectory(atPath: backups, withIntermediateDirectories: true)
            let old = DatabaseBackup.name(at: Timestamp(milliseconds: 100 * day))
            _ = try DatabaseBackup.make(of: path, to: backups + "/" + old) { _ in }
            _ = try await scenario.store.deleteConversation(1, of: scenario.ann, now: 50)
            let new = DatabaseBackup.name(at: Timestamp(milliseconds: 131 * day))
            _ = try DatabaseBackup.make(of: path, to: backups + "/" + new) { _ in }
            func holds(_ name: String) throws -> Bool {
                try Data(contentsOf: URL(filePath: backups + "/" + name)).range(of: Data("canary".utf8)) != nil
            }
            #expect(try holds(old))
            #expect(try !holds(new))
            try Data("mine".utf8).write(to: URL(filePath: backups + "/notes.txt"))
            #expect(DatabaseBackup.expire(in: backups, before: Timestamp(milliseconds: 100 * day)).isEmpty)
            #expect(DatabaseBackup.expire(in: backups, before: Timestamp(milliseconds: 101 * day)) == [old])
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: backups).sorted() == ["notes.txt", new].sorted())
            try await scenario.store.close()
        }
    }

    @Test func `nothing is overwritten, and what is no backup is refused`() async throws {
        try await TemporaryFolder.use { folder in
            let path = DataFolder.database(in: folder)
            #expect(throws: DatabaseBackup.Failure.self) {
                try DatabaseBackup.make(of: path, to: folder + "/a") { _ in }
            }
            let store = try SQLiteStore(path: path) { _, _ in }
            try Data("x".utf8).write(to: URL(filePath: folder + "/a"))
            #expect(throws: DatabaseBackup.Failure.self) {
                try DatabaseBackup.make(of: path, to: folder + "/a") { _ in }
            }
            _ = try DatabaseBackup.make(of: path, to: folder + "/b") { _ in }
            let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/b")
            #expect((attributes[.posixPermissions] as? Int) == 0o600)
            #expect(throws: DatabaseBackup.Failure.self) { try DatabaseBackup.restore(folder + "/b", to: path) }
            try await store.close()
            for bad in ["no such file", "text", "cut"] {
                let file = folder + "/" + bad
                if bad == "text" { try Data(repeating: 0x41, count: 9000).write(to: URL(filePath: file)) }
                if bad == "cut" {
                    try Data(contentsOf: URL(filePath: folder + "/b")).prefix(20_000).write(to: URL(filePath: file))
                }
                #expect(throws: DatabaseBackup.Failure.self) { try DatabaseBackup.restore(file, to: folder + "/new") }
                #expect(!FileManager.default.fileExists(atPath: folder + "/new"))
            }
        }
    }
}
