import Foundation
import RejoinCore
import TestSupport
import Testing

@testable import RejoinServer

@Suite(.serialized, .timeLimit(.minutes(1))) struct ArchiveAPITests {
    private let echo = ScriptedModel { request in
        [.piece(.text("You said: ")), .piece(.text(request.messages.last?.text ?? "")), .end(.finished(.complete))]
    }

    /// A server whose archives have a folder.
    private func serve(_ body: (APIHarness) async throws -> Void) async throws {
        try await TemporaryFolder.use { folder in
            try await APIHarness.run(echo, adjust: { $0.dataFolder = folder }, body)
        }
    }

    private func say(_ text: String, _ server: APIHarness, _ device: TestClient.Device) async throws -> TestClient.Draft
    {
        let draft = server.web.draft(text)
        _ = try await server.web.put(draft, device)
        _ = try await server.web.fold(draft.answer, device)
        return draft
    }

    /// The last state of a task, by its events.
    private func follow(_ task: String, _ server: APIHarness, _ device: TestClient.Device) async throws -> JSONObject {
        let reply = try await server.web.send("GET", "/v1/tasks/\(task)/events", device)
        var last = JSONObject()
        var parser = EventStreamParser()
        parser.feed(reply.body) { event in
            #expect(["progress", "end"].contains(event.type))
            last = (try? JSONReader.parse(event.data).object) ?? JSONObject()
        }
        return last
    }

    @Test func `finds over the wire what was said, with the places that match and no markup`() async throws {
        try await serve { server in
            let ann = try await server.device("ann")
            let bob = try await server.device("bob")
            let draft = try await say("Where do <i>pelicans</i> nest?", server, ann)
            while try await server.store.settleSearch(maximumBytes: 1 << 20) {}
            let reply = try await server.web.send("GET", "/v1/search?q=pelic", ann)
            let items = try #require(reply.json["items"]?.array)
            #expect(items.compactMap { $0.object?["kind"]?.string }.sorted() == ["answer", "prompt", "title"])
            let prompt = try #require(items.first { $0.object?["kind"]?.string == "prompt" }?.object)
            #expect(prompt["turn"]?.string == draft.turn.description)
            #expect(prompt["conversation"]?.string == draft.conversation.description)
            #expect(prompt["excerpt"]?.object?["text"]?.string == "Where do <i>pelicans</i> nest?")
            #expect(prompt["excerpt"]?.object?["matches"]?.array == [.array([.integer(12), .integer(20)])])
            #expect(try await server.web.send("GET", "/v1/search?q=pelic", bob).json["items"]?.array == [])
            #expect(
                try await server.web.send("GET", "/v1/search?q=pelic&limit=1", ann).json["items"]?.array?.count == 1)
            for bad in ["", "?q=x&limit=0", "?q=x&limit=101", "?q=" + String(repeating: "x", count: 1001)] {
                #expect(try await server.web.send("GET", "/v1/search" + bad, ann).problem?.kind == .invalidRequest)
            }
            _ = try await server.web.send("DELETE", "/v1/conversations/\(draft.conversation)", ann)
            #expect(try await server.web.send("GET", "/v1/search?q=pelic", ann).json["items"]?.array == [])
        }
    }

    @Test("S24 A75 an export is a task whose archive imports to the same conversations in another account")
    func exportAndImport() async throws {
        try await serve { server in
            let ann = try await server.device("ann")
            let bob = try await server.device("bob")
            for text in ["one", "two", "three"] { _ = try await say(text, server, ann) }
            let id = TaskID(high: 5, low: 5)
            let begun = try await server.web.send("POST", "/v1/exports", ann, json: #"{"id":"\#(id)"}"#)
            #expect(begun.status == 202)
            let again = try await server.web.send("POST", "/v1/exports", ann, json: #"{"id":"\#(id)"}"#)
            #expect(again.json["id"]?.string == id.description)
            let done = try await follow(id.description, server, ann)
            #expect(done["state"]?.string == "done" && done["done"]?.integer == 3 && done["total"]?.integer == 3)
            let result = try #require(done["result"]?.object)
            let archive = try await server.web.send("GET", try #require(result["url"]?.string), ann)
            #expect(archive.status == 200 && archive.body.count == result["size"]?.integer)
            #expect(archive.field("Content-Disposition")?.hasPrefix("attachment") == true)
            #expect(archive.body.starts(with: [0x1F, 0x8B]))
            #expect(try await server.web.send("GET", "/v1/tasks/\(id)/result", bob).status == 404)
            #expect(try await server.web.send("POST", "/v1/exports", bob, json: #"{"id":"\#(id)"}"#).status == 409)

            for added in [3, 0] {
                let begun = try await server.web.send(
                    "POST", "/v1/imports", bob, body: archive.body, fields: [("Content-Type", "application/gzip")])
                #expect(begun.status == 202)
                let over = try await follow(try #require(begun.json["id"]?.string), server, bob)
                #expect(over["state"]?.string == "done")
                #expect(over["report"]?.object?["conversations"]?.integer == added)
                #expect(over["report"]?.object?["faults"]?.array == [])
            }
            func titles(_ device: TestClient.Device) async throws -> Set<String> {
                let list = try await server.web.send("GET", "/v1/conversations", device).json["items"]?.array ?? []
                return Set(list.compactMap { $0.object?["title"]?.string })
            }
            #expect(try await titles(bob) == titles(ann))
            let listed = try await server.web.send("GET", "/v1/tasks", bob).json["items"]?.array
            #expect(listed?.count == 2)
            // An imported answer is read by its events like any other.
            let imported = try #require(try await server.store.conversationIDs(of: bob.account).first)
            let contents = try #require(try await server.store.contents(of: imported, account: bob.account).value)
            let events = try await server.web.events(contents.answers[0].id, bob)
            #expect(events.map(\.event.type) == ["snapshot", "end"])
        }
    }

    @Test("S24 an import that cannot be read fails with its reason, and leaves nothing")
    func badImports() async throws {
        try await serve { server in
            let ann = try await server.device("ann")
            for (bytes, state, reason) in [
                ([0x50, 0x4B, 3, 4], "failed", "zip"), ([0x1F, 0x8B, 1, 2, 3], "failed", "damaged"),
                (Array(#"[{"hello":1}]"#.utf8), "done", nil), ([], "done", nil),
            ] as [([UInt8], String, String?)] {
                let begun = try await server.web.send(
                    "POST", "/v1/imports", ann, body: bytes, fields: [("Content-Type", "application/octet-stream")])
                let over = try await follow(try #require(begun.json["id"]?.string), server, ann)
                #expect(over["state"]?.string == state && over["reason"]?.string == reason)
            }
            #expect(try await server.store.conversationIDs(of: ann.account).isEmpty)
        }
    }

    @Test("S18 a deletion takes archives with it that were made before")
    func outdated() async throws {
        try await serve { server in
            let ann = try await server.device("ann")
            let first = try await say("to be deleted", server, ann)
            _ = try await say("to be kept", server, ann)
            let task = try #require(
                try await server.web.send("POST", "/v1/exports", ann, json: "{}").json["id"]?.string)
            _ = try await follow(task, server, ann)
            let file = server.house.api.tasks.file(of: try #require(TaskID(task)))
            #expect(FileManager.default.fileExists(atPath: file))
            _ = try await server.web.send("DELETE", "/v1/conversations/\(first.conversation)", ann)
            #expect(!FileManager.default.fileExists(atPath: file))
            let shown = try await server.web.send("GET", "/v1/tasks/\(task)", ann).json
            #expect(shown["reason"]?.string == "outdated" && shown["result"] == nil)
            #expect(try await server.web.send("GET", "/v1/tasks/\(task)/result", ann).status == 410)
            #expect(try await server.web.send("DELETE", "/v1/tasks/\(task)", ann).status == 204)
            #expect(try await server.web.send("GET", "/v1/tasks/\(task)", ann).status == 404)
        }
    }

    @Test("S18 A39 delete everything stops what runs, leaves tombstones, and refuses what comes late")
    func deleteEverything() async throws {
        let endless = ScriptedModel { _ in [.piece(.text("canary ")), .wait(Gate())] }
        try await TemporaryFolder.use { folder in
            try await APIHarness.run(endless, adjust: { $0.dataFolder = folder }) { server in
                let ann = try await server.device("ann")
                let bob = try await server.device("bob")
                let drafts = (1...3).map { server.web.draft("canary \($0)") }
                for draft in drafts { #expect(try await server.web.put(draft, ann).status == 201) }
                let his = server.web.draft("mine")
                #expect(try await server.web.put(his, bob).status == 201)
                let cursor = try await server.store.changeCursor(of: ann.account)
                #expect(try await server.web.send("DELETE", "/v1/conversations", ann).status == 204)
                guard
                    case .changes(let changes, _, _) = try await server.store.changes(
                        of: ann.account, after: cursor, limit: 99)
                else { throw Fixture.NotAdmitted() }
                let gone = changes.filter { $0.operation == .delete && $0.kind == .conversation }
                #expect(Set(gone.compactMap(\.conversation)) == Set(drafts.map(\.conversation)))
                for draft in drafts {
                    #expect(try await server.web.put(draft, ann).status == 410)
                    #expect(try await server.web.send("GET", "/v1/answers/\(draft.answer)", ann).status == 410)
                }
                while try await server.store.settleSearch(maximumBytes: 1 << 20) {}
                #expect(try await server.web.send("GET", "/v1/search?q=canary", ann).json["items"]?.array == [])
                #expect(try await server.store.unfinishedAnswers().map(\.id) == [his.answer])
            }
        }
    }

    @Test("S18 closing an account takes everything of it at once, and of nobody else")
    func closeAccount() async throws {
        try await serve { server in
            // Whoever comes first is the owner, and the last owner stays as long as there are others.
            let bob = try await server.device("bob")
            let ann = try await server.device("ann")
            let phone = try await server.device("ann")
            let draft = try await say("canary", server, ann)
            _ = try await say("kept", server, bob)
            let task = try #require(
                try await server.web.send("POST", "/v1/exports", ann, json: "{}").json["id"]?.string)
            _ = try await follow(task, server, ann)
            let file = server.house.api.tasks.file(of: try #require(TaskID(task)))
            for wrong in ["{}", #"{"name":"bob"}"#] {
                #expect(try await server.web.send("DELETE", "/v1/accounts/current", ann, json: wrong).status == 400)
            }
            #expect(
                try await server.web.send("DELETE", "/v1/accounts/current", ann, json: #"{"name":"Ann"}"#).status == 204
            )
            for device in [ann, phone] {
                #expect(try await server.web.send("GET", "/v1/conversations", device).status == 401)
                #expect(try await server.web.put(server.web.draft("late"), device).status == 401)
            }
            #expect(!FileManager.default.fileExists(atPath: file))
            #expect(try await server.store.account(named: "ann") == nil)
            #expect(try await server.web.send("GET", "/v1/conversations", bob).json["items"]?.array?.count == 1)
            // The name is free, and whoever takes it finds nothing.
            let next = try await server.device("ann")
            #expect(try await server.web.send("GET", "/v1/conversations", next).json["items"]?.array == [])
            #expect(try await server.web.put(draft, next).status == 404)
        }
    }

    @Test("S18 an account that another process deletes is signed out within seconds, and its answers end")
    func deletedByCommand() async throws {
        let endless = ScriptedModel { _ in [.piece(.text("canary ")), .wait(Gate())] }
        try await TemporaryFolder.use { folder in
            try await APIHarness.run(endless, adjust: { $0.dataFolder = folder }) { server in
                let ann = try await server.device("ann")
                let bob = try await server.device("bob")
                let draft = server.web.draft("canary")
                #expect(try await server.web.put(draft, ann).status == 201)
                let other = try SQLiteStore(path: server.database) { _, _ in }
                #expect(try await other.deleteAccount(ann.account, now: server.surroundings.wall()) == [draft.answer])
                try await other.close()
                // Whatever the server still does for it changes nothing, and nobody else notices.
                let late = try await server.web.send("POST", "/v1/answers/\(draft.answer)/stop", ann)
                #expect(late.status >= 400)
                let his = server.web.draft("mine")
                #expect(try await server.web.put(his, bob).status == 201)
                #expect(try await server.store.account(ann.account) == nil)
                #expect(try await server.store.unfinishedAnswers().map(\.id) == [his.answer])
            }
        }
    }

    @Test("A77 a task goes on in the next process where a process ended in the middle of it")
    func nextProcess() async throws {
        try await TemporaryFolder.use { folder in
            let store = try SQLiteStore(path: folder + "/a.db") { _, _ in }
            let account = AccountRecord(id: 1, name: "ann", passwordHash: nil, createdAt: 1)
            _ = try await store.createAccount(account)
            var task = TaskRecord(id: 3, account: 1, kind: .export, createdAt: 5)
            task.state = .running
            #expect(try await store.createTask(task))
            let runner = TaskRunner(
                store: store, folder: folder + "/archives", surroundings: .system,
                logger: Logger(least: .error) { _ in })
            let work = Task { await runner.run() }
            while let task = try await runner.task(3, of: 1), !task.state.isFinal { await Task.yield() }
            let over = try #require(try await runner.task(3, of: 1))
            #expect(over.state == .done && over.resultBytes != nil)
            work.cancel()
            await work.value
            try await store.close()
        }
    }
}
