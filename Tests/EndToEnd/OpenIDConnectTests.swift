import Foundation
import TestSupport
import Testing

/// Signing in with a provider: a real server, a real provider, and a browser's part played by a program.
@Suite(.timeLimit(.minutes(5))) struct OpenIDConnectTests {
    private static let python = ProcessInfo.processInfo.environment["REJOIN_TEST_PYTHON"]

    @Test(
        "S25 a provider signs in who linked it, by each algorithm, and nobody by a token that is wrong in any one way",
        .enabled(if: python != nil, "REJOIN_TEST_PYTHON names no interpreter with the joserfc package"))
    func faults() async throws {
        let said = try await run("faults", accounts: "existing")
        #expect(said.contains("27 faults refused"), "\(said)")
    }

    @Test(
        "S25 a provider of another house makes an account for each of its people, and the same one each time",
        .enabled(if: python != nil, "REJOIN_TEST_PYTHON names no interpreter with the oidc-provider-mock package"))
    func mock() async throws {
        let said = try await run("mock", accounts: "create")
        #expect(said.contains("signed in with a provider of another house"), "\(said)")
    }

    /// What the log has to have named, each for at least one of the faults.
    private static let kinds = [
        "unreachable", "malformed", "issuer", "state", "denied", "refused", "algorithm", "key", "signature", "audience",
        "expired", "notYet", "nonce", "subject",
    ]

    /// Runs the program, which is the provider and then the browser, around a server that knows the provider.
    private func run(_ part: String, accounts: String) async throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Self.python))
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "openid.py").path()
        process.arguments = ["-B", "-W", "ignore", script, part]
        let (output, input) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = output
        process.standardInput = input
        try process.run()
        defer { process.terminate() }
        let address = await Self.line(of: output)
        try #require(address.hasPrefix("http://localhost:"), "\(address)")
        let provider = """
            oidc: { issuer: "\(address)", client_id: "rejoinder: a client", client_secret_env: "HOUSE_SECRET",
                name: "House Login", accounts: "\(accounts)" }
            """
        var said = ""
        try await Household.open(
            "paced-3-50", settings: provider, environment: ["HOUSE_SECRET": "s3cret/with+signs"]
        ) { house in
            let other = try await house.server.rejoin("account", "add", "bob", "--data", house.server.data)
            let line = "http://localhost:\(house.server.port) \(house.ann.token) \(other.output)"
            input.fileHandleForWriting.write(Data(line.utf8))
            try input.fileHandleForWriting.close()
            said = await ServerProcess.readAll(output)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "\(said)\n\(house.server.errors)")
            // What failed is in the log by its kind alone.
            #expect(!house.server.errors.contains("s3cret") && !house.server.errors.contains("annika"))
            let log = house.server.errors
            let kinds = part == "faults" ? Self.kinds : []
            for kind in kinds { #expect(log.contains(#""fault":"\#(kind)""#), "\(kind)") }
        }
        return said
    }

    /// The first line that a process writes and that is an address; libraries may warn of something before.
    private static func line(of pipe: Pipe) async -> String {
        let handle = pipe.fileHandleForReading
        return await withCheckedContinuation { continuation in
            // A blocking read has a thread of its own.
            Thread.detachNewThread {
                var text = ""
                while true {
                    let whole = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                    if let address = whole.first(where: { $0.hasPrefix("http://localhost:") }) {
                        continuation.resume(returning: String(address))
                        return
                    }
                    let piece = handle.availableData
                    if piece.isEmpty { break }
                    text += String(decoding: piece, as: UTF8.self)
                }
                continuation.resume(returning: text)
            }
        }
    }
}
