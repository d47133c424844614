import Foundation
import HTTPClient
import TestSupport
import Testing

@Suite(
    .timeLimit(.minutes(1)),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"), "needs the openssl command"))
struct TLSTests {
    /// An HTTPS server with a certificate that it made itself.
    final class Server: Sendable {
        let port: Int
        let certificate: String
        private let folder: URL
        private let process: Process

        init() throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            certificate = folder.appending(path: "certificate.pem").path
            let key = folder.appending(path: "key.pem").path
            let maker = try Self.openssl(
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-keyout", key, "-out",
                    certificate,
                ]
                    + ["-days", "2", "-nodes", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"],
                Pipe())
            maker.waitUntilExit()
            let output = Pipe()
            process = try Self.openssl(
                ["s_server", "-accept", "127.0.0.1:0", "-key", key, "-cert", certificate, "-www"], output)
            var said = ""
            while !said.contains("ACCEPT"), case let data = output.fileHandleForReading.availableData, !data.isEmpty {
                said += String(decoding: data, as: UTF8.self)
            }
            let digits = said.split(separator: "127.0.0.1:").last?.prefix(while: \.isNumber)
            port = try #require(digits.flatMap { Int($0) })
        }

        deinit {
            process.terminate()
            try? FileManager.default.removeItem(at: folder)
        }

        private static func openssl(_ arguments: [String], _ output: Pipe) throws -> Process {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/openssl")
            process.arguments = arguments
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            return process
        }
    }

    @Test func `trusts a certificate that it was given, and no other`() async throws {
        let server = try Server()
        let url = "https://127.0.0.1:\(server.port)/"
        var configuration = HTTPClient.Configuration()
        configuration.certificateFile = server.certificate
        let response = try await HTTPClient(configuration).send(HTTPClientRequest(url: url))
        #expect(response.status == 200)
        #expect(try await response.collect(limit: 1 << 20).count > 100)
        let error = await #expect(throws: HTTPClientError.self) {
            try await HTTPClient().send(HTTPClientRequest(url: url))
        }
        #expect(error?.code == .tls)
    }

    @Test func `tells a server without TLS`() async throws {
        let upstream = try ScriptedUpstream()
        let error = await #expect(throws: HTTPClientError.self) {
            try await HTTPClient().send(HTTPClientRequest(url: "https://127.0.0.1:\(upstream.port)/"))
        }
        #expect(error?.code == .tls)
    }
}
