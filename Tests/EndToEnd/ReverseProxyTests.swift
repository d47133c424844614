import Foundation
import HTTPClient
import RejoinCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ReverseProxyTests {
    private static let nginx = "/usr/sbin/nginx"

    @Test(
        "S10 behind nginx with its default buffering the pieces arrive as they are made",
        .enabled(if: FileManager.default.isExecutableFile(atPath: nginx), "nginx is not installed"))
    func unbuffered() async throws {
        try await Household.open("paced-20-20") { house in
            let folder = house.server.folder + "/nginx"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let port = try freePort()
            let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder)/\($0);" }
            try """
            worker_processes 1; daemon off; pid \(folder)/pid; error_log \(folder)/errors;
            events { worker_connections 64; }
            http {
                access_log off; \(paths.joined(separator: " "))
                server { listen 127.0.0.1:\(port); location / { proxy_pass http://127.0.0.1:\(house.server.port); } }
            }
            """.write(toFile: folder + "/nginx.conf", atomically: true, encoding: .utf8)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: Self.nginx)
            process.arguments = ["-c", folder + "/nginx.conf", "-e", folder + "/errors"]
            try process.run()
            defer { process.terminate() }
            let web = TestClient(port: port)
            let draft = web.draft("Hello")
            // Until nginx listens there is nobody to put it to; the ids make trying again harmless.
            _ = try await house.put(draft, through: web)
            let response = try await web.client.send(
                web.request("GET", "/v1/answers/\(draft.answer)/events", house.ann))
            var arrivals: [ContinuousClock.Instant] = []
            while try await response.nextPiece() != nil { arrivals.append(.now) }
            web.shutdown()
            // Twenty pieces in a second: held back, they would come in one or two lumps.
            #expect(arrivals.count >= 10)
            let first = try #require(arrivals.first)
            let last = try #require(arrivals.last)
            #expect(first.duration(to: last) > .milliseconds(500))
        }
    }

    /// A port that nobody listens on just now.
    private func freePort() throws -> Int {
        let upstream = try ScriptedUpstream()
        defer { upstream.stop() }
        return upstream.port
    }
}
