import Foundation
import TestSupport
import Testing

/// What the assistant's commands send, counted by the kernel: in a network of their own, where every packet is theirs, and
/// by the calls that they make.
@Suite(.serialized, .timeLimit(.minutes(5))) struct PacketCountTests {
    private static let commands: [(words: [String], input: String)] = [
        (["rewrite", "-", "--tone", "formal"], "hey tom, cant make it at 3 tomorrow"),
        (["classify", "-", "--groups", "GROUPS"], "title\nSoap\nMilk\n"),
        (["extract", "-"], "Corner Bakery\n3 March 2026\nTOTAL 5.00 EUR\n"),
    ]

    @Test(
        "R18 R23 in the mode on-device the real commands send no packet and open no socket",
        .enabled(if: Tool.model != nil, "no model in models/ and none named by REJOIN_TEST_MODEL"),
        .enabled(if: NetworkWatch.isPossible, "no unshare -n or no strace here"),
        arguments: commands.indices)
    func silent(command: Int) async throws {
        let server = try ServerProcess()
        let (words, input) = Self.commands[command]
        let model = try #require(Tool.model)
        let seen = try await NetworkWatch.run(
            words + ["--mode", "on-device", "--model-file", model, "--server", "http://127.0.0.1:9"], input: input,
            environment: ["REJOIN_TOKEN": "t"], in: server)
        #expect(seen.packets == 0)
        #expect(seen.calls == [])
        // It ran, and not only failed before it could send anything.
        #expect([0, 3, 4, 5].contains(seen.status), "\(seen.status)")
    }

    @Test(
        "R18 the counters see a command that may ask the server",
        .enabled(if: NetworkWatch.isPossible, "no unshare -n or no strace here"))
    func control() async throws {
        let server = try ServerProcess()
        let address = "http://127.0.0.1:9"
        #expect(try await server.rejoin("consent", "grant", address).status == 0)
        let (words, input) = Self.commands[1]
        let seen = try await NetworkWatch.run(
            words + ["--mode", "cloud", "--server", address, "--data", server.data], input: input,
            environment: ["REJOIN_TOKEN": "t"], in: server)
        #expect(seen.packets > 0)
        #expect(seen.calls.contains { $0.contains("connect(") })
        #expect(seen.status == 69)
    }
}
