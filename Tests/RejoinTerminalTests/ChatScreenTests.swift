import Foundation
import RejoinClient
import RejoinCore
import RejoinTerminal
import SeededRandom
import Testing

@Suite struct ChatScreenTests {
    @Test func `at 80 columns the conversation has the screen`() {
        let lines = [
            " Tea",
            "  You  ‹ 2/3 ›",
            "  How long does green tea steep?",
            "",
            "  qwen",
            "  Two to three minutes, at 80 °C.",
            "",
            "  You",
            "  And 煎茶?",
            "",
            "  qwen",
            "  Sencha 煎茶 takes one",
            "  [stopped; the text so far is kept]",
            "",
            "  You",
            String(repeating: " ", count: 75) + "הדות",
            "",
            "  qwen",
            "  starting the model …",
            "",
            Self.padded(" qwen: starting the model  ·  12 s  ·  Esc stops", to: 72) + "F1 help",
            "› Ask",
        ]
        #expect(Sample.draw(Sample.view(columns: 80)) == lines.joined(separator: "\n"))
    }

    @Test func `at 40 columns lines are broken and the list waits for its key`() {
        var view = Sample.view(columns: 40, rows: 12)
        view.show([Sample.exchange(1, "How long does the best green tea steep?", "Two minutes.")])
        let lines = [
            " Tea",
            "  You",
            "  How long does the best green tea",
            "  steep?",
            "",
            "  qwen",
            "  Two minutes.",
            "",
            "",
            "",
            Self.padded("", to: 32) + "F1 help",
            "› Ask",
        ]
        #expect(Sample.draw(view) == lines.joined(separator: "\n"))
        _ = view.handle(.key(.control("o")))
        let list = [
            " Conversations",
            "★ A pinned conversation about a long s…",
            "• Tea",
            "◷ (no title yet)",
            "", "", "", "", "", "",
            " Enter open  n new  r rename  p pin  d…",
            "",
        ]
        #expect(Sample.draw(view) == list.joined(separator: "\n"))
    }

    @Test func `at 200 columns both have room`() {
        let lines = Sample.draw(Sample.view(columns: 200)).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0] == Self.padded(" Conversations", to: 33) + "│ Tea")
        #expect(lines[1] == "★ A pinned conversation about a… │  You  ‹ 2/3 ›")
        #expect(lines[2] == Self.padded("• Tea", to: 33) + "│  How long does green tea steep?")
        #expect(lines[3] == Self.padded("◷ (no title yet)", to: 33) + "│")
        // Lines are no longer than can be read.
        let widest = lines.dropLast(2).map { CharacterWidth.of($0.drop { $0 != "│" }) }.max()
        #expect(widest == 103)
        #expect(lines[20].hasSuffix("F1 help"))
    }

    private static func padded(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: columns - CharacterWidth.of(text))
    }

    @Test("A59 A58 limits are the server's, and show their age without it")
    func limits() {
        var view = Sample.view(columns: 80)
        view.show([])
        view.limits = "messages: 3 of 20 left (2 h ago)"
        view.connection = .offline(since: Sample.now.advanced(byMilliseconds: -61_000))
        let text = Sample.draw(view)
        #expect(text.contains("\n Offline for 1 min  ·  what is here can be read, prompts wait\n"))
        #expect(text.contains("messages: 3 of 20 left (2 h ago)"))
    }

    @Test("A07 the five ends look different, and the words that came are kept")
    func ends() {
        let drawn = EndState.allCases.map { end in
            var view = Sample.view(columns: 80)
            view.show([Sample.exchange(1, "prompt", "words that came", end)])
            return Sample.draw(view)
        }
        #expect(Set(drawn).count == EndState.allCases.count)
        #expect(drawn.allSatisfy { $0.contains("words that came") })
        var view = Sample.view(columns: 80)
        view.show([Sample.exchange(1, "prompt", "words that came", nil, local: .interrupted)])
        #expect(Sample.draw(view).contains("[the connection broke; the text so far is kept]"))
        view.show([Sample.exchange(1, "prompt", "", nil, local: .withdrawn(reason: "policy"))])
        #expect(Sample.draw(view).contains("[the text was withdrawn (policy)]"))
    }

    @Test("A70 before the first words a line says what is going on, and goes when they come")
    func status() {
        var view = Sample.view(columns: 80)
        var answer = Answer(id: Sample.answer(1), turn: Sample.turn(1))
        answer.apply(NumberedEvent(seq: 1, event: .status(.init(.queued, position: 3))))
        view.show([Sample.exchange(1, "prompt", answer)])
        #expect(Sample.draw(view).contains("  waiting in the queue, place 3 …\n"))
        answer.apply(NumberedEvent(seq: 2, event: .text("words")))
        view.show(answer, AnswerPhase(StoredAnswer(answer: answer, local: .none), delivery: .delivered))
        let text = Sample.draw(view)
        #expect(!text.contains("waiting in the queue"))
        #expect(text.contains("\n  words\n"))
        #expect(text.contains("writing  ·  12 s  ·  Esc stops"))
    }

    @Test func `what becomes of a prompt is said beside it`() {
        let refusal = ClientRefusal(.limitReached)
        let cases: [(Delivery, String)] = [
            (.waiting(since: Sample.now, expires: nil), "[waits for the server; x takes it back]"),
            (.refused(refusal), "[not sent: a limit is reached; r tries again]"),
            (.expired, "[was not sent in time; r tries again]"),
        ]
        for (delivery, words) in cases {
            var view = Sample.view(columns: 80)
            view.show([Sample.exchange(1, "prompt", "", nil, delivery: delivery)])
            #expect(Sample.draw(view).contains("  prompt\n  " + words + "\n"))
        }
    }

    @Test func `nothing from outside reaches the terminal as a command`() {
        var view = Sample.view(columns: 80)
        let nasty = "\u{1B}]0;title\u{7}\u{9B}2J\u{202E}x\u{85}"
        view.title = nasty
        view.list[0].title = nasty
        view.show([Sample.exchange(1, nasty, nasty)])
        view.model = nasty
        for focus in [ChatView.Focus.composer, .list] {
            view.focus = focus
            var screen = ChatScreen()
            let grid = screen.draw(view)
            for cell in grid.cells {
                for scalar in cell.character.unicodeScalars {
                    #expect(scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value) && scalar != "\u{202E}")
                }
            }
        }
    }

    @Test(arguments: 0..<40)
    func `any view is drawn at any size, and the same view the same way`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var view = Sample.view(
            columns: Int.random(in: 1...210, using: &generator), rows: Int.random(in: 1...40, using: &generator))
        var screen = ChatScreen()
        let keys: [Key] = [
            Key(.tab), Key(.up), Key(.down), Key(.left), Key(.enter), Key(.escape), Key(.pageUp), Key(.pageDown),
            .control("o"), .control("f"), Key(.function(1)), Key(.character("r")), Key(.character("d")),
            Key(.character("e")), Key(.character("漢")), Key(.home, .control), Key(.end), .control("n"), .alt("b"),
        ]
        for _ in 0..<20 {
            let input: Input =
                switch Int.random(in: 0..<12, using: &generator) {
                case 0: .paste("some\npasted שלום words that go on and on and on")
                case 1: .wheel(Bool.random(using: &generator) ? 1 : -1)
                default: .key(keys.randomElement(using: &generator) ?? Key(.tab))
                }
            for action in view.handle(input) {
                if case .scroll(let lines) = action { screen.scroll(&view, by: lines) }
                if action == .reveal { screen.reveal(&view) }
            }
            if Int.random(in: 0..<10, using: &generator) == 0 {
                view.size = Size(
                    columns: Int.random(in: 1...210, using: &generator), rows: Int.random(in: 1...40, using: &generator)
                )
            }
            let grid = screen.draw(view)
            #expect(grid.size == view.size)
            // What is kept between frames only saves work.
            var fresh = ChatScreen()
            #expect(fresh.draw(view) == grid)
            if let cursor = grid.cursor {
                #expect((0..<view.size.rows).contains(cursor.row))
                #expect((0..<view.size.columns).contains(cursor.column))
            }
        }
    }
}
