import RejoinAssist
import RejoinCore
import TestSupport
import Testing

@testable import RejoinServer

@Suite(.timeLimit(.minutes(1))) struct AssistReviewTests {
    private let silent = ScriptedModel { _ in [.end(.finished(.complete))] }

    private func review(
        _ name: String, _ body: String, _ expect: @Sendable (TestClient.Reply) throws -> Void
    ) async throws {
        try await APIHarness.run(silent) { server in
            let ann = try await server.device("ann")
            try expect(try await server.web.send("POST", "/v1/assist/\(name)/review", ann, json: body))
        }
        // A review asks no model.
        #expect(silent.requests.isEmpty)
    }

    @Test func `a rewrite is shown word by word`() async throws {
        let body = #"{"request":{"text":"the old words","tone":"plain"},"output":"{\"text\":\"the new words\"}"}"#
        try await review("rewrite", body) { reply in
            #expect(reply.status == 200)
            #expect(reply.json["risky"]?.bool == false)
            let change = try #require(reply.json["changes"]?.array?.first?.object)
            #expect(change["before"]?.string == "the old words")
            #expect(change["after"]?.string == "the new words")
            let kinds = change["parts"]?.array?.compactMap { $0.object?["kind"]?.string }
            #expect(kinds == ["same", "removed", "added", "same"])
        }
    }

    @Test func `a value that a person writes is validated like a model's`() async throws {
        func body(_ edits: String) -> String {
            #"""
            {"request":{"text":"Cafe, 12.50 EUR, 2026-03-01","schema":"extract.expense"},"edits":\#(edits),
             "output":"{\"merchant\":\"Cafe\",\"total\":\"12.50 EUR\",\"date\":\"2026-03-01\"}"}
            """#
        }
        try await review("extract.expense", body(#"{"date":"2026-02-30","total":"13,50 EUR"}"#)) { reply in
            #expect(reply.json["risky"]?.bool == true)
            #expect(reply.json["refused"]?.object?["date"]?.string == "impossibleValue")
            #expect(reply.json["refused"]?.object?["total"] == nil)
            let changes = try #require(reply.json["changes"]?.array)
            func after(_ name: String) -> String? {
                changes.first { $0.object?["id"]?.string == name }?.object?["after"]?.string
            }
            #expect(after("date") == "2026-03-01")
            #expect(after("total")?.contains("13.50") == true)
        }
    }

    @Test func `words that do not stand up to validation are a failure, and a request that is none is refused`()
        async throws
    {
        let request = #""request":{"items":[{"id":"0","title":"a"}],"groups":[{"id":"x","title":"x","examples":[]}]}"#
        try await review("classify", "{\(request),\"output\":\"no JSON\"}") { reply in
            #expect(reply.json["failure"]?.string == "undecodable")
        }
        try await review("classify", #"{"request":{"items":[]},"output":"{}"}"#) { reply in
            #expect(reply.problem?.kind == .invalidRequest)
        }
        try await review("nowhere", "{}") { reply in #expect(reply.problem?.kind == .notFound) }
        try await review("classify", "{\(request),\"output\":\"{}\",\"edits\":{\"0\":7}}") { reply in
            #expect(reply.problem?.kind == .invalidRequest)
        }
    }
}
