import RejoinServer
import SeededRandom
import Testing

@Suite struct JSONPiecesTests {
    /// What is cut off, fed in pieces of a size.
    private func cut(_ text: String, by size: Int = .max, maximumSize: Int = 1000) -> [String] {
        var pieces = JSONPieces(maximumSize: maximumSize)
        var cut: [String] = []
        func note(_ piece: JSONPieces.Piece) {
            switch piece {
            case .value(let bytes): cut.append(String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace })
            case .tooLarge: cut.append("too large")
            case .cutShort: cut.append("cut short")
            }
        }
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: min(size, max(1, bytes.count))) {
            pieces.feed(Array(bytes[start..<min(bytes.count, size == .max ? bytes.count : start + size)]), note)
        }
        pieces.finish(note)
        return cut
    }

    private static let texts: [(String, [String])] = [
        ("[]", []), ("", []), ("  \n", []), ("[ ]\n", []),
        (#"[{"a":1},{"b":[2,{}]}]"#, [#"{"a":1}"#, #"{"b":[2,{}]}"#]),
        (#"{"a":"]}\"\\"}"#, [#"{"a":"]}\"\\"}"#]),
        ("{}\n{}\n\n{\"a\":\n1}", ["{}", "{}", "{\"a\":1}"]),
        ("\u{FEFF}[1, \"x,y\", null]", ["1", "\"x,y\"", "null"]),
        (#"[{"a":1},{"b":"#, [#"{"a":1}"#, "cut short"]),
        (#"[{"a":1}"#, [#"{"a":1}"#, "cut short"]),
        (#"[{"a":"open"#, ["cut short"]),
        ("1\n2\n", ["1", "2"]), ("nonsense", ["nonsense"]),
        ("[{\"a\":\"" + String(repeating: "x", count: 2000) + "\"},{\"b\":2}]", ["too large", #"{"b":2}"#]),
    ]

    @Test(arguments: [1, 2, 3, 7, Int.max])
    func `cuts the outermost values, whatever the size of the pieces they come in`(size: Int) {
        for (text, expected) in Self.texts { #expect(cut(text, by: size) == expected, "\(text.prefix(40))") }
    }

    @Test func `random bytes never trap, and cut alike in any pieces`() {
        var random = SeededGenerator(seed: 24)
        let alphabet = Array("[]{},:\"\\ \n1aé".utf8)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? 0x20
            }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(cut(text, by: 1) == cut(text))
        }
    }
}
