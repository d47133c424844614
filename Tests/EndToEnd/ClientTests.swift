import Foundation
import RejoinCore
import TestSupport
import Testing

/// Clients that are not ours, and our own commands as processes, against the real server.
@Suite(.timeLimit(.minutes(3))) struct ClientTests {
    private static let python = ProcessInfo.processInfo.environment["REJOIN_TEST_PYTHON"]

    @Test(
        "S37 the official OpenAI client works unchanged: streams, whole answers, usage, errors and retries",
        .enabled(if: python != nil, "REJOIN_TEST_PYTHON names no interpreter with the openai package"))
    func openAI() async throws {
        try await Household.open("paced-20-500", "echo-path", "hold-3", "error-500", "length-4", "close-3") { house in
            let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "openai_client.py").path()
            let process = Process()
            process.executableURL = URL(fileURLWithPath: try #require(Self.python))
            process.arguments = ["-B", script, "http://127.0.0.1:\(house.server.port)", house.ann.token]
            process.arguments?.append("http://127.0.0.1:\(house.upstream.port)")
            let output = Pipe()
            process.standardOutput = output
            process.standardError = output
            try process.run()
            let said = await ServerProcess.readAll(output)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "\(said)")
        }
    }

    @Test func `the line that the server prints for a terminal works as it is typed`() async throws {
        try await Household.open("paced-20-500") { house in
            let line = try #require(house.server.output.firstMatch(of: /In a terminal: +(rejoin .*)/)).1
            let process = house.server.make(["-c", "rejoin() { '\(ServerProcess.programs)/rejoin' \"$@\"; }; \(line)"])
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.standardError = FileHandle.nullDevice
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let said = await ServerProcess.readAll(output)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            #expect(said.hasPrefix("tok0 "))
        }
    }

    @Test("A25 ask goes on where it was over a killed server, says nothing twice, and its exit code tells the end")
    func askOverKill() async throws {
        try await Household.open("hold-20") { house in
            async let asked = house.server.rejoin("ask", "Hello", "--data", house.server.data)
            // The owner asks with the token that the server handed over, as a person on this machine would.
            #expect(await house.upstream.wait { $0.started == 1 })
            while try await !house.metric("rejoin_log_events_total 2") { try await Task.sleep(for: .milliseconds(5)) }
            try await house.crash()
            let result = try await asked
            #expect(result.status == 3)
            let said = result.output.dropLast()
            #expect(said.hasPrefix("tok0 ") && (0..<20).map { "tok\($0) " }.joined().hasPrefix(said))
        }
    }

    @Test("S05 ask writes the answer alone to standard output, whole, and ends with 0")
    func ask() async throws {
        try await Household.open("paced-20-500", "error-500", "filter-2") { house in
            let done = try await house.server.rejoin("ask", "Hello", "--data", house.server.data)
            #expect(done.status == 0)
            #expect(done.output == (0..<20).map { "tok\($0) " }.joined() + "\n")
            let failed = try await house.server.rejoin("ask", "Hi", "--model", "error-500", "--data", house.server.data)
            #expect(failed.status == 5 && failed.output.isEmpty && !failed.errors.isEmpty)
            let refused = try await house.server.rejoin("ask", "Hi", "--model", "filter-2", "--data", house.server.data)
            #expect(refused.status == 4)
            let nobody = try await house.server.rejoin(
                "ask", "Hi", "--server", "http://127.0.0.1:\(house.server.port)", environment: ["REJOIN_TOKEN": "x"])
            #expect(nobody.status == 77)
        }
    }

    @Test("S29 what stands in the way of a start is said in words, with its own exit code")
    func badStarts() async throws {
        try await Household.open("paced-1-1") { house in
            let taken = try ServerProcess()
            let port = try await taken.rejoin(
                "serve", "--data", taken.data, "--listen", "127.0.0.1:\(house.server.port)")
            #expect(port.status == 69 && port.errors.contains("127.0.0.1:\(house.server.port)"))
            let folder = try await house.server.rejoin(
                "serve", "--data", house.server.data, "--listen", "127.0.0.1:0")
            #expect(folder.status == 74 && folder.errors.contains("Another rejoin serve"), "\(folder)")
            let broken = try ServerProcess()
            try FileManager.default.createDirectory(atPath: broken.data, withIntermediateDirectories: true)
            try Data("this is no database, and never was one".utf8).write(
                to: URL(fileURLWithPath: broken.data + "/rejoinder.sqlite"))
            let notOurs = try await broken.rejoin("serve", "--data", broken.data, "--listen", "127.0.0.1:0")
            #expect(notOurs.status == 74 && notOurs.errors.contains("not a database of rejoin"))
            let typo = try ServerProcess()
            try #"{ defualt_model: "x" }"#.write(toFile: typo.folder + "/c.json5", atomically: true, encoding: .utf8)
            let settings = try await typo.rejoin("serve", "--data", typo.data, "--config", typo.folder + "/c.json5")
            #expect(settings.status == 78 && settings.errors.contains(#"did you mean "default_model""#))
        }
    }

    @Test("S29 a missing or truncated model is said at the start and to who asks, and nothing else is harmed")
    func badModel() async throws {
        let server = try ServerProcess(
            configuration: #"{ models: [{ name: "gone", kind: "llama", path: "/nonexistent.gguf" }], titles: "off" }"#)
        try await server.start()
        let web = TestClient(port: server.port)
        let token = try await server.rejoin("account", "add", "ann", "--data", server.data).output
        let ann = TestClient.Device(token: token.trimmingCharacters(in: .whitespacesAndNewlines))
        let draft = web.draft("Hello")
        let reply = try await web.put(draft, ann)
        if reply.status == 201 {
            #expect(try await web.fold(draft.answer, ann).state.end == Event.End(.failed, .modelUnavailable))
        } else {
            #expect(reply.problem?.kind == .modelUnavailable)
        }
        #expect(try await web.send("GET", "/health", nil).status == 200)
        #expect(await server.stop() == 0)
    }
}
