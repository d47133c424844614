import Foundation
import RejoinCore
import Rehearsal
import TestSupport
import Testing

/// `rejoin probe` as a person types it.
@Suite(.timeLimit(.minutes(2))) struct ProbeCommandTests {
    @Test("P29.6 the exit code says whether all came out as decided, and both worksheets are written")
    func exitCode() async throws {
        let upstream = try ScriptedUpstream()
        defer { upstream.stop() }
        let machine = try ServerProcess()
        let (page, data) = (machine.folder + "/probes.md", machine.folder + "/probes.json")
        let good = try await machine.rejoin(
            "probe", "--openai", upstream.baseURL, "--model", "paced-40-40", "--only", "P29.6,P50.1", "--worksheet",
            page, "--json", data)
        #expect(good.status == 0, "\(good)")
        #expect(good.output.hasSuffix("1 as decided, 1 not offered\n"))
        #expect(try String(contentsOfFile: page, encoding: .utf8).contains("## P29.6 Response shape: as decided"))
        let json = try JSONReader.parse(Array(Data(contentsOf: URL(filePath: data))))
        #expect(json.object?["acceptable"]?.bool == true)
        let bad = try await machine.rejoin(
            "probe", "--openai", upstream.baseURL, "--model", "short", "--only", "P29.6")
        #expect(bad.status == 1 && bad.output.contains("it came in"), "\(bad)")
        let nobody = try await machine.rejoin(
            "probe", "--openai", "http://127.0.0.1:1/v1", "--model", "short", "--only", "P29.6")
        #expect(nobody.status == 1 && nobody.output.contains("broke off"), "\(nobody)")
        let away = try await machine.rejoin("probe", "--target", "http://127.0.0.1:1", "--token", "x")
        #expect(away.status == 69 && away.errors.hasPrefix("rejoin: "), "\(away)")
        try await machine.start()
        let stranger = try await machine.rejoin(
            "probe", "--target", "http://127.0.0.1:\(machine.port)", "--token", "x")
        #expect(stranger.status == 77, "\(stranger)")
        #expect(await machine.stop() == 0)
    }

    @Test(
        "P50.1 a command line that cannot be meant is refused",
        arguments: [
            (["--only", "P99"], "--only names probes"), (["--target", "http://127.0.0.1:1"], "needs --token"),
            (["--openai", "http://127.0.0.1:1"], "needs --model"), (["--target", "here"], "is an address"),
            (["--target", "http://h", "--openai", "http://h"], "exclude each other"),
        ])
    func refusals(words: [String], why: String) async throws {
        let machine = try ServerProcess()
        let process = machine.make(["probe"] + words)
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        let said = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
        #expect(process.terminationStatus == 64 && said.contains(why), "\(said)")
    }
}
