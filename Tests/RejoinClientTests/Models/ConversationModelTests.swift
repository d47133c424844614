import RejoinCore
import RejoinTestKit
import Testing

@testable import RejoinClient

@Suite(.timeLimit(.minutes(1))) @MainActor struct ConversationModelTests {
    @Test("A64 a thousand pieces in one frame are one change of what is shown")
    func oneChange() async throws {
        try await ModelScreen.open(script: { _ in (0..<1000).map { .text("\($0) ") } }) { screen in
            let (model, composer) = screen.conversation()
            let answer = try await screen.ask("Count", composer)
            try await screen.rests(model)
            let words = ChangeCounter { _ = answer.text }
            let path = ChangeCounter { _ = model.exchanges.count }
            let frames = model.frames
            for _ in 0..<1000 { screen.server.say(answer.id, 1) }
            try await eventually("the pieces are here") { screen.chat.live(answer.id)?.seq == 1000 }
            try await eventually("conversation and composer ask for a frame") { screen.ticker.waiting == 2 }
            #expect(words.count == 0, "nothing changes between frames")
            screen.ticker.tick()
            try await eventually("the frame is drawn") { answer.answer.seq == 1000 }
            #expect(model.frames == frames + 1)
            #expect(words.count == 1)
            #expect(path.count == 0, "the path need not be drawn again")
            #expect(answer.text.hasSuffix("998 999"))
        }
    }

    @Test("A15 stop takes the place of send while an answer runs; then regenerate, copy and edit are there")
    func controls() async throws {
        try await ModelScreen.open { screen in
            let (_, composer) = screen.conversation()
            #expect(composer.action == .nothing)
            composer.text = "one two three"
            #expect(composer.action == .send)
            let answer = try await screen.ask("one two three", composer)
            #expect(composer.action == .stop(answer.id))
            #expect(answer.controls == [.stop])
            screen.server.say(answer.id, 2)
            try await screen.shows("words") { answer.answer.seq == 2 }
            #expect(answer.controls == [.stop])
            composer.text = "next"
            #expect(composer.action == .stop(answer.id), "stop stays while the next prompt is written")
            await composer.act()
            #expect(answer.controls == [.regenerate, .copy, .edit])
            #expect(composer.action == .send)
            #expect(composer.text == "next")
            #expect(answer.text == "one two ")
            try await screen.shows("the server was told", by: .milliseconds(50)) {
                screen.server.stops == [answer.id]
            }
            try await screen.shows("it has ended", by: .milliseconds(50)) {
                if case .ended(let end) = answer.phase { end.state == .stopped } else { false }
            }
            #expect(answer.controls == [.regenerate, .copy, .edit])
        }
    }

    @Test("A31 sending, waiting, refused, and where the answer is made can be told apart")
    func phases() {
        let turn: TurnID = ID(high: 1, low: 1)
        func phase(_ events: [Event], _ local: LocalState = .none, _ delivery: Delivery = .delivered) -> AnswerPhase {
            var answer = Answer(id: ID(high: 1, low: 2), turn: turn)
            for (index, event) in events.enumerated() { answer.apply(NumberedEvent(seq: index + 1, event: event)) }
            return AnswerPhase(StoredAnswer(answer: answer, local: local), delivery: delivery)
        }
        let later = Timestamp(milliseconds: 9)
        let refusal = ClientRefusal(.limitReached, capability: "messages")
        #expect(phase([], .sending, .sending) == .sending)
        #expect(phase([], .waiting, .waiting(since: later, expires: later)) == .waiting(expires: later))
        #expect(phase([], .none, .refused(refusal)) == .refused(refusal))
        #expect(phase([], .none, .expired) == .expired)
        #expect(phase([.status(.init(.queued, position: 3))]) == .queued(position: 3))
        #expect(phase([.status(.init(.thinking))], .streaming) == .working(.init(.thinking)))
        for place in Event.Placement.allCases {
            #expect(phase([.model(.init("m", placement: place)), .text("Hi")], .streaming) == .answering(place))
        }
        #expect(phase([.text("Hi")], .sending) == .answering(nil))
        #expect(phase([.text("Hi")], .interrupted) == .interrupted)
        #expect(phase([.text("Hi")], .stopRequested) == .stopping)
        #expect(phase([.text("Hi"), .withdrawn(reason: "check")]) == .withdrawn(reason: "check"))
        let end = Event.End(.failed, .emptyAnswer)
        #expect(phase([.end(end)], .streaming) == .ended(end))
    }

    @Test("A70 a status line shows before the first text and goes when it starts; a long wait says so")
    func statusLine() async throws {
        try await ModelScreen.open(script: { _ in [.status(.init(.thinking)), .text("So"), .text(" it is")] }) {
            screen in
            let (_, composer) = screen.conversation()
            let answer = try await screen.ask("Why?", composer)
            #expect(answer.status?.words == "Starting")
            screen.server.say(answer.id, 1)
            try await screen.shows("it thinks") { answer.status?.words == "Thinking" }
            screen.clock.advance(by: .seconds(4))
            try await eventually("patience is waited for") { screen.clock.sleepers > 0 }
            #expect(answer.status?.waited == nil)
            try await screen.shows("it says how long", by: .seconds(1)) { answer.status?.waited != nil }
            #expect(answer.status?.words.hasPrefix("Still thinking, ") == true)
            screen.server.say(answer.id, 1)
            try await screen.shows("words") { answer.answer.seq == 2 }
            #expect(answer.status == nil)
        }
    }

    @Test("A69 sending returns to the end of the conversation") func follows() async throws {
        try await ModelScreen.open { screen in
            let (model, composer) = screen.conversation()
            model.scroll.resize(window: 20)
            model.scroll.resize(to: 100)
            model.scroll.scroll(to: 10)
            #expect(model.scroll.offersJump)
            _ = try await screen.ask("one", composer)
            #expect(model.scroll.mode == .following)
            #expect(model.scroll.offset == 80)
        }
    }

    @Test("A71 a character that comes in pieces is shown once it is whole") func characters() async throws {
        let pieces = ["Caf", "e", "\u{301}", " 👩", "\u{200D}", "👧", " ", "🇩", "🇪", "!"]
        try await ModelScreen.open(script: { _ in pieces.map { .text($0) } + [.end(.init(.done, .complete))] }) {
            screen in
            let (_, composer) = screen.conversation()
            let answer = try await screen.ask("Draw", composer)
            let whole = Array("Cafe\u{301} 👩\u{200D}👧 🇩🇪!")
            for seq in 1...pieces.count {
                screen.server.say(answer.id, 1)
                try await screen.shows("piece \(seq)") { answer.answer.seq == seq }
                #expect(Array(answer.text) == Array(whole.prefix(answer.text.count)))
            }
            screen.server.say(answer.id)
            try await screen.shows("the end") { answer.answer.state.end != nil }
            #expect(Array(answer.text) == whole)
        }
    }

    @Test("A72 sentences are announced as they become whole, and so are a drop and a stop") func announces()
        async throws
    {
        let pieces: [Event] = [.text("It rains. Ta"), .text("ke a coat. And"), .text(" boots."), .text(" Now")]
        try await ModelScreen.open(script: { _ in pieces }) { screen in
            let (model, composer) = screen.conversation()
            let answer = try await screen.ask("Weather?", composer)
            @MainActor func said() -> [Announcement] { model.announcements.map(\.announcement) }
            screen.server.say(answer.id, 1)
            try await screen.shows("one sentence") { said() == [.sentence("It rains.")] }
            screen.server.say(answer.id, 1)
            try await screen.shows("two") { said().last == .sentence("Take a coat.") }
            screen.network.setDown(true)
            try await screen.shows("the drop is said") { said().last == .interrupted }
            #expect(answer.phase == .interrupted)
            #expect(answer.controls == [.retry, .copy, .edit])
            screen.network.setDown(false)
            screen.server.say(answer.id, 2)
            try await screen.shows("it goes on", by: .milliseconds(100)) { answer.answer.seq == 4 }
            await model.stop(answer)
            #expect(model.running == nil)
            try await screen.shows("the stop is said", by: .milliseconds(100)) { said().last == .stopped }
            #expect(said().filter { $0 == .stopped }.count == 1)
            #expect(model.announcements.map(\.number) == Array(1...model.announcements.count))
        }
    }

    @Test("A09 another version is a choice, and so is an edited prompt; each path can be seen again")
    func choices() async throws {
        try await ModelScreen.open(pace: .atOnce) { screen in
            let (model, composer) = screen.conversation()
            let first = try await screen.ask("one", composer)
            try await screen.shows("whole", by: .milliseconds(50)) { first.answer.state.end != nil }
            let second = try await screen.ask("two", composer)
            try await screen.shows("whole", by: .milliseconds(50)) { second.answer.state.end != nil }
            #expect(model.exchanges.map(\.prompt) == ["one", "two"])
            await model.regenerate(try #require(model.exchanges.first?.id))
            #expect(model.exchanges.map(\.prompt) == ["one"])
            let versions = try #require(model.exchanges.first?.versions)
            #expect(versions.number == 2 && versions.count == 2 && versions.next == nil)
            #expect(versions.previous == second.id, "the whole path of the earlier version")
            await model.select(try #require(versions.previous))
            #expect(model.exchanges.map(\.prompt) == ["one", "two"])
            composer.text = "half a thought"
            composer.edit(try #require(model.exchanges.last))
            #expect(composer.text == "two")
            composer.text = "zwei"
            await composer.act()
            #expect(model.exchanges.map(\.prompt) == ["one", "zwei"])
            #expect(model.exchanges.last?.branches.number == 2)
            #expect(composer.text == "half a thought", "what was being written comes back")
        }
    }

    @Test func `a conversation that was deleted elsewhere says so`() async throws {
        try await ModelScreen.open(pace: .atOnce) { screen in
            let (model, composer) = screen.conversation()
            _ = try await screen.ask("one", composer)
            let id = try #require(model.id)
            try await screen.chat.delete(id)
            try await screen.shows("it is gone", by: .milliseconds(50)) {
                if case .unavailable(let notice) = model.state { notice.refusal.code == .deleted } else { false }
            }
            #expect(model.exchanges.isEmpty)
        }
    }
}
