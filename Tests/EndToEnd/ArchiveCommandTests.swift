import Foundation
import RejoinCore
import TestSupport
import Testing

/// The commands around a data folder, beside a server that runs and without one.
@Suite(.timeLimit(.minutes(1))) struct ArchiveCommandTests {
    private func ask(_ text: String, _ house: Household) async throws -> TestClient.Draft {
        let draft = house.direct.draft(text)
        #expect(try await house.direct.put(draft, house.ann).status == 201)
        _ = try await house.direct.fold(draft.answer, house.ann)
        return draft
    }

    @Test(
        "S24 a newcomer exports, deletes everything, imports again and is where they were, the server running all the time"
    )
    func exportDeleteImport() async throws {
        try await Household.open("n3") { (house) async throws in
            for text in ["first words", "second words"] { _ = try await ask(text, house) }
            let file = house.server.folder + "/mine.jsonl.gz"
            let exported = try await house.server.rejoin("export", "--out", file, "--data", house.server.data)
            #expect(exported.status == 0 && exported.output.hasPrefix("2 conversations of ann"))
            #expect(try await house.server.rejoin("export", "--out", file, "--data", house.server.data).status == 73)
            #expect(try await house.direct.send("DELETE", "/v1/conversations", house.ann).status == 204)
            func titles() async throws -> Set<String> {
                let list = try await house.direct.send("GET", "/v1/conversations", house.ann).json["items"]?.array ?? []
                return Set(list.compactMap { $0.object?["title"]?.string })
            }
            #expect(try await titles().isEmpty)
            let imported = try await house.server.rejoin("import", file, "--data", house.server.data)
            #expect(imported.status == 0, "\(imported.errors)")
            #expect(imported.output.hasPrefix("Added 2 prompts and 2 answers in 2 conversations; 0 were here already."))
            #expect(try await titles() == ["first words", "second words"])
            let again = try await house.server.rejoin("import", file, "--data", house.server.data)
            #expect(again.output.hasPrefix("Added 0 prompts and 0 answers in 0 conversations; 2 were here already."))

            let odd = house.server.folder + "/odd.json"
            try Data(#"[{"hello":1}]"#.utf8).write(to: URL(filePath: odd))
            let refused = try await house.server.rejoin("import", odd, "--data", house.server.data)
            #expect(refused.status == 65 && refused.errors.contains("value 1: of no export that is known"))
            #expect(try await house.server.rejoin("import", odd + "x", "--data", house.server.data).status == 66)
            let nobody = try await house.server.rejoin("import", odd, "--account", "zoe", "--data", house.server.data)
            #expect(nobody.status == 66)
        }
    }

    @Test("S36 a backup made while the server runs is restored in place of a lost database")
    func backupAndRestore() async throws {
        try await Household.open("n3") { (house) async throws in
            let draft = try await ask("words to keep", house)
            let backups = house.server.folder + "/backups"
            let made = try await house.server.rejoin("backup", backups, "--data", house.server.data, "--keep", "7")
            #expect(made.status == 0, "\(made.errors)")
            let name = try #require(try FileManager.default.contentsOfDirectory(atPath: backups).first)
            let database = house.server.data + "/rejoinder.sqlite"
            let busy = try await house.server.rejoin("restore", backups + "/" + name, "--data", house.server.data)
            #expect(busy.status == 74 && busy.errors.contains("Another rejoin serve"))
            await house.server.stop()
            let there = try await house.server.rejoin("restore", backups + "/" + name, "--data", house.server.data)
            #expect(there.status == 74 && there.errors.contains("nothing is overwritten"))
            for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database + ending) }
            let restored = try await house.server.rejoin("restore", backups + "/" + name, "--data", house.server.data)
            #expect(restored.status == 0, "\(restored.errors)")
            try await house.server.start()
            let client = TestClient(port: house.server.port)
            defer { client.shutdown() }
            #expect(
                try await client.send("GET", "/v1/answers/\(draft.answer)", house.ann).json["state"]?.string == "done")
            let bad = try await house.server.rejoin("backup", backups, "--data", house.server.data, "--keep", "none")
            #expect(bad.status == 64)
        }
    }

    @Test("S18 account delete beside a running server signs the person out and leaves no word in the data folder")
    func deleteAccount() async throws {
        try await Household.open("n3") { (house) async throws in
            _ = try await house.server.rejoin("account", "add", "bob", "--data", house.server.data)
            // Ann came first: while there are others, the last owner stays.
            let last = try await house.server.rejoin("account", "delete", "ann", "--yes", "--data", house.server.data)
            #expect(last.status == 65 && last.errors.contains("last owner"))
            _ = try await house.server.rejoin("account", "role", "bob", "owner", "--data", house.server.data)
            _ = try await ask("canaryword of the account", house)
            let refused = try await house.server.rejoin(
                "account", "delete", "ann", "--data", house.server.data, input: "no\n")
            #expect(refused.status == 1)
            let unknown = try await house.server.rejoin(
                "account", "delete", "zoe", "--yes", "--data", house.server.data)
            #expect(unknown.status == 66)
            let deleted = try await house.server.rejoin(
                "account", "delete", "ann", "--data", house.server.data, input: "ann\n")
            #expect(deleted.status == 0, "\(deleted.errors)")
            #expect(
                try await house.server.rejoin("account", "list", "--data", house.server.data).output == "bob\t\towner\n"
            )
            let late = try await house.direct.put(house.direct.draft("late"), house.ann)
            #expect(late.status >= 400)
            await house.server.stop()
            for file in try FileManager.default.subpathsOfDirectory(atPath: house.server.data) {
                let data = FileManager.default.contents(atPath: house.server.data + "/" + file) ?? Data()
                #expect(data.range(of: Data("canaryword".utf8)) == nil, "\(file)")
            }
        }
    }

    @Test func `doctor says what is broken, and its exit status too`() async throws {
        try await Household.open("n3") { (house) async throws in
            let well = try await house.server.rejoin("doctor", "--data", house.server.data)
            #expect(well.status == 0, "\(well.output)")
            #expect(well.output.contains("fine     address: A server is running on this data folder."))
            #expect(well.output.contains("warning  models: None is configured"))
            await house.server.stop()
            try Data(repeating: 0x41, count: 9000).write(to: URL(filePath: house.server.data + "/rejoinder.sqlite"))
            let ill = try await house.server.rejoin("doctor", "--data", house.server.data)
            #expect(ill.status == 1 && ill.output.contains("BROKEN   database:"))
            let file = house.server.folder + "/bad.json5"
            try Data("{ modles: [] }".utf8).write(to: URL(filePath: file))
            #expect(try await house.server.rejoin("doctor", "--data", house.server.data, "--config", file).status == 78)
        }
    }
}
