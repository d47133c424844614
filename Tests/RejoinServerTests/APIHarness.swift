import Crypto
import Foundation
import HTTPServer
import RejoinCore
import Synchronization
import TestSupport

@testable import RejoinServer

/// The whole server but for its process: the real rooms and routes over a socket, with models and store of a test's choice.
final class APIHarness: Sendable {
    let store: any Store
    let house: House
    let feed: ChangeFeed
    let web: TestClient
    let surroundings: Surroundings
    /// The database's file.
    let database: String
    /// Every line of the log so far.
    var logged: String { lines.text.withLock { $0 } }
    private let lines = Lines()
    private let server: HTTPServer

    private final class Lines: Sendable { let text = Mutex("") }

    private init(
        _ providers: [any ModelProvider], store: any Store, database: String, feed: ChangeFeed,
        surroundings: Surroundings, assists: AssistRegistry, adjust: (inout Configuration) -> Void
    ) throws {
        var configuration = Configuration(dataFolder: "/nonexistent")
        configuration.defaultModel = providers.first?.name
        configuration.titleModel = nil
        adjust(&configuration)
        let logger = Logger(least: .debug) { [lines] line in lines.text.withLock { $0 += line } }
        let house = House(
            configuration, providers: providers, store: store, feed: feed, surroundings: surroundings, logger: logger,
            assists: assists)
        server = HTTPServer(HTTPServer.Configuration()) { await house.api.handle($0) }
        web = TestClient(port: try server.start(), surroundings: surroundings)
        house.publicAddress.listens(on: web.port)
        self.house = house
        self.database = database
        self.store = store
        self.feed = feed
        self.surroundings = surroundings
    }

    /// Serves until the body returns.
    static func run(
        _ providers: any ModelProvider..., assists: AssistRegistry = .standard,
        adjust: (inout Configuration) -> Void = { _ in },
        _ body: (APIHarness) async throws -> Void
    ) async throws {
        let feed = ChangeFeed()
        let folder = NSTemporaryDirectory() + "rejoin-api-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try SQLiteStore(path: folder + "/test.sqlite") { account, cursor in
            feed.advanced(account, to: cursor)
        }
        let harness = try APIHarness(
            providers, store: store, database: folder + "/test.sqlite", feed: feed, surroundings: .system,
            assists: assists,
            adjust: adjust)
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
        web.shutdown()
    }

    /// An account with a device, made as the operator makes one.
    func device(_ name: String) async throws -> TestClient.Device {
        let known = try await store.account(named: name)?.id
        let account = if let known { known } else { try await newAccount(name) }
        let session = SessionRecord(
            id: surroundings.makeID(), account: account, device: name, createdAt: surroundings.wall())
        let token = Token()
        try await store.openSession(session, tokenHash: token.hash)
        return TestClient.Device(account: account, token: token.text)
    }

    private func newAccount(_ name: String) async throws -> AccountID {
        let account = AccountRecord(
            id: surroundings.makeID(), name: name, passwordHash: nil, createdAt: surroundings.wall())
        _ = try await store.createAccount(account)
        return account.id
    }
}
