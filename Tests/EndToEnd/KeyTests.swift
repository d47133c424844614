import Foundation
import TestSupport
import Testing

/// Ways to sign in, driven by programs that are not ours against the real server.
@Suite(.timeLimit(.minutes(5))) struct KeyTests {
    private static let python = ProcessInfo.processInfo.environment["REJOIN_TEST_PYTHON"]

    @Test(
        "S25 passkeys of every algorithm sign in, and an independent verifier refuses what the server refuses",
        .enabled(if: python != nil, "REJOIN_TEST_PYTHON names no interpreter with the webauthn package"))
    func passkeys() async throws {
        try await Household.open("paced-3-50") { house in
            let other = try await house.server.rejoin("account", "add", "bob", "--data", house.server.data)
            let said = try await Self.run(
                "passkeys.py", "http://localhost:\(house.server.port)", house.ann.token,
                other.output.trimmingCharacters(in: .whitespacesAndNewlines))
            #expect(said.status == 0, "\(said.output)")
            #expect(said.output.contains("12 authenticators"), "\(said.output)")
        }
    }

    /// Runs a Python program of this folder to its end.
    static func run(_ name: String, _ arguments: String...) async throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(python))
        process.arguments =
            [
                "-B", URL(filePath: #filePath).deletingLastPathComponent().appending(path: name).path(),
            ] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let said = await ServerProcess.readAll(output)
        process.waitUntilExit()
        return (process.terminationStatus, said)
    }
}
