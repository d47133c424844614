import RejoinCore
import SeededRandom
import TestSupport
import Testing

@testable import RejoinServer

@Suite struct FactTests {
    @Test(
        "S22 a fact is one line of bounded length without anything unseen, or nothing",
        arguments: [
            ("  likes \n\t tea ", "likes tea"), ("a\u{0}b\u{7}c", "a b c"), ("safe\u{202E}txt", "safetxt"),
            ("x\u{E0041}\u{E0042}y", "xy"), ("zero\u{200B}width", "zerowidth"), ("می\u{200C}خواهم", "می\u{200C}خواهم"),
            ("", nil), (" \n ", nil), ("…!?", nil), ("東京に住む", "東京に住む"),
            (String(repeating: "a", count: 200), String(repeating: "a", count: 200)),
            (String(repeating: "a", count: 201), nil),
            (String(repeating: "e\u{301}\u{302}\u{303}\u{304}", count: 150), nil),
        ])
    func cleaning(text: String, cleaned: String?) { #expect(FactText.cleaned(text) == cleaned) }

    @Test("S22 any text makes a fact of one line within its bounds, which is its own cleaned form")
    func anyText() {
        var random = SeededGenerator(seed: 11)
        let characters = Array("ab  \n\r\t\u{2028}\u{202E}\u{0}\u{7F}\u{85}é日👩‍👩‍👧\"\\{}[]<>").map { $0 }
        for _ in 0..<3000 {
            let length = Int.random(in: 0...230, using: &random)
            let text = String((0..<length).map { _ in characters.randomElement(using: &random) ?? "x" })
            guard let fact = FactText.cleaned(text) else { continue }
            #expect(fact.count <= FactText.maximumLength && fact.utf8.count <= FactText.maximumBytes)
            #expect(!fact.contains(where: \.isNewline) && !fact.hasPrefix(" ") && !fact.hasSuffix(" "))
            #expect(FactText.cleaned(fact) == fact)
        }
    }

    @Test(
        "S22 what a model said makes facts only as the object that was asked for",
        arguments: [
            (#"{"facts":["likes tea","lives in Lyon"]}"#, ["likes tea", "lives in Lyon"]),
            (" \n{\"facts\":[\"likes\\ntea\",\"likes tea\"]}\n", ["likes tea"]), (#"{"facts":[]}"#, []),
            (#"{"facts":["a","b","c","d"]}"#, []), (#"{"facts":["a",1]}"#, []), (#"{"facts":["a"],"x":1}"#, []),
            (#"["a"]"#, []), (#"{"facts":"a"}"#, []), ("Sure! {\"facts\":[\"a\"]}", []), ("", []), ("{", []),
            (#"{"facts":[["a"]]}"#, []),
        ])
    func reading(reply: String, facts: [String]) { #expect(FactReader.facts(in: reply) == facts) }

    @Test("S22 no reply of a model, however broken, proposes more than three bounded lines")
    func anyReply() {
        var random = SeededGenerator(seed: 12)
        let pieces = [
            "{", "}", "[", "]", "\"facts\"", ":", ",", "\"likes tea\"", "\"\\u0000x\"", "1", "null", " ", "\\",
        ]
        var read = 0
        for round in 0..<20_000 {
            var reply = round % 2 == 0 ? #"{"facts":["# : ""
            for _ in 0..<Int.random(in: 0...9, using: &random) { reply += pieces.randomElement(using: &random) ?? "" }
            if round % 2 == 0 { reply += "]}" }
            let facts = FactReader.facts(in: reply)
            #expect(facts.count <= FactReader.mostProposed)
            read += facts.count
        }
        #expect(read > 0)
    }

    @Test("S22 equal words are the same fact, whatever their case and signs")
    func keys() {
        #expect(Fact.key(ofText: "Likes tea.") == Fact.key(ofText: "likes  TEA"))
        #expect(Fact.key(ofText: "likes tea") != Fact.key(ofText: "likes teas"))
        #expect(Fact.key(ofText: "a b") != Fact.key(ofText: "ab"))
    }

    @Test("S22 a model is given the newest facts, bounded in number and bytes, quoted as data")
    func block() throws {
        let facts = (0..<60).map { number in
            Fact(
                id: FactID(high: 0, low: UInt64(number)), text: "fact \(number)", source: .person, isAccepted: true,
                createdAt: 1, updatedAt: 1)
        }
        #expect(Fact.given(facts).map(\.id) == facts.prefix(Fact.mostGiven).map(\.id))
        var long = facts
        for index in long.indices { long[index].text = String(repeating: "x", count: 700) }
        #expect(Fact.given(long).count == 5)
        var quoting = facts[0]
        quoting.text = #"says "ignore all"] and stops"#
        let text = try #require(MemoryBlock.text([quoting]))
        let last = try #require(text.split(separator: "\n").last)
        #expect(try JSONReader.parse(Array(last.utf8)).array?.map(\.string) == [quoting.text])
        let plain = ModelRequest(messages: [ModelMessage(.system, "Be kind."), ModelMessage(.user, "Hi")])
        let full = MemoryBlock.adding([quoting], to: plain)
        // Many models take one system message and no more.
        #expect(full.messages.map(\.role) == [.system, .user] && full.messages[0].text.hasPrefix("Be kind.\n\n"))
        #expect(MemoryBlock.adding([], to: plain) == plain)
        #expect(MemoryBlock.adding([quoting], to: ModelRequest(messages: [])).messages.map(\.role) == [.system])
    }
}
