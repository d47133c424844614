import RejoinAssist
import RejoinCore
import SeededRandom
import Testing

@Suite struct JSONExtractionTests {
    @Test(
        "R32 the one object is found bare, in a fence and in prose",
        arguments: [
            #"{"a": "}{ \" \\"}"#, "```json\n{\"a\": \"}{ \\\" \\\\\"}\n```",
            "Sure, here it is:\n\n{\"a\": \"}{ \\\" \\\\\"}\n\nI hope that it's right.",
        ])
    func found(text: String) throws {
        #expect(try JSONExtraction.object(in: text)["a"] == .string("}{ \" \\"))
    }

    @Test(
        "R32 none, two, half of one and a member of a list are undecodable",
        arguments: [
            "", "no object", "[1, 2]", #"{"a": 1} {"a": 1}"#, "```\n{\"a\": 1}\n```\n```\n{\"b\": 1}\n```",
            #"{"a": {"b": 1}"#,
            #"{"a": "b}"#, #"{"a": 1"#, "{", "}", "{}}", #"[{"a": 1}]"#, #"[{"a": 1}"#, #"{"a": 1, "a": 2}"#,
            #"{'a': 1}"#,
            #"{"a": 1,}"#, #"Use {braces}: {"a": 1}"#, #"{"a": NaN}"#,
        ])
    func undecodable(text: String) {
        #expect(throws: ValidationFailure.undecodable) { try JSONExtraction.object(in: text) }
    }

    @Test("R32 every prefix of an object is undecodable")
    func prefixes() throws {
        let text = #"{"a": [1, {"b": "\u00e9\"}"}], "c": null}"#
        _ = try JSONExtraction.object(in: text)
        for count in 0..<text.utf8.count {
            let prefix = String(decoding: Array(text.utf8.prefix(count)), as: UTF8.self)
            #expect(throws: ValidationFailure.undecodable) { try JSONExtraction.object(in: prefix) }
        }
    }

    @Test("R32 hostile text takes time in proportion to its length", arguments: ["{", "{\"", "[{", "\\", "{\"a\":"])
    func hostile(piece: String) {
        func time(_ count: Int) -> Duration {
            let text = String(repeating: piece, count: count)
            return (0..<3).map { _ in
                ContinuousClock().measure { _ = try? JSONExtraction.object(in: text) }
            }.min() ?? .zero
        }
        _ = time(1000)
        let short = time(10_000)
        let long = time(200_000)
        // Twenty times the text; quadratic work would take four hundred times as long.
        #expect(long < max(short, .milliseconds(1)) * 150)
    }

    @Test("R32 nothing traps on any text")
    func anything() {
        var generator = SeededGenerator(seed: 32)
        let samples = ["{", "}", "[", "]", "\"", "\\", ":", ",", "a", "1", "-", "\n", " ", "é", "\u{0}", "e9"]
        for _ in 0..<20_000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...24, using: &generator) {
                text += samples.randomElement(using: &generator) ?? ""
            }
            _ = try? JSONExtraction.object(in: text)
            _ = try? Classify.draft(from: text, for: Samples.classify)
            _ = try? Extract<Expense>.draft(from: text, for: .init(text: ""))
        }
    }
}
