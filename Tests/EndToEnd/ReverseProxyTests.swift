import Foundation
import HTTPClient
import RejoinCore
import TestSupport
import Testing

/// The examples of proxies, started as they are but for the places that are a reader's own.
@Suite(.timeLimit(.minutes(2))) struct ReverseProxyTests {
    private static let nginx = "/usr/sbin/nginx"
    private static let caddy = "/usr/bin/caddy"
    private static let openssl = "/usr/bin/openssl"

    private static func isThere(_ program: String) -> Bool {
        [program, openssl].allSatisfy(FileManager.default.isExecutableFile)
    }

    @Test(
        "S10 behind nginx, as the example has it and with its default buffering, the pieces arrive as they are made",
        .enabled(if: isThere(nginx), "nginx is not installed"))
    func behindNginx() async throws {
        try await behind(Self.nginx) { example, place in
            let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
                "\($0)_temp_path \(place.folder)/\($0);"
            }
            let file = place.folder + "/nginx.conf"
            try """
            worker_processes 1; daemon off; pid \(place.folder)/pid; error_log \(place.folder)/errors;
            events { worker_connections 64; }
            http {
                access_log off; \(paths.joined(separator: " "))
                \(place.fill(try Self.example("nginx.conf"), [("listen 443 ", "listen 127.0.0.1:\(place.port) ")]))
            }
            """.write(toFile: file, atomically: true, encoding: .utf8)
            example.arguments = ["-c", file, "-e", place.folder + "/errors"]
        }
    }

    @Test(
        "S10 behind Caddy, as the example has it, the pieces arrive as they are made",
        .enabled(if: isThere(caddy), "caddy is not installed"))
    func behindCaddy() async throws {
        try await behind(Self.caddy) { example, place in
            let file = place.folder + "/Caddyfile"
            let site = "SERVER_NAME {\n\ttls \(place.certificate) \(place.key)"
            try
                ("{\n\tadmin off\n\tauto_https off\n}\n"
                + place.fill(
                    try Self.example("Caddyfile").replacing("\nSERVER_NAME {", with: "\n" + site),
                    [("SERVER_NAME", "https://127.0.0.1:\(place.port)")]))
                .write(toFile: file, atomically: true, encoding: .utf8)
            example.arguments = ["run", "--config", file, "--adapter", "caddyfile"]
            example.environment = ["HOME": place.folder, "XDG_DATA_HOME": place.folder, "PATH": "/usr/bin:/bin"]
        }
    }

    /// What an example is filled in with.
    private struct Place {
        let folder: String
        let port: Int
        let server: Int
        var certificate: String { folder + "/certificate.pem" }
        var key: String { folder + "/key.pem" }

        func fill(_ text: String, _ more: [(String, String)]) -> String {
            let mine = [
                ("127.0.0.1:8787", "127.0.0.1:\(server)"), ("/etc/ssl/rejoin/certificate.pem", certificate),
                ("/etc/ssl/rejoin/key.pem", key),
            ]
            return (more + mine + [("SERVER_NAME", "127.0.0.1")]).reduce(text) { $0.replacing($1.0, with: $1.1) }
        }
    }

    private static func example(_ name: String) throws -> String {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Examples/proxy/\(name)")
        return try String(contentsOf: file.standardizedFileURL, encoding: .utf8)
    }

    private func behind(_ program: String, _ prepare: (Process, Place) throws -> Void) async throws {
        try await Household.open("paced-20-20") { house in
            let folder = house.server.folder + "/proxy"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let place = Place(folder: folder, port: try freePort(), server: house.server.port)
            try makeCertificate(place)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: program)
            try prepare(process, place)
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            defer { process.terminate() }
            var configuration = HTTPClient.Configuration()
            configuration.certificateFile = place.certificate
            let client = HTTPClient(configuration)
            defer { client.shutdown() }
            func request(_ method: String, _ path: String, _ body: [UInt8]? = nil) -> HTTPClientRequest {
                var request = house.direct.request(method, path, house.ann, body: body)
                request.url = "https://127.0.0.1:\(place.port)\(path)"
                return request
            }
            // Until the proxy listens there is nobody to put it to; the ids make trying again harmless.
            let draft = house.direct.draft("Hello")
            let end = ContinuousClock.now + .seconds(30)
            while true {
                let put = try? await client.send(request("PUT", draft.path, draft.body))
                if let put, put.status < 300 { break }
                try #require(ContinuousClock.now < end, "the proxy did not begin")
                try await Task.sleep(for: .milliseconds(10))
            }
            let response = try await client.send(request("GET", "/v1/answers/\(draft.answer)/events"))
            var arrivals: [ContinuousClock.Instant] = []
            while try await response.nextPiece() != nil { arrivals.append(.now) }
            // Twenty pieces in a second: held back, they would come in one or two lumps.
            #expect(arrivals.count >= 10)
            let first = try #require(arrivals.first)
            let last = try #require(arrivals.last)
            #expect(first.duration(to: last) > .milliseconds(500))
            // Through the proxy everybody comes from this machine, and the figures are not for everybody.
            #expect(try await client.send(request("GET", "/metrics")).status == 404)
            #expect(try await client.send(request("GET", "/health")).status == 200)
        }
    }

    private func makeCertificate(_ place: Place) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.openssl)
        process.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-keyout", place.key, "-out",
            place.certificate, "-days", "2", "-nodes", "-subj", "/CN=127.0.0.1", "-addext",
            "subjectAltName=IP:127.0.0.1",
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    /// A port that nobody listens on just now.
    private func freePort() throws -> Int {
        let upstream = try ScriptedUpstream()
        defer { upstream.stop() }
        return upstream.port
    }
}
