import Foundation
import HTTPClient
import RejoinCore
import TestSupport

/// A real server process with scripted models behind it, a proxy that can go wrong in front of it, and a person.
final class Household: Sendable {
    let upstream: ScriptedUpstream
    let server: ServerProcess
    let ann: TestClient.Device
    let proxy: FaultProxy
    /// Talks to the server directly.
    let direct: TestClient
    /// Talks to the server through the proxy.
    let web: TestClient

    private init(
        _ upstream: ScriptedUpstream, _ server: ServerProcess, _ ann: TestClient.Device, _ proxy: FaultProxy
    ) {
        self.upstream = upstream
        self.server = server
        self.ann = ann
        self.proxy = proxy
        direct = TestClient(port: server.port)
        web = TestClient(port: proxy.port)
    }

    /// Opens a household for the length of a body.
    ///
    /// - Parameters:
    ///   - models: names that the scripted upstream understands; the first is the default.
    ///   - settings: further members of the configuration, in JSON5.
    static func open(
        _ models: String..., concurrent: Int = 64, settings: String = "", environment: [String: String] = [:],
        _ body: (Household) async throws -> Void
    ) async throws {
        let upstream = try ScriptedUpstream()
        let entries = models.map { name in
            #"{ name: "\#(name)", kind: "openai", base_url: "\#(upstream.baseURL)", model: "\#(name)", concurrent: \#(concurrent) }"#
        }
        let server = try ServerProcess(
            configuration: "{ models: [\(entries.joined(separator: ", "))], titles: \"off\", \(settings) }",
            environment: environment)
        let added = try await server.rejoin("account", "add", "ann", "--data", server.data)
        try await server.start()
        let ann = TestClient.Device(token: added.output.trimmingCharacters(in: .whitespacesAndNewlines))
        let proxy = try FaultProxy(target: server.port)
        let household = Household(upstream, server, ann, proxy)
        do {
            try await body(household)
        } catch {
            await household.close()
            throw error
        }
        await household.close()
    }

    private func close() async {
        direct.shutdown()
        web.shutdown()
        proxy.stop()
        if server.isRunning { await server.kill() }
        upstream.stop()
    }

    /// Kills the server as a crash would, and starts it again at the same address.
    func crash() async throws {
        let port = server.port
        await server.kill()
        try await server.start(port: port)
    }

    /// Follows an answer through the proxy to its end, over as many connections as it takes, the way a client does.
    ///
    /// - Parameter each: told of each event as it is applied.
    func follow(_ answer: AnswerID, each: (NumberedEvent) async throws -> Void = { _ in }) async throws -> Answer {
        var fold = Answer(id: answer, turn: TurnID(high: 0, low: 0))
        let deadline = ContinuousClock.now + .seconds(60)
        while fold.state.end == nil, ContinuousClock.now < deadline {
            do {
                let request = web.request("GET", "/v1/answers/\(answer)/events?after=\(fold.seq)", ann)
                let response = try await web.client.send(request)
                guard response.status == 200 else { throw Unexpected(status: response.status) }
                var parser = EventStreamParser()
                while let piece = try await response.nextPiece() {
                    var events: [NumberedEvent] = []
                    parser.feed(piece) { event in
                        if let numbered = NumberedEvent(event) { events.append(numbered) }
                    }
                    for event in events {
                        // A repeat or a gap on one connection would be the server's fault.
                        guard fold.apply(event) == .applied else { throw Disordered(event: event.seq, held: fold.seq) }
                        try await each(event)
                    }
                }
            } catch let error as Disordered {
                throw error
            } catch {
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        return fold
    }

    /// Whether the metrics hold a line that begins so.
    func metric(_ line: String) async throws -> Bool {
        let text = String(decoding: try await direct.send("GET", "/metrics", nil).body, as: UTF8.self)
        return text.split(separator: "\n").contains { $0.hasPrefix(line) }
    }

    struct Unexpected: Error { let status: Int }
    struct Disordered: Error {
        let event: Int
        let held: Int
    }

    /// Puts a turn until the server has answered, the way a client does that never heard back.
    func put(_ draft: TestClient.Draft, through client: TestClient? = nil) async throws -> TestClient.Reply {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            do {
                return try await (client ?? web).put(draft, ann)
            } catch {
                guard ContinuousClock.now < deadline else { throw error }
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }
}
