import Foundation
import TestSupport
import Testing

/// The real server, held to its own description by a tool that knows nothing else of it.
@Suite(.timeLimit(.minutes(30))) struct DescriptionTests {
    private static let python = ProcessInfo.processInfo.environment["REJOIN_TEST_PYTHON"]
    /// How long requests are generated, or 0 for a number of them; `scripts/fuzz-description` takes longer.
    private static let seconds = ProcessInfo.processInfo.environment["REJOIN_TEST_DESCRIPTION_SECONDS"] ?? "0"

    @Test(
        "S30 generated requests find no answer that is not described, and none of 500 and more",
        .enabled(if: python != nil, "REJOIN_TEST_PYTHON names no interpreter with schemathesis"))
    func generated() async throws {
        try await Household.open("paced-3-1000", "reasoning-2", "length-2", "filter-2") { house in
            func account(_ name: String) async throws -> String {
                let added = try await house.server.rejoin("account", "add", name, "--data", house.server.data)
                return added.output.trimmingCharacters(in: .whitespacesAndNewlines)
            }
            let other = try await account("other")
            var spare: [String] = []
            for number in 1...6 { spare.append(try await account("spare \(number)")) }
            let script = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "description_fuzz.py").path()
            let process = Process()
            process.executableURL = URL(fileURLWithPath: try #require(Self.python))
            let address = "http://127.0.0.1:\(house.server.port)"
            process.arguments = ["-B", script, address, Self.seconds, "30", house.ann.token, other] + spare
            let output = Pipe()
            process.standardOutput = output
            process.standardError = output
            try process.run()
            let said = await ServerProcess.readAll(output)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "\(said)")
            #expect(house.server.isRunning)
            #expect(!house.server.errors.contains(#""note":"internal""#), "\(house.server.errors)")
        }
    }
}
