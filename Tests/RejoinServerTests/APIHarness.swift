import Crypto
import HTTPClient
import HTTPServer
import RejoinCore
import TestSupport

@testable import RejoinServer

/// The whole server but for its process: the real rooms and routes over a socket, with models and store of a test's choice.
final class APIHarness: Sendable {
    let store: any Store
    let house: House
    let feed: ChangeFeed
    let client = HTTPClient()
    let port: Int
    let surroundings: Surroundings
    private let server: HTTPServer

    private init(
        _ providers: [any ModelProvider], store: any Store, feed: ChangeFeed, surroundings: Surroundings,
        adjust: (inout Configuration) -> Void
    ) throws {
        var configuration = Configuration(dataFolder: "/nonexistent")
        configuration.defaultModel = providers.first?.name
        configuration.titleModel = nil
        adjust(&configuration)
        let logger = Logger(least: .error) { _ in }
        let house = House(
            configuration, providers: providers, store: store, feed: feed, surroundings: surroundings, logger: logger)
        server = HTTPServer(HTTPServer.Configuration()) { await house.api.handle($0) }
        port = try server.start()
        self.house = house
        self.store = store
        self.feed = feed
        self.surroundings = surroundings
    }

    /// Serves until the body returns.
    static func run(
        _ providers: any ModelProvider..., adjust: (inout Configuration) -> Void = { _ in },
        _ body: (APIHarness) async throws -> Void
    ) async throws {
        let feed = ChangeFeed()
        let store = MemoryStore { account, cursor in feed.advanced(account, to: cursor) }
        let harness = try APIHarness(providers, store: store, feed: feed, surroundings: .system, adjust: adjust)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await withTaskGroup(of: Void.self) { harness.house.addServices(to: &$0, providers: providers) }
            }
            do {
                try await body(harness)
            } catch {
                await harness.close()
                throw error
            }
            await harness.close()
            group.cancelAll()
        }
    }

    private func close() async {
        feed.close()
        await house.runs.drain(within: .milliseconds(1))
        await server.drain(within: .milliseconds(50))
        client.shutdown()
    }

    /// A reply, whole.
    struct Reply: Sendable {
        let status: Int
        let fields: [(name: String, value: String)]
        let body: [UInt8]

        var json: JSONObject { (try? JSONReader.parse(body).object) ?? JSONObject() }
        var problem: Problem? { Problem(json: body) }
        func field(_ name: String) -> String? { fields.first { $0.name.lowercased() == name.lowercased() }?.value }
    }

    /// One device of one account.
    struct Device: Sendable {
        let account: AccountID
        let token: String
    }

    /// An account with a device, made as the operator makes one.
    func device(_ name: String) async throws -> Device {
        let known = try await store.account(named: name)?.id
        let account = if let known { known } else { try await newAccount(name) }
        let session = SessionRecord(
            id: surroundings.makeID(), account: account, device: name, createdAt: surroundings.wall())
        let token = Token()
        try await store.openSession(session, tokenHash: token.hash)
        return Device(account: account, token: token.text)
    }

    private func newAccount(_ name: String) async throws -> AccountID {
        let account = AccountRecord(
            id: surroundings.makeID(), name: name, passwordHash: nil, createdAt: surroundings.wall())
        _ = try await store.createAccount(account)
        return account.id
    }

    func request(
        _ method: String, _ path: String, _ device: Device?, body: [UInt8]? = nil, fields: [(String, String)] = []
    ) -> HTTPClientRequest {
        var all: [(name: String, value: String)] = fields.map { (name: $0.0, value: $0.1) }
        if let device { all.append((name: "Authorization", value: "Bearer \(device.token)")) }
        if body != nil, !all.contains(where: { $0.name == "Content-Type" }) {
            all.append((name: "Content-Type", value: "application/json"))
        }
        return HTTPClientRequest(method, url: "http://127.0.0.1:\(port)\(path)", fields: all, body: body)
    }

    func send(
        _ method: String, _ path: String, _ device: Device?, body: [UInt8]? = nil, fields: [(String, String)] = []
    ) async throws -> Reply {
        let response = try await client.send(request(method, path, device, body: body, fields: fields))
        return Reply(status: response.status, fields: response.fields, body: try await response.collect(limit: 64 << 20))
    }

    func send(_ method: String, _ path: String, _ device: Device?, json: String) async throws -> Reply {
        try await send(method, path, device, body: Array(json.utf8))
    }

    /// A turn with ids of its own.
    struct Draft: Sendable {
        var conversation: ConversationID
        var turn: TurnID
        var answer: AnswerID
        var parent: AnswerID?
        var text: String
        var model = "auto"

        var path: String { "/v1/conversations/\(conversation)/turns/\(turn)" }
        var body: [UInt8] {
            var json = JSONWriter()
            json.beginObject()
            json.name("parent")
            if let parent { json.id(parent) } else { json.null() }
            json.name("answer")
            json.id(answer)
            json.name("content")
            json.content([.text(text)])
            json.member("model", model)
            json.endObject()
            return json.bytes
        }
    }

    func draft(_ text: String, in conversation: ConversationID? = nil, after parent: AnswerID? = nil) -> Draft {
        Draft(
            conversation: conversation ?? surroundings.makeID(), turn: surroundings.makeID(),
            answer: surroundings.makeID(), parent: parent, text: text)
    }

    func put(_ draft: Draft, _ device: Device) async throws -> Reply {
        try await send("PUT", draft.path, device, body: draft.body)
    }

    /// Follows an answer from a cursor until the stream ends.
    func events(_ answer: AnswerID, after: Int = 0, _ device: Device) async throws -> [NumberedEvent] {
        let reply = try await send("GET", "/v1/answers/\(answer)/events?after=\(after)", device)
        var parser = EventStreamParser()
        var events: [NumberedEvent] = []
        parser.feed(reply.body) { event in if let numbered = NumberedEvent(event) { events.append(numbered) } }
        return events
    }

    /// The answer as a client that followed it to its end sees it.
    func fold(_ answer: AnswerID, _ device: Device) async throws -> Answer {
        var fold = Answer(id: answer, turn: TurnID(high: 0, low: 0))
        for event in try await events(answer, device) { fold.apply(event) }
        return fold
    }
}
