import RejoinClient
import RejoinCore
import RejoinTerminal
import Testing

@Suite struct TranscriptTests {
    static func long(_ count: Int, rows: Int = 24) -> ChatView {
        var view = ChatView(size: Size(columns: 80, rows: rows), now: Sample.now)
        view.show((0..<count).map { Sample.exchange($0, "prompt \($0)", "answer \($0)\\\nof two lines") })
        return view
    }

    @Test func `a frame lays out what is on the screen and nothing else`() {
        var screen = ChatScreen()
        let view = Self.long(5000)
        _ = screen.draw(view)
        #expect(screen.laidOut < 12)
        let first = screen.laidOut
        _ = screen.draw(view)
        #expect(screen.laidOut == first)
    }

    @Test("A67 a frame at the end of a long answer costs what one at the end of a short one does")
    func frames() {
        func work(_ length: Int) -> (laidOut: Int, time: Duration) {
            var screen = ChatScreen()
            var view = Self.long(3)
            var answer = Sample.answer(9, "", state: .streaming)
            for number in 0..<(length / 17) {
                answer.apply(NumberedEvent(seq: 6 + number, event: .text("words in a line\n\n")))
            }
            let length = answer.seq
            view.show(
                view.exchanges + [Sample.exchange(9, "go on", answer)])
            _ = screen.draw(view)
            let before = screen.laidOut
            var best = Duration.seconds(1)
            for number in 1...20 {
                answer.apply(NumberedEvent(seq: length + number, event: .text("more ")))
                view.show(answer, .answering(.server))
                best = min(best, ContinuousClock().measure { _ = screen.draw(view) })
            }
            return (screen.laidOut - before, best)
        }
        _ = work(2000)
        let (short, long) = (work(2000), work(200_000))
        #expect(short.laidOut == 20)
        #expect(long.laidOut == 20)
        #expect(long.time < short.time * 3 / 2 + .microseconds(200), "\(short.time) at 2 KB, \(long.time) at 200 KB")
    }

    @Test("A68 a reader who scrolled up stays, and jumps to the latest")
    func staying() {
        var screen = ChatScreen()
        var view = Self.long(20)
        screen.scroll(&view, by: -30)
        let text = screen.draw(view).text
        #expect(!text.contains("answer 19"))
        #expect(text.contains("↓ Ctrl-End: latest"))
        let top = text.split(separator: "\n")[1]
        // Words that come below move nothing.
        view.show(view.exchanges + [Sample.exchange(30, "new", String(repeating: "new words\n\n", count: 50), nil)])
        let text25 = screen.draw(view).text
        #expect(text25.split(separator: "\n")[1] == top)
        _ = view.handle(.key(Key(.end, .control)))
        let end = screen.draw(view).text
        #expect(end.contains("new words"))
        #expect(!end.contains("↓ Ctrl-End: latest"))
    }

    @Test("A69 sending follows the end again")
    func sending() {
        var screen = ChatScreen()
        var view = Self.long(20)
        screen.scroll(&view, by: -30)
        #expect(view.scroll != .following)
        view.composer.insert("next")
        let actions = view.handle(.key(Key(.enter)))
        #expect(actions == [.send("next")])
        #expect(view.scroll == .following)
    }

    @Test func `scrolling goes line by line to both ends and back to following`() {
        var screen = ChatScreen()
        var view = Self.long(6)
        var seen: [String] = []
        for _ in 0..<60 {
            screen.scroll(&view, by: -1)
            seen.append(screen.draw(view).text)
        }
        #expect(view.scroll == .at(message: 0, line: 0))
        #expect(seen.last?.contains("prompt 0") == true)
        // Six exchanges of seven lines on 21 rows.
        #expect(Set(seen).count == 6 * 7 - 21)
        for _ in 0..<60 { screen.scroll(&view, by: 1) }
        #expect(view.scroll == .following)
        screen.scroll(&view, by: -1000)
        screen.scroll(&view, by: 1000)
        #expect(view.scroll == .following)
    }

    @Test func `a path that changes keeps the message at the top`() {
        var screen = ChatScreen()
        var view = Self.long(20)
        _ = view.handle(.key(Key(.home, .control)))
        screen.scroll(&view, by: 14)
        let text26 = screen.draw(view).text
        #expect(text26.split(separator: "\n")[2].contains("prompt 2"))
        view.show(Array(view.exchanges.dropFirst()))
        let text27 = screen.draw(view).text
        #expect(text27.split(separator: "\n")[2].contains("prompt 2"))
    }

    @Test func `the message under the cursor is brought onto the screen`() {
        var screen = ChatScreen()
        var view = Self.long(20)
        _ = view.handle(.key(Key(.tab)))
        screen.reveal(&view)
        for _ in 0..<39 {
            for action in view.handle(.key(Key(.up))) where action == .reveal { screen.reveal(&view) }
            let text = screen.draw(view).text
            #expect(text.contains("▌ "))
        }
        #expect(view.selected == .prompt(Sample.turn(0)))
        for _ in 0..<40 {
            for action in view.handle(.key(Key(.down))) where action == .reveal { screen.reveal(&view) }
        }
        #expect(view.focus == .composer)
        let text28 = screen.draw(view).text
        #expect(text28.contains("answer 19"))
    }
}
