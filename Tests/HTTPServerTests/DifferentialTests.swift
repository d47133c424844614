import Foundation
import HTTPServer
import Testing

@Suite struct DifferentialTests {
    static let python = ProcessInfo.processInfo.environment["REJOIN_TEST_PYTHON"]

    @Test(
        "S29 whatever this server takes, two other parsers read the same way",
        .enabled(if: python != nil, "REJOIN_TEST_PYTHON names no interpreter that has h11 and httptools."),
        .timeLimit(.minutes(5)))
    func differential() async throws {
        let interpreter = try #require(Self.python)
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Differential/http_parser_test.py")
        try await withServer(handler: echoWhole) { _, port in
            let process = Process()
            process.executableURL = URL(filePath: interpreter)
            process.arguments = [script.path, "--port", String(port)]
            let output = Pipe()
            process.standardOutput = output
            process.standardError = output
            let status: Int32 = try await withCheckedThrowingContinuation { continuation in
                process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
                do { try process.run() } catch { continuation.resume(throwing: error) }
            }
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            #expect(status == 0, "\(text)")
            #expect(text.contains("requests agreed"), "\(text)")
        }
    }
}

/// Answers with all that was understood: method, target and the body in hexadecimal digits.
@Sendable private func echoWhole(_ exchange: Exchange) async {
    do {
        let body = try await exchange.body(limit: 1 << 20)
        let digits = body.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let text = "\(exchange.request.method)\n\(exchange.request.target)\n\(digits)\n"
        try await exchange.respond(200, body: Array(text.utf8))
    } catch {
        try? await exchange.respond(400)
    }
}
