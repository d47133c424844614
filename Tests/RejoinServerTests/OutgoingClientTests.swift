import HTTPClient
import HTTPServer
import RejoinServer
import Synchronization
import Testing

/// The way out for names that the operator did not give, over real sockets and a resolver of the test's own.
@Suite(.timeLimit(.minutes(1))) struct OutgoingClientTests {
    /// A server on an address of this machine that redirects as it is told, and knows who came.
    private final class Site: Sendable {
        let port: Int
        private let server: HTTPServer
        private let asked: Asked

        private final class Asked: Sendable { let paths = Mutex<[String]>([]) }

        init(_ host: String, _ answer: @escaping @Sendable (HTTPRequest) -> (Int, HTTPFields, [UInt8])) throws {
            var configuration = HTTPServer.Configuration()
            configuration.host = host
            let asked = Asked()
            server = HTTPServer(configuration) { exchange in
                asked.paths.withLock { $0.append(exchange.request.path) }
                let (status, fields, body) = answer(exchange.request)
                try? await exchange.respond(status, fields: fields, body: body)
            }
            self.asked = asked
            port = try server.start()
        }

        var paths: [String] { asked.paths.withLock { $0 } }
        func close() async { await server.drain(within: .milliseconds(10)) }
    }

    /// Stands for the internet in these tests.
    private static let outside: UInt32 = 0x7F00_0001

    private func rules(_ ports: Int...) -> OutgoingRules {
        var rules = OutgoingRules()
        rules.schemes = ["http"]
        rules.ports = Set(ports)
        rules.reach = Reach { $0 == .four(Self.outside) }
        return rules
    }

    private func client(
        _ rules: OutgoingRules, resolve: (@Sendable (String) -> [String]?)? = nil
    ) -> OutgoingClient {
        let start = ContinuousClock.now
        return OutgoingClient(rules, now: { start.duration(to: .now) }, resolve: resolve)
    }

    private func code(_ client: OutgoingClient, _ request: HTTPClientRequest) async -> OutgoingError.Code? {
        do {
            _ = try await client.fetch(request)
            return nil
        } catch {
            return (error as? OutgoingError)?.code
        }
    }

    @Test(
        "S34 a name that resolves inside is not connected to, in any notation",
        arguments: [
            "http://127.0.0.2:%/", "http://inside.example:%/", "http://127.2:%/", "http://0x7f000002:%/",
            "http://2130706434:%/", "http://0177.0.0.02:%/", "http://[::1]:%/", "http://[::ffff:127.0.0.2]:%/",
            "http://localhost:%/",
        ])
    func inside(_ text: String) async throws {
        let site = try Site("127.0.0.2") { _ in (200, [:], Array("secret".utf8)) }
        let client = client(rules(site.port)) { host in
            ["inside.example": ["127.0.0.2"], "localhost": ["127.0.0.2"]][host]
        }
        let url = text.replacing("%", with: String(site.port))
        #expect(await code(client, HTTPClientRequest(url: url)) == .address)
        #expect(site.paths == [])
        await site.close()
    }

    @Test("S34 what the real rule forbids is not connected to on this machine")
    func loopback() async throws {
        let site = try Site("127.0.0.1") { _ in (200, [:], []) }
        var rules = rules(site.port)
        rules.reach = .publicInternet
        #expect(await code(client(rules), HTTPClientRequest(url: "http://127.0.0.1:\(site.port)/")) == .address)
        #expect(site.paths == [])
        await site.close()
    }

    @Test("S34 a redirect inside is not followed, by an address or by a name")
    func redirect() async throws {
        let secret = try Site("127.0.0.2") { _ in (200, [:], Array("secret".utf8)) }
        let port = secret.port
        let open = try Site("127.0.0.1") { request in
            switch request.path {
            case "/address": (302, ["Location": "http://127.0.0.2:\(port)/"], [])
            case "/name": (307, ["Location": "//inside.example:\(port)/"], [])
            case "/scheme": (302, ["Location": "gopher://outside.example/"], [])
            case "/file": (302, ["Location": "file:///etc/passwd"], [])
            case "/port": (302, ["Location": "http://127.0.0.1:22/"], [])
            case "/user": (302, ["Location": "http://a:b@outside.example:\(port)/"], [])
            case "/around": (302, ["Location": "/around"], [])
            case "/on": (301, ["Location": "there?x=1"], [])
            default: (200, [:], Array(request.target.utf8))
            }
        }
        let client = client(rules(open.port, port)) { host in
            ["inside.example": ["127.0.0.2"], "outside.example": ["127.0.0.1"]][host]
        }
        func get(_ path: String) -> HTTPClientRequest {
            HTTPClientRequest(url: "http://outside.example:\(open.port)\(path)")
        }
        #expect(await code(client, get("/address")) == .address)
        #expect(await code(client, get("/name")) == .address)
        #expect(await code(client, get("/scheme")) == .scheme)
        #expect(await code(client, get("/file")) == .malformed)
        #expect(await code(client, get("/port")) == .port)
        #expect(await code(client, get("/user")) == .user)
        #expect(await code(client, get("/around")) == .redirect)
        #expect(open.paths.filter { $0 == "/around" }.count == 4)
        #expect(secret.paths == [])
        let reply = try await client.fetch(get("/on"))
        #expect(reply.status == 200 && reply.body == Array("/there?x=1".utf8))
        // What changes something is sent to the server that was named, and to no other.
        #expect(await code(client, HTTPClientRequest("POST", url: get("/on").url, body: [])) == .redirect)
        for site in [secret, open] { await site.close() }
    }

    @Test("S34 a name that resolves inside the second time is not connected to")
    func rebinding() async throws {
        let secret = try Site("127.0.0.2") { _ in (200, [:], Array("secret".utf8)) }
        let port = secret.port
        let open = try Site("127.0.0.1") { _ in
            // The same name at another port, so that a new connection is needed.
            (302, ["Location": "http://turning.example:\(port)/"], [])
        }
        let calls = Counter()
        let client = client(rules(open.port, port)) { _ in calls.next() == 1 ? ["127.0.0.1"] : ["127.0.0.2"] }
        #expect(await code(client, HTTPClientRequest(url: "http://turning.example:\(open.port)/")) == .address)
        #expect(calls.value == 2)
        #expect(secret.paths == [])
        for site in [secret, open] { await site.close() }
    }

    private final class Counter: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }

    @Test("S34 a name with an address inside and one outside is connected to outside alone")
    func mixed() async throws {
        let open = try Site("127.0.0.1") { _ in (200, [:], Array("open".utf8)) }
        let client = client(rules(open.port)) { _ in ["127.0.0.2", "127.0.0.1"] }
        let reply = try await client.fetch(HTTPClientRequest(url: "http://mixed.example:\(open.port)/"))
        #expect(reply.body == Array("open".utf8))
        await open.close()
    }

    @Test("S34 a server that the operator named may stand inside, and takes nobody along")
    func trusted() async throws {
        let secret = try Site("127.0.0.3") { _ in (200, [:], Array("secret".utf8)) }
        let port = secret.port
        let named = try Site("127.0.0.2") { request in
            request.path == "/away" ? (302, ["Location": "http://127.0.0.3:\(port)/"], []) : (200, [:], [])
        }
        var rules = rules(port)
        rules.trusted = [try #require(URLParts("http://127.0.0.2:\(named.port)"))]
        let client = client(rules)
        #expect(try await client.fetch(HTTPClientRequest(url: "http://127.0.0.2:\(named.port)/keys")).status == 200)
        #expect(await code(client, HTTPClientRequest(url: "http://127.0.0.2:\(named.port)/away")) == .address)
        #expect(secret.paths == [])
        for site in [secret, named] { await site.close() }
    }

    @Test("S34 keys that were meant for one server do not go to the next")
    func keys() async throws {
        let other = try Site("127.0.0.1") { request in
            (200, [:], Array("\(request.fields["authorization"] ?? "none") \(request.fields["cookie"] ?? "none")".utf8))
        }
        let port = other.port
        let first = try Site("127.0.0.1") { _ in (302, ["Location": "http://127.0.0.1:\(port)/"], []) }
        let request = HTTPClientRequest(
            url: "http://127.0.0.1:\(first.port)/", fields: [("Authorization", "Bearer x"), ("Cookie", "y")])
        let reply = try await client(rules(first.port, port)).fetch(request)
        #expect(reply.body == Array("none none".utf8))
        for site in [first, other] { await site.close() }
    }

    @Test("S34 size and time are bounded, over all redirects")
    func bounds() async throws {
        let site = try Site("127.0.0.1") { request in
            request.path == "/large"
                ? (200, [:], Array(repeating: 0x78, count: 2000)) : (302, ["Location": "/large"], [])
        }
        var rules = rules(site.port)
        rules.bytes = 1000
        let url = "http://127.0.0.1:\(site.port)"
        #expect(await code(client(rules), HTTPClientRequest(url: url + "/large")) == .tooLarge)
        rules.total = .zero
        #expect(await code(client(rules), HTTPClientRequest(url: url + "/")) == .timedOut)
        rules.total = .seconds(5)
        rules.redirects = 0
        #expect(await code(client(rules), HTTPClientRequest(url: url + "/")) == .redirect)
        await site.close()
    }

    @Test(
        "S34 what is no plain URL, has a name in it, or another scheme or port, is refused before anything happens",
        arguments: [
            ("gopher://outside.example/", .scheme), ("ftp://outside.example/", .scheme),
            ("http://outside.example/", .scheme),
            ("https://outside.example:22/", .port), ("https://a@outside.example/", .user),
            ("https://outside.example./", .host), ("https://\u{2460}\u{2461}\u{2466}.0.0.1/", .malformed),
            ("outside.example", .malformed), ("https://out side.example/", .malformed), ("", .malformed),
        ] as [(String, OutgoingError.Code)])
    func refused(_ url: String, _ wanted: OutgoingError.Code) async {
        let client = client(OutgoingRules()) { _ in
            Issue.record("It was resolved.")
            return nil
        }
        #expect(await code(client, HTTPClientRequest(url: url)) == wanted)
    }
}
