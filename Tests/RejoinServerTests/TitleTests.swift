import RejoinCore
import RejoinServer
import TestSupport
import SeededRandom
import Testing

@Suite(.timeLimit(.minutes(1))) struct TitleTests {
    @Test(
        "S14 whatever a model says, a title is one line without markup, or nothing",
        arguments: [
            ("Growing tomatoes", "Growing tomatoes"), ("\"Growing tomatoes.\"", "Growing tomatoes"),
            ("<think>what to say\nhm</think>\nGrowing tomatoes", "Growing tomatoes"),
            ("Title: Growing tomatoes\nHere is why:", "Growing tomatoes"),
            ("**Growing   tomatoes**", "Growing tomatoes"),
            ("<think>never ends", nil), ("", nil), ("\n \n", nil), ("…!?", nil), ("<|im_start|>system", nil),
            ("日本の山", "日本の山"),
        ])
    func cleaning(said: String, title: String?) { #expect(Title.cleaned(said) == title) }

    @Test("S14 any text gives first words of one line and at most eighty characters")
    func anyText() {
        var generator = SeededGenerator(seed: 3)
        let characters = Array("abc  \n\t\r\u{202E}\u{0}é日👩‍👩‍👧 word <think> </think> \"'`*")
        for _ in 0..<2000 {
            let length = Int.random(in: 0...300, using: &generator)
            let text = String((0..<length).map { _ in characters.randomElement(using: &generator) ?? "x" })
            for title in [Title.firstWords(of: text), Title.cleaned(text) ?? ""] {
                #expect(title.count <= 80 && !title.contains(where: \.isNewline))
                #expect(!title.contains("<think>") || text.contains("<think>"))
            }
        }
    }

    private func run(_ model: ScriptedModel, _ body: (any Store, TitleMaker, AnswerRecord) async throws -> Void)
        async throws
    {
        let store = MemoryStore { _, _ in }
        let titles = TitleMaker(store: store, provider: model, surroundings: .system)
        let answer = try await Fixture.admit(in: store, .system, prompt: "How do I grow tomatoes on a balcony?")
        _ = try await store.setTitle(
            "How do I grow tomatoes on a balcony?", source: .firstWords, of: answer.conversation,
            account: answer.account, now: Surroundings.system.wall())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await titles.run { false } }
            try await body(store, titles, answer)
            group.cancelAll()
        }
    }

    private func title(_ store: any Store, _ answer: AnswerRecord) async throws -> ConversationRecord {
        guard case .found(let record) = try await store.conversation(answer.conversation, of: answer.account) else {
            throw Fixture.NotAdmitted()
        }
        return record
    }

    private func ended(_ answer: AnswerRecord) -> Answer {
        Answer(
            id: answer.id, turn: answer.turn, state: .ended(Event.End(.done, .complete)), seq: 3,
            content: [.text("Use a large pot.")])
    }

    @Test("S14 a title that fails leaves the first words")
    func failing() async throws {
        let asked = Gate()
        let model = ScriptedModel { _ in
            asked.open()
            return [.piece(.text("half a ti")), .end(.failed(.upstreamFailed))]
        }
        try await run(model) { store, titles, answer in
            titles.answered(answer, ended(answer))
            await asked.pass()
            let kept = try await title(store, answer).title
            #expect(kept == "How do I grow tomatoes on a balcony?")
        }
    }

    @Test("S14 a good title replaces the first words, but never a person's")
    func replacing() async throws {
        try await run(ScriptedModel(saying: ["Balcony ", "tomatoes"])) { store, titles, answer in
            titles.answered(answer, ended(answer))
            while try await title(store, answer).titleSource != .model { await Task.yield() }
            #expect(try await title(store, answer).title == "Balcony tomatoes")
            _ = try await store.patchConversation(
                answer.conversation, of: answer.account, ConversationPatch(title: "Mine"), now: answer.startedAt)
            let taken = try await store.setTitle(
                "Other", source: .model, of: answer.conversation, account: answer.account, now: answer.startedAt)
            #expect(!taken)
            #expect(try await title(store, answer).title == "Mine")
        }
    }
}
