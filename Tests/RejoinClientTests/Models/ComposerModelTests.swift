import RejoinCore
import RejoinTestKit
import Testing

@testable import RejoinClient

@Suite(.timeLimit(.minutes(1))) @MainActor struct ComposerModelTests {
    @Test("A32 what is written is kept as it is written, and is there again") func drafts() async throws {
        try await ModelScreen.open { screen in
            let (_, composer) = screen.conversation()
            composer.text = "Half"
            composer.text = "Half a thought"
            try await screen.shows("it is kept") { try await screen.chat.draft(for: nil)?.text == "Half a thought" }
            let (_, again) = screen.conversation()
            try await screen.shows("it is there") { again.text == "Half a thought" }
        }
    }

    @Test func `what is written while a prompt is being kept is the next one`() async throws {
        try await ModelScreen.open { screen in
            let (model, composer) = screen.conversation()
            composer.text = "first"
            let sending = try #require(composer.begin())
            #expect(composer.text.isEmpty)
            composer.text = "second"
            #expect(composer.begin() == nil, "where it belongs is not known before the first is kept")
            await composer.finish(sending)
            #expect(model.exchanges.map(\.prompt) == ["first"])
            #expect(composer.text == "second")
            try await screen.shows("it is kept") {
                try await screen.chat.draft(for: model.id)?.text == "second"
            }
        }
    }

    @Test func `words that cannot be sent come back before those written since`() async throws {
        try await ModelScreen.open { screen in
            let (model, composer) = screen.conversation()
            screen.reachability.set(isReachable: false)
            try await screen.shows("it is offline") { if case .offline = model.connection { true } else { false } }
            composer.text = "first"
            let sending = try #require(composer.begin())
            composer.text = "second"
            await composer.finish(sending)
            #expect(composer.text == "first\nsecond")
            if case .refused = composer.state { return }
            Issue.record("\(composer.state)")
        }
    }

    @Test("A60 a limit keeps the words, and says which, until when, and what can be done")
    func limit() async throws {
        try await ModelScreen.open { screen in
            let lifts = screen.clock.wall.advanced(byMilliseconds: 7_200_000)
            let plans = NextStep("plans", "See the plans")
            screen.options.guide.stepsByCapability["messages"] = [plans, .wait]
            screen.server.answerRequests { request in
                request.method == "PUT" ? .limitReached("messages", resetsAt: lifts) : nil
            }
            let (model, composer) = screen.conversation()
            composer.text = "Hello"
            await composer.act()
            #expect(composer.text.isEmpty)
            try await screen.shows("it is refused", by: .milliseconds(50)) {
                model.exchanges.last?.answer.notice != nil
            }
            let notice = try #require(model.exchanges.last?.answer.notice)
            #expect(notice.capability == "messages")
            #expect(notice.resetsAt == lifts)
            #expect(notice.steps == [plans, .wait])
            #expect(notice.words(at: lifts.advanced(byMilliseconds: -7_200_000)).hasSuffix("it lifts in 2 hours"))
            try await screen.shows("the words are back") { composer.text == "Hello" }
            #expect(composer.action == .send)
        }
    }

    @Test("A28 offline a prompt is refused before it is sent, and the words stay") func offline() async throws {
        try await ModelScreen.open { screen in
            let (model, composer) = screen.conversation()
            screen.reachability.set(isReachable: false)
            try await screen.shows("it is offline") { if case .offline = model.connection { true } else { false } }
            composer.text = "Hello"
            #expect(composer.action == .send)
            await composer.act()
            guard case .refused(let notice) = composer.state else {
                Issue.record("it was not refused")
                return
            }
            #expect(notice.refusal.code == .offline)
            #expect(notice.steps == [.tryAgain])
            #expect(composer.text == "Hello")
            composer.text = "Hello!"
            #expect(composer.state == .writing, "the notice goes when the person goes on")
            #expect(screen.server.runs.isEmpty)
        }
    }

    @Test("A29 where the app queues, the button says so, and a waiting prompt can be taken back")
    func queue() async throws {
        try await ModelScreen.open(configure: { $0.offlinePolicy = .queue(expiry: .seconds(60)) }) { screen in
            let (model, composer) = screen.conversation()
            screen.reachability.set(isReachable: false)
            try await screen.shows("it is offline") { if case .offline = model.connection { true } else { false } }
            composer.text = "Hello"
            #expect(composer.action == .queue)
            await composer.act()
            let exchange = try #require(model.exchanges.last)
            #expect(exchange.answer.controls == [.cancel])
            #expect(exchange.answer.status?.words == "Waiting for a connection")
            await model.cancel(exchange.id)
            try await screen.shows("the words are back") { composer.text == "Hello" }
        }
    }
}
