import RejoinCore
import TestSupport
import Testing

@testable import RejoinServer

/// Puts a word into every place of every request, and looks for it where no word of anybody belongs.
@Suite(.timeLimit(.minutes(1))) struct CanaryTests {
    private static let word = "canary-4711"

    private let model = ScriptedModel { _ in
        [.piece(.text("\(word) said the model")), .end(.finished(.complete))]
    }

    /// Bodies that some routes take, and that all others refuse.
    private func bodies(_ draft: TestClient.Draft) -> [String] {
        let word = Self.word
        let text = #"[{"type":"text","text":"\#(word)"}]"#
        return [
            #"{"answer":"\#(draft.answer)","content":\#(text),"name":"\#(word)","password":"\#(word)","device":"\#(word)"}"#,
            #"{"title":"\#(word)","q":"\#(word)","kind":"export","messages":[{"role":"user","content":"\#(word)"}]}"#,
            #"{"text":"\#(word)","tone":"formal","options":{"\#(word)":1},"model":"\#(word)"}"#,
            #"{"\#(word)": \#(word)"#, word,
        ]
    }

    @Test("S36 what a request holds is in no log line and no figure, on any route", arguments: [true, false])
    func everywhere(_ isSignedIn: Bool) async throws {
        try await APIHarness.run(model) { server in
            let ann = try await server.device("ann")
            let device = isSignedIn ? ann : nil
            var answered = 0
            for route in Route.allCases {
                let draft = server.web.draft(Self.word)
                let places = ["conversation": draft.conversation.description, "turn": draft.turn.description]
                for isNamed in [true, false] {
                    var path = String(route.pattern)
                    for segment in path.split(separator: "/") where segment.hasPrefix("{") {
                        let place = String(segment.dropFirst().dropLast())
                        let id = places[place] ?? (place == "operation" ? "rewrite" : draft.answer.description)
                        path = path.replacing(segment, with: isNamed ? Self.word : id)
                    }
                    path += "?q=\(Self.word)&code=\(Self.word)&before=\(Self.word)"
                    for body in bodies(draft) {
                        let hasBody = route.method != "GET"
                        let reply = try await server.web.send(
                            String(route.method), path, device, body: hasBody ? Array(body.utf8) : nil,
                            fields: [
                                ("User-Agent", Self.word), ("Idempotency-Key", Self.word), ("If-Match", "\"0\""),
                                ("X-Rejoin-Client", Self.word), ("Referer", "https://\(Self.word).example/"),
                            ])
                        #expect(reply.status < 500, "\(route.rawValue) \(body)")
                        answered += 1
                        if !hasBody { break }
                    }
                }
            }
            #expect(answered > Route.allCases.count)
            for line in server.logged.split(separator: "\n") { #expect(!line.contains(Self.word)) }
            #expect(!server.logged.contains(ann.token))
            let figures = String(decoding: try await server.web.send("GET", "/metrics", nil).body, as: UTF8.self)
            #expect(!figures.contains(Self.word) && !figures.contains(ann.token))
        }
    }
}
