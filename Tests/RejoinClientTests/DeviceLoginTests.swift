import Foundation
import RejoinClient
import RejoinCore
import RejoinTerminal
import RejoinTestKit
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct DeviceLoginTests {
    private static let offer = #"""
        {"device_code":"d&1","user_code":"BCDF-GHJK","verification_uri":"http://fake/#device","expires_in":60,"interval":5}
        """#

    /// Runs a login against a server that answers its polls with these, one after the other.
    private func login(_ replies: [@Sendable () throws -> TransportReply]) async throws
        -> (outcome: DeviceLoginOutcome, times: [Duration], bodies: [String])
    {
        let clock = ManualClock()
        let start = clock.now
        let times = Mutex<[Duration]>([])
        let transport = ScriptedTransport { request, number in
            if request.url.hasSuffix("/oauth/device_authorization") { return .json(Self.offer) }
            times.withLock { $0.append(start.duration(to: clock.now)) }
            return try replies[min(number - 2, replies.count - 1)]()
        }
        let client = RejoinClient(address: "http://fake", token: nil, transport: transport, clock: clock)
        let isDone = Flag()
        async let pump: Void = {
            while !isDone.isSet {
                clock.advance(by: .seconds(1))
                try? await Task.sleep(for: .microseconds(500))
            }
        }()
        let offer = try await client.beginDeviceLogin(name: "Ann's laptop")
        let outcome = try await client.wait(for: offer)
        isDone.set()
        await pump
        let bodies = transport.requests.map { String(decoding: $0.body ?? [], as: UTF8.self) }
        return (outcome, times.withLock { $0 }, bodies)
    }

    private static func refusal(_ error: String) -> @Sendable () throws -> TransportReply {
        { .json(#"{"error":"\#(error)"}"#, status: 400) }
    }

    @Test func `asks by the interval, slower when told so and after a broken line, until it is let in`() async throws {
        let (outcome, times, bodies) = try await login([
            Self.refusal("authorization_pending"), Self.refusal("slow_down"),
            { throw TransportFailure(.dropped, "broken") }, { .json(#"{"access_token":"t","token_type":"Bearer"}"#) },
        ])
        #expect(outcome == .signedIn(token: "t"))
        #expect(times.count == 4)
        for (time, least) in zip(times, [5, 10, 20, 40]) { #expect(time >= .seconds(least)) }
        #expect(bodies.first == "client_id=rejoin&device_name=Ann%27s%20laptop")
        #expect(bodies.last?.contains("device_code=d%261&client_id=rejoin") == true)
    }

    @Test func `ends when the person declines, and when the time is over`() async throws {
        #expect(try await login([Self.refusal("access_denied")]).outcome == .denied)
        #expect(try await login([Self.refusal("expired_token")]).outcome == .expired)
        let (outcome, times, _) = try await login([Self.refusal("authorization_pending")])
        #expect(outcome == .expired && times.count == 12)
    }

    @Test func `a server that knows nothing of it is refused, not waited for`() async {
        let transport = ScriptedTransport { _, _ in .problem(Problem(.notFound, "")) }
        let client = RejoinClient(address: "http://fake", token: nil, transport: transport)
        let error = await #expect(throws: ClientError.self) { try await client.beginDeviceLogin(name: "x") }
        #expect(error?.status == 404)
    }

    // MARK: Where the token is kept

    @Test func `commands go where this terminal was signed in to last, unless they name another place`() throws {
        var servers = SignedInServers()
        servers.signIn("https://one.example", token: "first")
        servers.signIn("https://two.example", token: "second")
        let folder = FileManager.default.temporaryDirectory.path + "/rejoin-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let environment = ["XDG_DATA_HOME": folder]
        let path = SignedInServers.path(environment)
        #expect(servers.write(to: path) && servers.write(to: path))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(SignedInServers(FileManager.default.contents(atPath: path).map { Array($0) }) == servers)

        func resolve(_ options: ServerLocation.Options = .init()) throws -> ServerLocation {
            try ServerLocation.resolve(options, environment: environment) { file in
                if file == "/data/client.json" || file == folder + "/rejoinder/client.json" {
                    return Array(#"{"address":"http://127.0.0.1:8787","token":"local"}"#.utf8)
                }
                return FileManager.default.contents(atPath: file).map { Array($0) }
            }
        }
        #expect(try resolve() == ServerLocation(address: "https://two.example", token: "second"))
        #expect(try resolve(.init(server: "https://one.example/")).token == "first")
        #expect(try resolve(.init(server: "https://three.example")).token == nil)
        #expect(try resolve(.init(dataFolder: "/data")).token == "local")
        servers.signOut("https://two.example")
        #expect(servers.current == nil && servers.write(to: path))
        #expect(try resolve().token == "local")
        #expect(try resolve(.init(server: "https://one.example")).token == "first")
    }

    @Test(arguments: ["", "{}", "[1]", #"{"servers":[{"address":1}],"current":"x"}"#, "\u{0}"])
    func `a file that makes no sense counts as none`(text: String) {
        #expect(SignedInServers(Array(text.utf8)) == SignedInServers())
    }
}
