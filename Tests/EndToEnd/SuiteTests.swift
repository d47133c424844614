import Foundation
import Testing

/// The client's own tests, as a process that has less than this one.
@Suite(.timeLimit(.minutes(5))) struct SuiteTests {
    @Test("A92 the client's whole suite runs without a network and a model, in under a minute")
    func suite() async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // A network of its own has nobody in it; where the system allows no such thing, the tests alone must do without.
        let script = """
            if unshare -rn true 2>/dev/null; then set -- unshare -rn "$@"; fi
            exec "$@"
            """
        process.arguments = [
            "-c", script, "sh", try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
            "--testing-library", "swift-testing", "--filter", #"^(RejoinClientTests|RejoinTestKitTests)\."#,
            // The one suite that is about the network, on this machine alone.
            "--skip", #"^RejoinClientTests\.CurlTransportTests/"#,
        ]
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("REJOIN_TEST_") }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        let start = ContinuousClock.now
        try process.run()
        let said = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let said = output.fileHandleForReading.readDataToEndOfFile()
                continuation.resume(returning: String(decoding: said, as: UTF8.self))
            }
        }
        process.waitUntilExit()
        let duration = start.duration(to: .now)
        #expect(process.terminationStatus == 0, "\(said.suffix(4000))")
        #expect(said.contains("Test run with"), "\(said.suffix(4000))")
        #expect(duration < .seconds(60), "it took \(duration)")
    }
}
