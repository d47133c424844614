import RejoinCore
import SeededRandom
import Testing

@Suite struct SentenceTests {
    private func cut(_ text: String) -> [String] {
        var cutter = SentenceCutter()
        var sentences = cutter.append(text)
        if let rest = cutter.finish() { sentences.append(rest) }
        return sentences
    }

    @Test(arguments: [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("It costs 3.14 in all. Good.", ["It costs 3.14 in all.", "Good."]),
        ("Ask Dr. Who, e.g. today. Then J. Smith.", ["Ask Dr. Who, e.g. today.", "Then J. Smith."]),
        ("\"Really?\" he said. \"Yes.\" Fine.", ["\"Really?\" he said.", "\"Yes.\"", "Fine."]),
        ("# Title\n\n1. First item\n2. Second. And more\n", ["# Title", "1. First item", "2. Second.", "And more"]),
        ("Wait... what? No.", ["Wait... what?", "No."]),
        ("彼は来た。「本当？」と聞いた。", ["彼は来た。", "「本当？」", "と聞いた。"]),
        ("هل جاء؟ نعم.", ["هل جاء؟", "نعم."]),
        ("**Bold.** Next.", ["**Bold.**", "Next."]),
        ("  \n \n", []),
    ])
    func `cuts where a reader pauses`(text: String, sentences: [String]) {
        #expect(cut(text) == sentences)
    }

    @Test("A72 the sentences are the same whatever the pieces", arguments: 0..<100) func pieces(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let words = ["One", "two.", "Dr.", "3.5", "“Oh!”", "\n", "и", "終。", "e.g.", "A.", "more", "Why?", "1."]
        let text = (0..<30).map { _ in words.randomElement(using: &generator) ?? "" }.joined(separator: " ")
        var cutter = SentenceCutter()
        var sentences: [String] = []
        var scalars = Array(text.unicodeScalars)[...]
        while !scalars.isEmpty {
            let piece = scalars.prefix(Int.random(in: 1...7, using: &generator))
            scalars = scalars.dropFirst(piece.count)
            sentences += cutter.append(String(String.UnicodeScalarView(piece)))
        }
        if let rest = cutter.finish() { sentences.append(rest) }
        #expect(sentences == cut(text))
        let spoken = sentences.joined().filter { !$0.isWhitespace }
        #expect(spoken == text.filter { !$0.isWhitespace }, "nothing is left out or said twice")
    }

    @Test func `a text without an end is spoken all the same`() {
        let sentences = cut(String(repeating: "word ", count: 300))
        #expect(sentences.count == 4)
        #expect(sentences.allSatisfy { $0.unicodeScalars.count <= SentenceCutter.longest + 5 })
    }

    // MARK: Announcements

    private func answer(_ events: [Event]) -> Answer {
        var answer = Answer(id: ID(high: 1, low: 1), turn: ID(high: 1, low: 2))
        for (index, event) in events.enumerated() { answer.apply(NumberedEvent(seq: index + 1, event: event)) }
        return answer
    }

    @Test("A72 an answer is announced in whole sentences, and its end after them") func announces() {
        var events: [Event] = []
        var announcer = Announcer(after: answer(events))
        var said: [[Announcement]] = []
        for event: Event in [
            .text("It is"), .text(" late. We"), .text(" should go. Now"), .end(.init(.done, .complete)),
        ] {
            events.append(event)
            said.append(announcer.update(answer(events)))
        }
        #expect(
            said == [[], [.sentence("It is late.")], [.sentence("We should go.")], [.sentence("Now"), .done]])
        let again = announcer.update(answer(events))
        #expect(again.isEmpty, "an end is said once")
    }

    @Test(
        "A72 stopped, interrupted, refused and failed are announced",
        arguments: [
            (EndState.stopped, Announcement.stopped), (.interrupted, .interrupted), (.refused, .refused),
            (.failed, .failed),
        ])
    func announcesEnds(state: EndState, announcement: Announcement) {
        var announcer = Announcer(after: answer([]))
        let ended = answer([.text("Half a sen"), .end(.init(state, reason: nil))])
        let said = announcer.update(ended)
        #expect(said == [.sentence("Half a sen"), announcement])
        #expect(announcement.isUrgent)
    }

    @Test("A72 an answer that this device lost is announced as interrupted, and goes on where it was") func goesOn() {
        var announcer = Announcer(after: answer([]))
        let begun = answer([.text("One. Tw")])
        let lost = announcer.update(begun, isInterrupted: true)
        #expect(lost == [.sentence("One."), .sentence("Tw"), .interrupted])
        let still = announcer.update(begun, isInterrupted: true)
        #expect(still.isEmpty)
        let rest = announcer.update(
            answer([.text("One. Tw"), .text("o three."), .end(.init(.done, .complete))]))
        #expect(rest == [.sentence("o three."), .done])
    }

    @Test func `nothing is said of what was there already`() {
        let old = answer([.text("Old. Ol"), .text("d too."), .end(.init(.done, .complete))])
        var announcer = Announcer(after: old)
        let nothing = announcer.update(old)
        #expect(nothing.isEmpty)
        var late = Announcer(after: answer([.text("Old. Begun")]))
        let new = late.update(answer([.text("Old. Begun"), .text(" and ended. N")]))
        #expect(new == [.sentence("Begun and ended.")])
    }

    @Test func `a text that was taken back is not spoken to its end`() {
        var announcer = Announcer(after: answer([]))
        _ = announcer.update(answer([.text("Never said")]))
        let events: [Event] = [.text("Never said"), .withdrawn(reason: "check")]
        let said = announcer.update(answer(events))
        #expect(said == [.withdrawn])
        let after = announcer.update(answer(events + [.end(.init(.refused, .contentFilter))]))
        #expect(after.isEmpty)
    }

    @Test func `a sentence ends where an attachment stands`() {
        var announcer = Announcer(after: answer([]))
        let file = Event.Attachment(upload: ID(high: 3, low: 3), mediaType: "image/png", name: "a.png")
        let events: [Event] = [.text("See this"), .attachment(file), .text("And that. ")]
        let before = announcer.update(answer(events))
        #expect(before == [.sentence("See this")])
        let after = announcer.update(answer(events + [.text("X")]))
        #expect(after == [.sentence("And that.")])
    }
}
