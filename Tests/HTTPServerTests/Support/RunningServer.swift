import HTTPServer
import Synchronization
import Testing

/// Runs a server on a free port for the length of a test.
func withServer(
    _ change: (inout HTTPServer.Configuration) -> Void = { _ in },
    handler: @escaping @Sendable (Exchange) async -> Void = { try? await $0.respond(200, body: Array("ok".utf8)) },
    _ test: (HTTPServer, Int) async throws -> Void
) async throws {
    var configuration = HTTPServer.Configuration()
    change(&configuration)
    let server = HTTPServer(configuration, handler: handler)
    let port = try server.start()
    do {
        try await test(server, port)
    } catch {
        await server.drain(within: .zero)
        throw error
    }
    await server.drain(within: .zero)
}

/// Answers with the method, the target and the body that arrived.
@Sendable func echo(_ exchange: Exchange) async {
    do {
        let body = try await exchange.body(limit: 4 << 20)
        try await exchange.respond(
            200, fields: ["X-Method": exchange.request.method, "X-Target": exchange.request.target], body: body)
    } catch let error as HTTPServerError where error.code == .bodyTooLarge {
        try? await exchange.respond(413)
    } catch let error as HTTPServerError where error.code == .bodyTimeout {
        try? await exchange.respond(408)
    } catch {
        try? await exchange.respond(400)
    }
}

/// Waits until something becomes true, as long as ten seconds.
func eventually(
    _ what: Comment, within time: Duration = .seconds(10), sourceLocation: SourceLocation = #_sourceLocation,
    _ isTrue: () async -> Bool
) async {
    let clock = ContinuousClock()
    let end = clock.now + time
    while clock.now < end {
        if await isTrue() { return }
        try? await Task.sleep(for: .milliseconds(2))
    }
    Issue.record(what, sourceLocation: sourceLocation)
}

/// A truth that several tasks look at.
final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() { value.store(true, ordering: .relaxed) }
}
