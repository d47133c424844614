import RejoinCore
import SQLite
import Testing

@testable import RejoinClient

private typealias Sample = StoreSample

@Suite struct LocalStoreSearchTests {
    /// What is found, as letters: `p` a prompt, `a` an answer, `t` a title.
    private func found(_ text: String, in store: LocalStore) async throws -> [String] {
        try await store.search(text).map { hit in
            let kind = hit.turn == nil ? "t" : hit.answer == nil ? "p" : "a"
            return kind + "\(hit.conversation.low)"
        }
    }

    private func withTexts(_ body: (LocalStore) async throws -> Void) async throws {
        try await Sample.withStore { store in
            let texts = [
                ("Crème brûlée für Ärzte", "Try e-mail or C++ at 20°C, it's “quoted”."),
                ("東京都の天気はどうですか", "今日は晴れです。カメラを持って行きましょう"),
                ("안녕하세요 서울", "ภาษาไทยง่าย Swift言語"),
                ("naïve NAIVE", "e\u{301}tude 👩‍👩‍👧 \u{1}control\u{2} \u{10FFFF}"),
            ]
            for (index, (prompt, answer)) in texts.enumerated() {
                let number = UInt64(index + 1)
                try await store.begin(
                    Sample.prompt(number, in: number, prompt, at: Int64(2_000_000_000_000 + index * 1000)))
                try await store.append(Sample.answer(number), events: Sample.pieces(answer) + [Sample.end(2)])
                try await store.rename(Sample.conversation(number), to: "Title\(number)", at: Sample.time(1))
            }
            try await body(store)
        }
    }

    @Test(arguments: [
        ("creme", ["p1"]), ("BRÛLÉE", ["p1"]), ("brulee creme", ["p1"]), ("cre brulee", []), ("brulee cre", ["p1"]),
        ("arzte", ["p1"]), ("mail", ["a1"]), ("e-mail", ["a1"]), ("c++", ["a1"]), ("\"quoted\"", ["a1"]),
        ("it's", ["a1"]), ("東京", ["p2"]), ("京都", ["p2"]), ("東", ["p2"]), ("すか", ["p2"]), ("か", ["p2"]),
        ("晴れ", ["a2"]), ("カメラ", ["a2"]), ("東京 天気", ["p2"]), ("京東", []), ("안녕", ["p3"]), ("하세요", ["p3"]),
        ("ไทย", ["a3"]), ("swift 言語", ["a3"]), ("swift言", ["a3"]), ("swift 東京", []), ("naive", ["p4"]),
        ("étude", ["a4"]), ("control", ["a4"]), ("title3", ["t3"]), ("titl", ["t4", "t3", "t2", "t1"]), ("titl ", []),
        ("", []), ("   ", []), ("— “ ” *", []), ("* OR *", ["a1"]), ("\"", []), ("a AND b NOT (", []),
        ("NEAR(a b)", []),
        ("👩‍👩‍👧", []), ("body:creme", []), ("-creme", ["p1"]), ("creme\u{0}", ["p1"]),
    ])
    func `finds words as a person means them`(query: String, expected: [String]) async throws {
        try await withTexts { store in
            let hits = try await found(query, in: store)
            #expect(Set(hits) == Set(expected) && hits.count == expected.count, "\(query) finds \(hits)")
        }
    }

    @Test func `a hit names its place and marks its words`() async throws {
        try await withTexts { store in
            let hit = try #require(try await store.search("brulee").first)
            #expect(hit.conversation == Sample.conversation(1))
            #expect(hit.turn == Sample.turn(1))
            #expect(hit.answer == nil)
            #expect(hit.title == "Title1")
            #expect(hit.matches.map { String(decoding: Array(hit.snippet.utf8)[$0], as: UTF8.self) } == ["brûlée"])
            let other = try #require(try await store.search("持って").first)
            #expect(other.answer == Sample.answer(2))
            #expect(other.matches.map { String(decoding: Array(other.snippet.utf8)[$0], as: UTF8.self) } == ["持って"])
            // Marks that stand in the text itself harm nothing.
            let odd = try #require(try await store.search("control").first)
            #expect(odd.matches.allSatisfy { $0.upperBound <= odd.snippet.utf8.count })
        }
    }

    @Test func `a long text is cut around the words`() async throws {
        try await Sample.withStore { store in
            let words = (0..<5000).map { "w\($0)" }.joined(separator: " ")
            let kanji = String(repeating: "山", count: 3000) + "川" + String(repeating: "山", count: 3000)
            try await store.begin(Sample.prompt(1, words))
            try await store.begin(Sample.prompt(2, in: 2, kanji))
            let hit = try #require(try await store.search("w3000").first)
            #expect(hit.snippet.utf8.count < 300)
            #expect(hit.matches.count == 1)
            let other = try #require(try await store.search("山川").first)
            #expect(other.snippet.utf8.count < 400)
            #expect(other.matches.count == 1)
        }
    }

    @Test func `the newest are found first, however they came in`() async throws {
        try await Sample.withStore { store in
            for number in [UInt64(3), 1, 5, 2, 4] {
                try await store.begin(
                    Sample.prompt(number, in: number, "apple", at: 1_700_000_000_000 + Int64(number) * 10_000))
                try await store.rename(Sample.conversation(number), to: "x", at: Sample.time(1))
            }
            #expect(try await store.search("apple").map(\.conversation.low) == [5, 4, 3, 2, 1])
            #expect(try await store.search("apple", limit: 2).map(\.conversation.low) == [5, 4])
        }
    }

    @Test func `many texts of one moment each have a place`() async throws {
        try await Sample.withStore { store in
            var turns: [ServerTurn] = []
            for number in UInt64(1)...5000 {
                turns.append(
                    ServerTurn(
                        id: Sample.turn(number), parent: nil, content: [.text("apple \(number)")],
                        createdAt: Sample.time(1_700_000_000_000), answers: []))
            }
            try await store.merge(ServerTree(conversation: Sample.line(1), turns: turns, selected: nil))
            #expect(try await store.search("apple 4999").count == 1)
            #expect(try await store.conversation(Sample.conversation(1))?.turns.count == 5000)
        }
    }

    @Test func `what the index of pairs holds is what a run is looked up by`() {
        #expect(UnspacedText.pairs(of: "no such script é") == nil)
        #expect(UnspacedText.pairs(of: "a東京b都") == "東京 京 都")
        #expect(UnspacedText.expression(for: "東") == "\"東\" *")
        #expect(UnspacedText.expression(for: "東京都") == "\"東京 京都\"")
    }

    @Test func `first words make a title of one short line`() {
        #expect(FirstWords.title(of: "") == "")
        #expect(FirstWords.title(of: " \n\t ") == "")
        #expect(FirstWords.title(of: "\n\n Hello   there \nmore") == "Hello there")
        #expect(FirstWords.title(of: "a\u{7}b") == "ab")
        let long = FirstWords.title(of: String(repeating: "word ", count: 100))
        #expect(long.count <= 61 && long.hasSuffix("word…"))
        #expect(FirstWords.title(of: String(repeating: "語", count: 100)).count == 61)
    }
}
