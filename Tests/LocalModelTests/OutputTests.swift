import Testing

@testable import LocalModel

@Suite struct UTF8AssemblerTests {
    private let text = "aé€😀 日本 👩‍👩‍👧 z"

    @Test(arguments: 1...7)
    func `gives the same text however the bytes are cut`(size: Int) {
        var assembler = UTF8Assembler()
        let bytes = Array(text.utf8)
        var pieces: [String] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            pieces.append(assembler.append(Array(bytes[start..<min(start + size, bytes.count)])))
        }
        #expect(pieces.joined() == text)
        #expect(!pieces.joined().unicodeScalars.contains("\u{FFFD}"))
    }

    @Test func `half a character at the end never comes out`() {
        var assembler = UTF8Assembler()
        #expect(assembler.append([0x61, 0xF0, 0x9F]) == "a")
        #expect(assembler.append([0x98]) == "")
    }

    @Test(arguments: [[0xFF], [0xC0, 0x80], [0x80, 0x80, 0x80, 0x80], [0xE2, 0x28], [0xF8, 0x88]] as [[UInt8]])
    func `bytes that are no character are replaced, not held`(bytes: [UInt8]) {
        var assembler = UTF8Assembler()
        let text = assembler.append(bytes) + assembler.append([0x61])
        #expect(text.hasSuffix("a"))
        #expect(text.unicodeScalars.contains("\u{FFFD}"))
    }
}

@Suite struct StopScannerTests {
    private func scan(_ pieces: [String], stops: [String]) -> (text: String, isStopped: Bool) {
        var scanner = StopScanner(stops)
        var text = ""
        for piece in pieces {
            let (safe, isStopped) = scanner.append(piece)
            text += safe
            if isStopped { return (text, true) }
        }
        return (text + scanner.finish(), false)
    }

    @Test func `finds a stop text that comes letter by letter`() {
        let found = scan("before END after".map { String($0) }, stops: ["END"])
        #expect(found == ("before ", true))
    }

    @Test func `a false beginning comes out after all`() {
        #expect(scan(["one EN", "tire", " EN"], stops: ["END"]) == ("one ENtire EN", false))
    }

    @Test func `nothing of a stop text comes out before it is decided`() {
        var scanner = StopScanner(["\n\n"])
        #expect(scanner.append("line\n") == ("line", false))
        #expect(scanner.append("next") == ("\nnext", false))
    }

    @Test func `the earliest of several wins`() {
        #expect(scan(["a##b--c"], stops: ["--", "##"]) == ("a", true))
    }

    @Test func `overlapping beginnings are not missed`() {
        #expect(scan(["aa", "ab"], stops: ["aab"]) == ("a", true))
    }

    @Test func `empty stop texts stop nothing`() {
        #expect(scan(["abc"], stops: [""]) == ("abc", false))
    }
}
