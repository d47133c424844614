import HTTPClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ScriptedUpstreamTests {
    let client = HTTPClient()

    private func call(
        _ upstream: ScriptedUpstream, _ method: String = "POST", _ path: String = "/v1/chat/completions",
        model: String = "x"
    ) async throws -> String {
        let body = method == "POST" ? Array("{\"model\":\"\(model)\",\"messages\":[]}".utf8) : nil
        let url = "http://127.0.0.1:\(upstream.port)\(path)"
        let response = try await client.send(HTTPClientRequest(method, url: url, body: body))
        return String(decoding: try await response.collect(limit: 1 << 22), as: UTF8.self)
    }

    @Test func `reads scripts from a file and plays them byte for byte`() async throws {
        let file = #"""
            {"one": {"status": 201, "fields": {"X-A": "b"}, "framing": "until-close", "steps": [
                {"send": "raw "}, {"hex": "e4b8 96"}, {"wait": 1}, {"send": "cut up", "size": 2}, {"close": true}]},
             "two": {"steps": [{"text": "a"}, {"reasoning": "r"}, {"event": "{}"}, {"finish": "stop"},
                {"usage": [1, 2]}, {"done": true}, {"end": true}]}}
            """#
        let upstream = try ScriptedUpstream(scripts: try Script.scripts(json: Array(file.utf8)))
        #expect(try await call(upstream, model: "one") == "raw 世cut up")
        let two = try await call(upstream, model: "two")
        #expect(two.contains(#""delta":{"content":"a"}"#))
        #expect(two.contains(#""delta":{"reasoning_content":"r"}"#))
        #expect(two.hasSuffix("data: [DONE]\n\n"))
    }

    @Test(arguments: [
        "[]", #"{"a": 1}"#, #"{"a": {"steps": [{"jump": 1}]}}"#, #"{"a": {"steps": [{"hex": "0"}]}}"#,
        #"{"a": {"framing": "x", "steps": []}}"#,
    ])
    func `refuses a file that it could not play`(file: String) {
        #expect(throws: ScriptFailure.self) { try Script.scripts(json: Array(file.utf8)) }
    }

    @Test func `counts what was asked, and who left`() async throws {
        let upstream = try ScriptedUpstream()
        _ = try await call(upstream)
        let response = try await client.send(
            HTTPClientRequest("POST", url: upstream.baseURL + "/x", body: Array(#"{"model":"hold-1"}"#.utf8)))
        _ = try await response.nextPiece()
        response.cancel()
        #expect(await upstream.wait { $0.aborted == 1 })
        #expect(upstream.finished == 1)
        #expect(upstream.requests.map(\.model) == ["x", "hold-1"])
        #expect(upstream.requests[0].finishedAt != nil && upstream.requests[0].abortedAt == nil)
        #expect(upstream.requests[1].finishedAt == nil && upstream.requests[1].abortedAt != nil)
        let stats = try await call(upstream, "GET", "/stats")
        #expect(stats.contains(#""started":2,"finished":1,"aborted":1,"open":0"#))
        #expect(stats.contains(#""body":{"model":"hold-1"}"#))
        #expect(try await !call(upstream, "GET", "/stats?brief").contains("body"))
        _ = try await call(upstream, "POST", "/reset")
        #expect(upstream.started == 0)
        #expect(try await call(upstream, "GET", "/v1/models").contains(#""id":"paced-200-20""#))
    }

    @Test func `paces its pieces`() async throws {
        let upstream = try ScriptedUpstream()
        let start = ContinuousClock.now
        let body = try await call(upstream, model: "paced-11-100")
        #expect(start.duration(to: .now) >= .milliseconds(100))
        #expect(body.contains("tok10 ") && !body.contains("tok11 "))
    }

    @Test func `is released from outside`() async throws {
        let upstream = try ScriptedUpstream()
        let body = Task { try await call(upstream, model: "hold-1") }
        #expect(await upstream.wait { $0.started == 1 })
        _ = try await call(upstream, "POST", "/release")
        #expect(try await body.value.contains("released"))
    }
}
