import Foundation
import HTTPServer
import RejoinCore
import Synchronization
import TestSupport
import Testing

@testable import RejoinServer

@Suite(.timeLimit(.minutes(1))) struct TemporaryTests {
    @Test(
        "S23 A42 a temporary conversation leaves nothing in any file of the data folder, nor in the log",
        arguments: [true, false])
    func canary(closedByPerson: Bool) async throws {
        try await TemporaryFolder.use { folder in
            let canary = ["xyzzyprompt", "xyzzyanswer", "xyzzyfact"]
            let lines = Mutex("")
            let surroundings = Surroundings.system
            let model = ScriptedModel { request in
                // Asked what to remember it names a word that no file may hold in the end.
                if request.schema != nil {
                    return [.piece(.text(#"{"facts":["xyzzyfact"]}"#)), .end(.finished(.complete))]
                }
                return (1...400).map { .piece(.text("\(canary[1]) \($0) ")) } + [.end(.finished(.complete))]
            }
            var configuration = Configuration(dataFolder: folder)
            configuration.defaultModel = model.name
            configuration.titleModel = model.name
            let feed = ChangeFeed()
            let store = try SQLiteStore(path: folder + "/rejoinder.sqlite", journalRows: 7) {
                feed.advanced($0, to: $1)
            }
            let logger = Logger(least: .debug) { line in lines.withLock { $0 += String(describing: line) } }
            let house = House(
                configuration, providers: [model], store: store, feed: feed, surroundings: surroundings,
                logger: logger)
            let server = HTTPServer(HTTPServer.Configuration()) { await house.api.handle($0) }
            let web = TestClient(port: try server.start(), surroundings: surroundings)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    await withTaskGroup(of: Void.self) { house.addServices(to: &$0, providers: [model]) }
                }
                let accounts = Accounts(store: store, surroundings: surroundings)
                let account = try await accounts.create(name: "ann", password: nil)
                let token = try await accounts.openSession(of: account.id, device: "desk").token
                let ann = TestClient.Device(account: account.id, token: token)
                _ = try await store.setConsent([.memory: 1], of: account.id, ifVersion: nil, now: surroundings.wall())
                let written = try await web.send("POST", "/v1/memory", ann, json: #"{"text":"told xyzzyfact"}"#)
                let fact = try #require(written.json["id"]?.string)
                #expect(try holds(canary[2], in: folder))
                var draft = web.draft(canary[0])
                for isTemporary in [true, true, false] {
                    if !isTemporary { draft = web.draft("something to keep", in: nil) }
                    let body = String(decoding: draft.body, as: UTF8.self).dropLast() + ",\"temporary\":\(isTemporary)}"
                    _ = try await web.send("PUT", draft.path, ann, json: String(body))
                    let answer = try await web.fold(draft.answer, ann)
                    #expect(answer.text.contains(canary[1]))
                    if isTemporary { draft = web.draft(canary[0], in: draft.conversation, after: draft.answer) }
                }
                _ = try await web.send("DELETE", "/v1/memory/\(fact)", ann)
                // The answer that is kept says the same word: it is what shows that the search would find it.
                #expect(try holds(canary[1], in: folder))
                let kept = draft.conversation
                let listed = try await web.send("GET", "/v1/conversations", ann).json["items"]?.array
                #expect(listed?.count == 1)
                if closedByPerson {
                    let contents = try await temporary(store, account.id)
                    for conversation in contents {
                        _ = try await web.send("DELETE", "/v1/conversations/\(conversation)", ann)
                    }
                } else {
                    let later = surroundings.wall().advanced(byMilliseconds: 1000)
                    #expect(try await store.deleteTemporaryConversations(idleSince: later, now: later) == 1)
                }
                _ = try await web.send("DELETE", "/v1/conversations/\(kept)", ann)
                feed.close()
                await house.runs.drain(within: .seconds(1))
                await server.drain(within: .milliseconds(50))
                web.shutdown()
                group.cancelAll()
            }
            // What a person may no longer find leaves the index's file with the next sweep, which the server makes by itself.
            while try await store.sweepSearch() {}
            try await store.close()
            for word in canary {
                #expect(try !holds(word, in: folder), "\(word)")
                #expect(!lines.withLock { $0 }.contains(word))
            }
        }
    }

    /// The temporary conversations of an account, which no list names.
    private func temporary(_ store: any Store, _ account: AccountID) async throws -> Set<ConversationID> {
        guard case .changes(let changes, _, _) = try await store.changes(of: account, after: 0, limit: .max) else {
            return []
        }
        var found: Set<ConversationID> = []
        for conversation in changes.compactMap(\.conversation) {
            if try await store.conversation(conversation, of: account).value?.isTemporary == true {
                found.insert(conversation)
            }
        }
        return found
    }

    /// Whether a word is in any byte of any file below a folder.
    private func holds(_ word: String, in folder: String) throws -> Bool {
        let needle = Data(word.utf8)
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            guard let data = FileManager.default.contents(atPath: folder + "/" + name) else { continue }
            if data.range(of: needle) != nil { return true }
        }
        return false
    }
}
