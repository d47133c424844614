import Foundation
import RejoinCore
import TestSupport
import Testing

/// The program that the README shows, as a process of its own against the real server.
@Suite(.timeLimit(.minutes(3))) struct ExampleTests {
    private func start(_ house: Household, _ folder: String, output: Pipe) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: ServerProcess.programs + "/keep-the-answer")
        process.arguments = ["http://127.0.0.1:\(house.server.port)", house.ann.token, folder, "Hello"]
        process.standardOutput = output
        try process.run()
        return process
    }

    private func text(of pipe: Pipe) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let said = pipe.fileHandleForReading.readDataToEndOfFile()
                continuation.resume(returning: String(decoding: said, as: UTF8.self))
            }
        }
    }

    @Test("A07 A08 A25 the README's program sends, shows, is killed, and comes back complete, having sent once")
    func killed() async throws {
        try await Household.open("hold-20") { house in
            let folder = house.server.folder + "/example"
            let first = Pipe()
            let process = try start(house, folder, output: first)
            // It has shown something, and there is more to come.
            let begun = await withCheckedContinuation { continuation in
                Thread.detachNewThread { continuation.resume(returning: first.fileHandleForReading.availableData) }
            }
            #expect(!begun.isEmpty)
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            #expect(process.terminationReason == .uncaughtSignal)
            house.upstream.release()

            let second = Pipe()
            let again = try start(house, folder, output: second)
            let said = await text(of: second)
            again.waitUntilExit()
            #expect(again.terminationStatus == 0)
            #expect(said == (0..<20).map { "tok\($0) " }.joined() + "released\n")
            #expect(house.upstream.started == 1)
        }
    }

    @Test("R61 the README's feature proposes, shows, and saves what was accepted")
    func feature() async throws {
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: ServerProcess.programs + "/rewrite-a-note")
        process.standardOutput = output
        try process.run()
        let said = await text(of: output)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(said.contains("Runs on this device."))
        #expect(said.hasSuffix("saved: Good morning, everyone. I will be late today.\n"))
    }
}
