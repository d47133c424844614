import RejoinAssist
import RejoinCore
import SeededRandom
import Testing

@Suite struct PreviewTests {
    private let task = ModelTask(
        instructions: "", prompt: "", schema: .object([.init("text", .string(upTo: 100))]), displayField: "text",
        maximumTokens: 10)

    private static let values = [
        #"plain"#, #"quote \" slash \\ \/ line \n tab \t"#, #"\u00e9 \uD83D\uDE00 \u0041"#, "é 漢 👩‍👩‍👧", "",
        #"} ] { [ , :"#,
    ]

    @Test(
        "R53 whatever is before, around and behind the display field, and wherever it is cut, the preview is its text")
    func everyCut() throws {
        var generator = SeededGenerator(seed: 53)
        for value in Self.values {
            let expected = try JSONReader.parse(Array("\"\(value)\"".utf8)).string
            for frame in [
                "{\"text\": \"@\"}",
                "```json\n{ \"a\" : {\"text\": \"no\"}, \"b\": [\"text\", {\"text\":\"no\"}], \"text\" :\"@\", \"c\": \"text\"}\n```",
                "Sure: {\"te\\u0078t\":\"@\",\"text\":\"second\"}", "{\"x\":\"text\",\"y\":null,\"text\":\"@",
            ] {
                let bytes = Array(frame.replacing("@", with: value).utf8)
                for _ in 0..<40 {
                    var preview = Preview(of: task)
                    var rest = bytes[...]
                    var shown = ""
                    while !rest.isEmpty {
                        let count = Int.random(in: 1...4, using: &generator)
                        preview.append(rest.prefix(count))
                        rest = rest.dropFirst(count)
                        #expect(preview.text.utf8.starts(with: shown.utf8))
                        #expect(!preview.text.contains("\u{FFFD}"))
                        shown = preview.text
                    }
                    #expect(preview.text == expected, "\(frame)")
                }
            }
        }
    }

    @Test("R53 an operation without a display field shows nothing of an object, and plain text as it comes")
    func others() {
        var nothing = Preview(of: Classify.task(for: Samples.classify))
        nothing.append(#"{"1": "Food"}"#)
        #expect(nothing.text.isEmpty)
        var plain = Preview(of: ModelTask(instructions: "", prompt: "", maximumTokens: 1))
        plain.append([0x61, 0xC3])
        #expect(plain.text == "a")
        plain.append([0xA9])
        #expect(plain.text == "aé")
    }

    @Test("R53 nothing traps on bytes that are no JSON")
    func anything() {
        var generator = SeededGenerator(seed: 3)
        let samples = Array("{}[]\":,\\ud8DtexX\"\"{\u{7}é".utf8) + [0xFF, 0xC3, 0xF0, 0x80]
        for _ in 0..<20_000 {
            var preview = Preview(of: task)
            preview.append((0..<30).map { _ in samples.randomElement(using: &generator) ?? 0 })
            preview.append(#"{"text":"\ud800"#.utf8)
        }
    }
}
