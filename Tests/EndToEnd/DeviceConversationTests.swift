import Foundation
import RejoinCore
import TestSupport
import Testing

@testable import RejoinClient

/// The real command with a real model in its own process, and a server that is there or not.
@Suite(
    .serialized, .timeLimit(.minutes(5)),
    .enabled(if: Tool.model != nil, "no model in models/ and none named by REJOIN_TEST_MODEL"))
struct DeviceConversationTests {
    private let model = Tool.model ?? ""

    /// The conversations that the server lists.
    private func listed(_ house: Household) async throws -> [JSONObject] {
        let reply = try await house.direct.send("GET", "/v1/conversations", house.ann)
        return (reply.json["items"]?.array ?? []).compactMap(\.object)
    }

    @Test("A27 A33 with the server killed the device answers, and the server is given both once it is back")
    func airplane() async throws {
        try await Household.open("n3") { (house) async throws in
            let server = house.server
            let address = ["--server", "http://127.0.0.1:\(server.port)"]
            let token = ["REJOIN_TOKEN": house.ann.token]
            let (port, runs) = (server.port, house.upstream.requests.count)
            await server.kill()
            let asked = try await server.rejoin(
                ["ask", "Say hello", "--device-model", model] + address, environment: token)
            #expect(asked.status == 0, "\(asked.errors)")
            #expect(!asked.output.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty)
            #expect(asked.errors.contains("answered on this device by"))
            try await server.start(port: port)
            // Whatever is said next through the store of this device takes the rest along.
            let next = try await server.rejoin(
                ["ask", "Say hello again", "--mode", "automatic", "--device-model", model] + address,
                environment: token)
            #expect(next.status == 0, "\(next.errors)")
            let found = try await listed(house)
            #expect(Set(found.compactMap { $0["title"]?.string }) == ["Say hello", "Say hello again"])
            for line in found {
                let id = try #require(line["id"]?.string)
                let tree = try await house.direct.send("GET", "/v1/conversations/\(id)", house.ann).json
                let answer = tree["turns"]?.array?.first?.object?["answers"]?.array?.first?.object
                #expect(answer?["placement"]?.string == "device")
                #expect(answer?["state"]?.string == "done")
            }
            #expect(house.upstream.requests.count == runs)
        }
    }

    @Test("A28 what the device cannot do is refused before it is sent, with the reason and an exit code of its own")
    func beyond() async throws {
        let server = try ServerProcess()
        let long = String(repeating: "many words ", count: 3000)
        let refused = try await server.rejoin(
            ["ask", "-", "--mode", "automatic", "--device-model", model, "--server", "http://127.0.0.1:9"],
            input: long, environment: ["REJOIN_TOKEN": "t"])
        #expect(refused.status == 69)
        #expect(refused.errors.contains("too long for the model"), "\(refused.errors)")
        let nothing = try await server.rejoin(["ask", "Hello", "--mode", "on-device", "--data", server.data])
        #expect(nothing.status == 69)
        #expect(nothing.errors.contains("this device cannot answer it"), "\(nothing.errors)")
    }

    @Test(
        "R23 in the mode on-device the real command talks without a packet and without a socket",
        .enabled(if: NetworkWatch.isPossible, "no unshare -n or no strace here"))
    func silent() async throws {
        let server = try ServerProcess()
        let seen = try await NetworkWatch.run(
            [
                "chat", "--mode", "on-device", "--device-model", model, "--server", "http://127.0.0.1:9",
            ], input: "Say hello\nAnd goodbye\n", environment: ["REJOIN_TOKEN": "t"], in: server)
        #expect(seen.status == 0, "\(seen.errors)")
        #expect(seen.packets == 0)
        #expect(seen.calls == [])
        #expect(seen.errors.contains("kept here alone"), "\(seen.errors)")
    }

    @Test("A08 a client that is killed in the middle leaves an interrupted answer with its words")
    func killed() async throws {
        let server = try ServerProcess()
        let words = ["ask", "Tell me a very long story.", "--mode", "on-device", "--device-model", model]
        let process = server.make(words)
        let out = Pipe()
        process.standardOutput = out
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        var seen = Data()
        while seen.count < 40 {
            let more = out.fileHandleForReading.availableData
            if more.isEmpty { break }
            seen += more
        }
        // Long enough for what was shown to be in the store.
        try await Task.sleep(for: .milliseconds(600))
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        let again = try await server.rejoin(["ask", "Hi", "--mode", "on-device", "--device-model", model])
        #expect(again.status == 0, "\(again.errors)")
        let folder = server.folder + "/.local/share/rejoin"
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(".sqlite") })
        let account = try #require(AccountID(String(name.dropLast(".sqlite".count))))
        let store = try await LocalStore.open(folder: folder, account: account)
        var interrupted: [StoredAnswer] = []
        for line in try await store.list() {
            let tree = try #require(try await store.conversation(line.id))
            interrupted += tree.answers.values.filter { $0.answer.state.end?.state == .interrupted }
        }
        let cut = try #require(interrupted.first)
        #expect(interrupted.count == 1)
        #expect(cut.answer.model?.placement == .device)
        #expect(cut.answer.text.utf8.count >= 30)
        await store.close()
    }
}
