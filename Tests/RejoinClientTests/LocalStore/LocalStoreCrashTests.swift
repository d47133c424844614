import Foundation
import RejoinCore
import SQLite
import SeededRandom
import Testing

@testable import RejoinClient

private typealias Sample = StoreSample

/// What a store holds after its process was killed at any moment.
@Suite struct LocalStoreCrashTests {
    /// Opens what a kill left behind, and looks whether it is whole in itself.
    private func view(of file: StoreFile) async throws -> StoreView {
        do {
            let connection = try Connection(path: file.path, mode: .readWrite, busyTimeout: .seconds(1))
            #expect(try connection.all("PRAGMA integrity_check") { $0.text(0) } == ["ok"])
            // The index says exactly what the passages say.
            try connection.run("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
            try connection.run("INSERT INTO bigrams (bigrams) VALUES ('integrity-check')")
        }
        let store = try await LocalStore.open(file)
        let view = try await StoreView(store)
        await store.close()
        return view
    }

    /// Every write goes to the end of the log and nowhere else, so a kill at a write leaves a beginning of the log.
    ///
    /// A reader that never ends keeps all of it in the log: that is what makes each write visible here.
    @Test("A44 a kill at any write leaves the state before a verb or after it", arguments: [1, 2] as [UInt64])
    func everyWrite(seed: UInt64) async throws {
        try await Sample.withFolder { folder in
            let file = StoreFile(folder: folder + "/live", account: Sample.account)
            await (try LocalStore.open(file)).close()
            let base = try Data(contentsOf: URL(fileURLWithPath: file.path))
            let holder = try Connection(path: file.path, mode: .readWrite, busyTimeout: .zero)
            try holder.execute("BEGIN; SELECT count(*) FROM conversation")

            let store = try await LocalStore.open(file, checkpointPages: 0)
            func logSize() throws -> Int {
                try FileManager.default.attributesOfItem(atPath: file.path + "-wal")[.size] as? Int ?? 0
            }
            var script = StoreScript(seed: seed)
            var states: [(size: Int, view: StoreView)] = [(0, try await StoreView(store))]
            for _ in 1...36 {
                _ = try await script.next().run(on: store)
                await store.finishErasing()
                states.append((try logSize(), try await StoreView(store)))
            }
            let log = try Data(contentsOf: URL(fileURLWithPath: file.path + "-wal"))
            await store.close()
            try holder.execute("COMMIT")

            var random = SeededGenerator(seed: seed)
            var cuts = states.flatMap { [$0.size, max(0, $0.size - 1)] }
            for _ in 1...30 { cuts.append(Int.random(in: 0...log.count, using: &random)) }
            for cut in cuts {
                let killed = StoreFile(folder: folder + "/killed", account: Sample.account)
                try FileManager.default.createDirectory(atPath: killed.folder, withIntermediateDirectories: true)
                try base.write(to: URL(fileURLWithPath: killed.path))
                try log.prefix(cut).write(to: URL(fileURLWithPath: killed.path + "-wal"))
                let found = try await view(of: killed)
                let before = states.last { $0.size <= cut }
                let after = states.first { $0.size > cut }
                #expect(found == before?.view || found == after?.view, "cut at \(cut)")
                try FileManager.default.removeItem(atPath: killed.folder)
            }
        }
    }

    @Test("A44 a process that is killed comes back with all that was done, and nothing half done", arguments: 1...5)
    func killed(round: Int) async throws {
        try await Sample.withFolder { folder in
            let seed = UInt64(round) * 7919
            await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String, seed = seed as UInt64] in
                let store = try await LocalStore.open(folder: folder, account: StoreSample.account)
                let done = try #require(FileHandle(forWritingAtPath: StoreProgress.make(in: folder)))
                var script = StoreScript(seed: seed)
                // Once something is there, at no moment in particular.
                let microseconds = UInt32(seed * 31 % 300_000)
                var count = 0
                while true {
                    _ = try await script.next().run(on: store)
                    try done.write(contentsOf: Data([0x2E]))
                    count += 1
                    guard count == 4 else { continue }
                    Thread.detachNewThread {
                        usleep(microseconds)
                        kill(getpid(), SIGKILL)
                    }
                }
            }
            let count = try StoreProgress.count(in: folder)
            try #require(count > 3)
            let found = try await view(of: StoreFile(folder: folder, account: Sample.account))
            // The same script, in memory and without a kill.
            let reference = LocalStore.temporary()
            var script = StoreScript(seed: seed)
            for _ in 0..<count { _ = try await script.next().run(on: reference) }
            let before = try await StoreView(reference)
            _ = try await script.next().run(on: reference)
            let after = try await StoreView(reference)
            #expect(found == before || found == after, "\(found.difference(from: before) ?? "")")
            await reference.close()
        }
    }
}

/// How far a process came, as a file that a kill does not touch: one byte for each verb that returned.
enum StoreProgress {
    static func make(in folder: String) -> String {
        _ = FileManager.default.createFile(atPath: folder + "/done", contents: nil)
        return folder + "/done"
    }

    static func count(in folder: String) throws -> Int {
        try Data(contentsOf: URL(fileURLWithPath: folder + "/done")).count
    }
}
