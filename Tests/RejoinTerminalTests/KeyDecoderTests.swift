import RejoinTerminal
import SeededRandom
import Testing

@Suite struct KeyDecoderTests {
    static func decode(_ text: String, timingOut: Bool = true) -> [Input] {
        decode(Array(text.utf8), timingOut: timingOut)
    }

    static func decode(_ bytes: [UInt8], timingOut: Bool = true) -> [Input] {
        var decoder = KeyDecoder()
        var inputs: [Input] = []
        for byte in bytes { decoder.feed(byte, into: &inputs) }
        if timingOut, decoder.isWaiting { decoder.timeOut(into: &inputs) }
        return inputs
    }

    static let keys: [(String, Key)] = [
        ("a", Key(.character("a"))), ("é", Key(.character("é"))), ("漢", Key(.character("漢"))),
        ("😀", Key(.character("😀"))),
        ("\r", Key(.enter)), ("\n", .control("j")), ("\t", Key(.tab)), ("\u{1B}[Z", Key(.tab, .shift)),
        ("\u{7F}", Key(.backspace)), ("\u{8}", .control("h")), ("\u{3}", .control("c")), ("\u{0}", .control(" ")),
        ("\u{1B}", Key(.escape)), ("\u{1B}\u{1B}", Key(.escape, .alt)), ("\u{1B}b", .alt("b")),
        ("\u{1B}\r", Key(.enter, .alt)), ("\u{1B}\u{7F}", Key(.backspace, .alt)), ("\u{1B}é", .alt("é")),
        ("\u{1B}[A", Key(.up)), ("\u{1B}OB", Key(.down)), ("\u{1B}[1;5C", Key(.right, .control)),
        ("\u{1B}[1;3D", Key(.left, .alt)), ("\u{1B}\u{1B}[D", Key(.left, .alt)), ("\u{1B}[H", Key(.home)),
        ("\u{1B}[4~", Key(.end)), ("\u{1B}[3;5~", Key(.delete, .control)), ("\u{1B}[5~", Key(.pageUp)),
        ("\u{1B}OP", Key(.function(1))), ("\u{1B}[15~", Key(.function(5))), ("\u{1B}[[A", Key(.function(1))),
        ("\u{1B}[24~", Key(.function(12))), ("\u{1B}[13;2u", Key(.enter, .shift)),
        ("\u{1B}[27;2;13~", Key(.enter, .shift)), ("\u{1B}[97;5u", .control("a")), ("\u{1B}O", .alt("O")),
        ("\u{1B}[", .alt("[")),
    ]

    @Test(arguments: keys.indices)
    func `keys are told by their bytes`(index: Int) {
        #expect(Self.decode(Self.keys[index].0) == [.key(Self.keys[index].1)])
    }

    @Test func `Escape alone waits for its time`() {
        var decoder = KeyDecoder()
        var inputs: [Input] = []
        decoder.feed(0x1B, into: &inputs)
        #expect(inputs.isEmpty)
        #expect(decoder.isWaiting)
        decoder.timeOut(into: &inputs)
        #expect(inputs == [.key(Key(.escape))])
        #expect(!decoder.isWaiting)
    }

    @Test(arguments: [
        "\u{1B}[?1;2c", "\u{1B}]11;rgb:0/0/0\u{7}", "\u{1B}]52;c;x\u{1B}\\", "\u{1B}P1$r\u{1B}\\", "\u{1B}[99~",
        "\u{1B}[>1u",
        "\u{1B}[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17x", "\u{1B}[<0;3;4M", "\u{1B}[I",
    ])
    func `what is not known is swallowed whole`(text: String) {
        #expect(Self.decode(text + "a") == [.key(Key(.character("a")))])
    }

    @Test func `bytes that are no character are left out`() {
        let bytes: [UInt8] = [0xFF, 0xC3, 0x61, 0xE2, 0x82, 0x62, 0xED, 0xA0, 0x80, 0xF4, 0x90, 0x80, 0x80, 0x63]
        #expect(Self.decode(bytes) == ["a", "b", "c"].map { .key(Key(.character($0))) })
    }

    @Test func `a paste is text, whatever it holds`() {
        let text = "two\nlines \u{1B}[A and\ttabs \u{3}\u{1B}[201"
        #expect(Self.decode("\u{1B}[200~" + text + "\u{1B}[201~x") == [.paste(text), .key(Key(.character("x")))])
        #expect(Self.decode("\u{1B}[200~\u{1B}[201~") == [])
    }

    @Test func `a large paste comes in pieces of whole characters`() {
        let text = String(repeating: "漢字e\u{301}\r\n", count: 20_000)
        var joined = ""
        let inputs = Self.decode("\u{1B}[200~" + text + "\u{1B}[201~")
        for input in inputs {
            guard case .paste(let piece) = input else {
                Issue.record("\(input) in a paste")
                continue
            }
            #expect(!piece.utf8.elementsEqual([0x0D]))
            joined.unicodeScalars.append(contentsOf: piece.unicodeScalars)
        }
        #expect(inputs.count > 5)
        #expect(joined.utf8.elementsEqual(text.utf8))
    }

    @Test func `a paste that pauses gives what is there and goes on`() {
        var decoder = KeyDecoder()
        var inputs: [Input] = []
        for byte in Array("\u{1B}[200~one".utf8) + [0xE6] { decoder.feed(byte, into: &inputs) }
        decoder.timeOut(into: &inputs)
        for byte in [0xBC, 0xA2] + Array("\u{1B}[201~".utf8) { decoder.feed(byte, into: &inputs) }
        #expect(inputs == [.paste("one"), .paste("漢")])
        #expect(!decoder.isWaiting)
    }

    @Test func `the wheel turns up and down`() {
        #expect(Self.decode("\u{1B}[<64;10;5M\u{1B}[<65;10;5M\u{1B}[<65;10;5m") == [.wheel(-1), .wheel(1)])
    }

    @Test(arguments: 0..<300)
    func `any bytes are bounded, and a quiet moment ends whatever began`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var decoder = KeyDecoder()
        var inputs: [Input] = []
        let likely: [UInt8] = [0x1B, 0x5B, 0x4F, 0x3B, 0x30, 0x32, 0x7E, 0xE6, 0x80, 0x3C, 0x4D, 0x75, 0x1B]
        for _ in 0..<200 {
            let byte =
                Bool.random(using: &generator)
                ? likely.randomElement(using: &generator) ?? 0 : UInt8.random(in: 0...255, using: &generator)
            decoder.feed(byte, into: &inputs)
        }
        decoder.timeOut(into: &inputs)
        for byte in "\u{1B}[201~".utf8 { decoder.feed(byte, into: &inputs) }
        decoder.timeOut(into: &inputs)
        inputs = []
        decoder.feed(UInt8(ascii: "q"), into: &inputs)
        #expect(inputs == [.key(Key(.character("q")))])
    }
}
