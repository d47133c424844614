import Foundation
import RejoinCore
import TestSupport
import Testing

@testable import RejoinServer

@Suite(.serialized) struct ArchiveTests {
    @Test(
        "S24 an archive is read back to an equal tree, and the second time adds nothing",
        arguments: 1...12 as ClosedRange<UInt64>)
    func roundTrip(seed: UInt64) async throws {
        try await TemporaryFolder.use { folder in
            let kind: StoreKind = seed % 2 == 0 ? .memory : .sqlite
            try await StoreScenario.run(kind) { source in
                try await source.fill(seed: seed)
                _ = try await source.say("leaves nothing", turn: 900, answer: 900, in: 900, isTemporary: true)
                let archive = try await source.archive()
                #expect(!String(decoding: archive, as: UTF8.self).contains("leaves nothing"))
                let running = try await source.everything()

                let target = try StoreScenario { try SQLiteStore(path: folder + "/target.db", onChange: $0) }
                try await target.createAccounts()
                let first = try await target.take(archive, by: Int(seed) * 37)
                #expect(first.faults.isEmpty)
                #expect(first.conversations == running.count)
                let imported = try await target.everything()
                for (have, want) in zip(imported, running) {
                    var want = want.ended(for: target.ann)
                    // What a running answer holds so far is in the archive, although its record has nothing yet.
                    for index in want.answers.indices where want.answers[index].content.isEmpty {
                        want.answers[index].content = have.answers[index].content
                        want.answers[index].model = have.answers[index].model
                    }
                    #expect(have == want)
                }
                #expect(imported.count == running.count)
                // An archive of the import is the same archive.
                let again = try await target.archive()
                #expect(again.split(separator: 0x0A).count == archive.split(separator: 0x0A).count)

                let cursor = try await target.store.changeCursor(of: target.ann)
                let second = try await target.take(archive)
                #expect(second.conversations == 0 && second.turns == 0 && second.answers == 0)
                #expect(second.unchanged == running.count)
                #expect(try await target.store.changeCursor(of: target.ann) == cursor)
                #expect(try await target.everything() == imported)
                try await target.store.close()
            }
        }
    }

    @Test("S24 export, delete everything, import again: the same conversations, once", arguments: StoreKind.allCases)
    func secondLife(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            try await scenario.fill(seed: 5)
            let archive = try await scenario.archive()
            let before = try await scenario.everything().map { $0.ended(for: scenario.ann) }
            for round in 1...3 {
                _ = try await scenario.store.deleteConversations(of: scenario.ann, now: 60)
                let report = try await scenario.take(archive)
                #expect(report.conversations == before.count, "round \(round)")
                #expect(try await scenario.take(archive).conversations == 0)
                let after = try await scenario.everything()
                let ended = Set(before.map { $0.shape.filter { !$0.contains("interrupted") } })
                #expect(Set(after.map { $0.shape.filter { !$0.contains("interrupted") } }) == ended)
                // The ids of what was deleted stay dead: a device that was away hears of the deletion.
                #expect(try await scenario.store.conversation(before[0].conversation.id, of: scenario.ann) == .deleted)
            }
        }
    }

    @Test("S24 another account imports the same archive and gets its own", arguments: StoreKind.allCases)
    func otherAccount(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            try await scenario.fill(seed: 6)
            let archive = try await scenario.archive()
            let mine = try await scenario.everything()
            let report = try await scenario.take(archive, for: scenario.ben)
            #expect(report.conversations == mine.count && report.faults.isEmpty)
            #expect(try await scenario.take(archive, for: scenario.ben).conversations == 0)
            let his = try await scenario.everything(of: scenario.ben)
            #expect(Set(his.map(\.conversation.id)).isDisjoint(with: mine.map(\.conversation.id)))
            #expect(try await scenario.everything() == mine)
        }
    }

    @Test("S24 what is broken is named part by part, and the rest is taken")
    func broken() async throws {
        try await StoreScenario.run(.memory) { source in
            try await source.fill(seed: 9, conversations: 3)
            var lines = try await source.archive().split(separator: 0x0A).map(Array.init)
            let turns = lines.indices.filter { lines[$0].starts(with: Array(#"{"turn""#.utf8)) }
            lines[turns[0]] = Array(#"{"turn":{"id":"nonsense"}}"#.utf8)
            lines.insert(Array(#"{"surprise":1}"#.utf8), at: 1)
            lines.insert(Array("not json".utf8), at: 2)
            let damaged = Array(lines.dropLast().joined(separator: [0x0A]))
            try await StoreScenario.run(.memory) { target in
                let report = try await target.take(damaged)
                let reasons = report.faults.map(\.reason)
                #expect(reasons.prefix(2) == [.unknownShape, .notJSON])
                #expect(reasons.contains(.missingParent))
                #expect(reasons.last == .incomplete)
                #expect(report.conversations == 3)
                #expect(try await target.everything().map(\.turns.count).reduce(0, +) > 0)
                // Whatever was taken is a tree: each path can be walked.
                for contents in try await target.everything() {
                    for turn in contents.turns {
                        let path = try await target.store.path(to: turn.id, of: target.ann)
                        #expect(path.last?.turn == turn.id)
                    }
                }
            }
        }
    }

    @Test("S24 a file is there only once it is whole, and reads back in small pieces")
    func files() async throws {
        try await TemporaryFolder.use { folder in
            let path = folder + "/a.jsonl.gz"
            var sent: [UInt8] = []
            do {
                var writer = try ArchiveWriter(path: path)
                for number in 0..<20_000 {
                    let line = Array("line \(number) \(number * 7919 % 1000)\n".utf8)
                    sent += line
                    try writer.write(line)
                }
                #expect(!FileManager.default.fileExists(atPath: path))
                try writer.finish()
                #expect(writer.size == (try Data(contentsOf: URL(filePath: path))).count)
            }
            #expect(try read(path) == sent)
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? Int) == 0o600)
            // An abandoned one leaves nothing.
            do { _ = try ArchiveWriter(path: folder + "/b.gz") }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.jsonl.gz"])

            // Two members one after the other are one file.
            let whole = try Data(contentsOf: URL(filePath: path))
            try (whole + whole).write(to: URL(filePath: folder + "/c.gz"))
            #expect(try read(folder + "/c.gz") == sent + sent)
            // Cut short, damaged, a ZIP: each is told.
            for cut in [10, whole.count / 2, whole.count - 1] {
                try whole.prefix(cut).write(to: URL(filePath: folder + "/d.gz"))
                #expect(throws: ArchiveReader.Failure.damaged) { try read(folder + "/d.gz") }
            }
            var damaged = whole
            for index in 200..<260 { damaged[index] ^= 0x5A }
            try damaged.write(to: URL(filePath: folder + "/e.gz"))
            #expect(throws: ArchiveReader.Failure.damaged) { try read(folder + "/e.gz") }
            try Data([0x50, 0x4B, 3, 4, 0]).write(to: URL(filePath: folder + "/f.zip"))
            #expect(throws: ArchiveReader.Failure.zip) { try read(folder + "/f.zip") }
        }
    }

    private func read(_ path: String) throws -> [UInt8] {
        var reader = try ArchiveReader(path: path)
        var read: [UInt8] = []
        while let bytes = try reader.next() { read += bytes }
        return read
    }
}
