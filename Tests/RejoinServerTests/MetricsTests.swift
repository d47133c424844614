import Foundation
import RejoinCore
import TestSupport
import Testing

@testable import RejoinServer

@Suite(.timeLimit(.minutes(1))) struct MetricsTests {
    private static let promtool = "/usr/bin/promtool"

    private let model = ScriptedModel { _ in
        [
            .piece(.text("one")), .piece(.usage(Event.Usage(inputTokens: 5, outputTokens: 3, isEstimated: false))),
            .end(.finished(.complete)),
        ]
    }

    /// What a server shows that has answered something.
    private func figures(_ look: (String) throws -> Void) async throws {
        try await APIHarness.run(model) { server in
            let ann = try await server.device("ann")
            let draft = server.web.draft("Hello")
            _ = try await server.web.put(draft, ann)
            _ = try await server.web.fold(draft.answer, ann)
            _ = try await server.web.send("GET", "/nowhere", nil)
            try look(String(decoding: try await server.web.send("GET", "/metrics", nil).body, as: UTF8.self))
        }
    }

    @Test(
        "S36 Prometheus's own tool has nothing to say against the figures",
        .enabled(if: FileManager.default.isExecutableFile(atPath: promtool), "promtool is not installed"))
    func checked() async throws {
        try await figures { text in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: Self.promtool)
            process.arguments = ["check", "metrics"]
            let (given, said) = (Pipe(), Pipe())
            process.standardInput = given
            process.standardOutput = said
            process.standardError = said
            try process.run()
            try given.fileHandleForWriting.write(contentsOf: Data(text.utf8))
            try given.fileHandleForWriting.close()
            let words = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0 && words.isEmpty, "\(words)")
        }
    }

    @Test("S36 the page about figures has each one, with its kind, and no other")
    func page() async throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/metrics.md")
        let page = try String(contentsOf: file.standardizedFileURL, encoding: .utf8)
        let listed = Set(page.matches(of: /(?m)^\| `(\w+)` \| (\w+) \|/).map { "\($0.1) \($0.2)" })
        try await figures { text in
            let shown = Set(text.matches(of: /(?m)^# TYPE (\w+) (\w+)$/).map { "\($0.1) \($0.2)" })
            #expect(listed == shown)
        }
    }

    @Test("S36 what a model does is told under the conventions' names, by model, and an estimate is not told as usage")
    func models() async throws {
        try await figures { text in
            let labels = #"gen_ai_operation_name="chat",gen_ai_request_model="scripted""#
            #expect(text.contains("gen_ai_server_time_to_first_token_seconds_count{\(labels)} 1\n"))
            #expect(text.contains("gen_ai_server_request_duration_seconds_bucket{\(labels),le=\"+Inf\"} 1\n"))
            #expect(text.contains("gen_ai_client_token_usage_sum{\(labels),gen_ai_token_type=\"input\"} 5.0\n"))
            #expect(
                text.contains("gen_ai_client_token_usage_bucket{\(labels),gen_ai_token_type=\"output\",le=\"4.0\"} 1\n")
            )
        }
        let metrics = Metrics()
        metrics.ended(.stopped, model: "m", usage: Event.Usage(inputTokens: 1, outputTokens: 1, isEstimated: true))
        #expect(!metrics.text(with: []).contains("gen_ai_client_token_usage_sum{"))
        #expect(metrics.text(with: []).contains(#"rejoin_answers_ended_total{state="stopped"} 1"#))
    }
}
