import RejoinCore
import RejoinTerminal
import Testing

@Suite struct ChatViewTests {
    static func press(_ view: inout ChatView, _ keys: Key...) -> [ChatAction] {
        keys.flatMap { view.handle(.key($0)) }
    }

    static func type(_ view: inout ChatView, _ text: String) {
        for scalar in text.unicodeScalars { _ = view.handle(.key(Key(.character(scalar)))) }
    }

    @Test func `Enter sends and the composer is free once the words are kept`() {
        var view = Sample.view(columns: 80)
        view.show([])
        Self.type(&view, "hello")
        let actions = Self.press(&view, Key(.enter, .alt), Key(.character("x")), Key(.enter))
        #expect(actions == [.saveDraft, .saveDraft, .send("hello\nx")])
        #expect(view.composer.text == "hello\nx")
        view.submitted("hello\nx")
        #expect(view.composer.isEmpty)
        let recalled = Self.press(&view, Key(.up))
        #expect(recalled == [])
        #expect(view.composer.text == "hello\nx")
    }

    @Test func `nothing is sent that is blank`() {
        var view = Sample.view(columns: 80)
        Self.type(&view, "  ")
        #expect(Self.press(&view, Key(.enter)) == [])
    }

    @Test func `words typed while others are being kept stay`() {
        var view = Sample.view(columns: 80)
        Self.type(&view, "first")
        _ = Self.press(&view, Key(.enter))
        Self.type(&view, " more")
        view.submitted("first")
        #expect(view.composer.text == "first more")
    }

    @Test func `Escape stops what runs, and Ctrl-C gives up one thing after the other`() {
        var view = Sample.view(columns: 80)
        #expect(Self.press(&view, Key(.escape)) == [.stop(Sample.answer(3))])
        #expect(Self.press(&view, .control("c")) == [.stop(Sample.answer(3))])
        view.show([Sample.exchange(3, "prompt", "words", nil, local: .stopRequested)])
        #expect(Self.press(&view, Key(.escape)) == [])
        Self.type(&view, "words")
        #expect(Self.press(&view, .control("c")) == [.saveDraft])
        #expect(view.composer.isEmpty)
        #expect(Self.press(&view, .control("c")) == [])
        #expect(view.notice?.words == "Ctrl-C again leaves")
        #expect(Self.press(&view, .control("c")) == [.quit])
    }

    @Test("A45 A46 the versions of a message are switched by arrows")
    func versions() {
        var view = Sample.view(columns: 80)
        _ = Self.press(&view, Key(.tab))
        view.selected = .prompt(Sample.turn(1))
        #expect(Self.press(&view, Key(.left)) == [.select(Sample.answer(8)), .reveal])
        #expect(Self.press(&view, Key(.right)) == [.select(Sample.answer(9)), .reveal])
        // An answer without versions of its own offers those of its prompt.
        view.selected = .answer(Sample.turn(1))
        #expect(Self.press(&view, Key(.left)) == [.select(Sample.answer(8)), .reveal])
        view.selected = .answer(Sample.turn(2))
        #expect(Self.press(&view, Key(.left)) == [])
    }

    @Test("A47 an earlier prompt is edited as a branch")
    func editing() {
        var view = Sample.view(columns: 80)
        _ = Self.press(&view, Key(.tab))
        view.selected = .answer(Sample.turn(1))
        #expect(Self.press(&view, Key(.character("e"))) == [.saveDraft])
        #expect(view.focus == .composer)
        Self.type(&view, "!")
        let text = "How long does green tea steep?!"
        #expect(Self.press(&view, Key(.enter)) == [.edit(Sample.turn(1), text)])
        view.submitted(text)
        #expect(view.editing == nil)
    }

    @Test func `another answer is asked for where there is one, another try where none came`() {
        var view = Sample.view(columns: 80)
        #expect(Self.press(&view, .control("r")) == [])
        #expect(view.notice?.words == "this answer is still being written (Esc stops it)")
        view.show([Sample.exchange(1, "prompt", "words")])
        #expect(Self.press(&view, .control("r")) == [.regenerate(Sample.turn(1))])
        view.show([ExchangeView(turn: Sample.turn(1), prompt: "prompt", delivery: .expired)])
        #expect(Self.press(&view, .control("r")) == [.retry(Sample.turn(1))])
        view.show([ExchangeView(turn: Sample.turn(1), prompt: "prompt", delivery: .waiting(expires: nil))])
        #expect(Self.press(&view, .control("r")) == [])
        _ = Self.press(&view, Key(.tab))
        #expect(Self.press(&view, Key(.character("x"))) == [.cancelWaiting(Sample.turn(1))])
    }

    @Test func `deleting asks first`() {
        var view = Sample.view(columns: 80)
        _ = Self.press(&view, .control("o"))
        #expect(view.listPosition == 1)
        #expect(Self.press(&view, Key(.character("d")), Key(.enter)) == [])
        #expect(Self.press(&view, Key(.character("d")), Key(.character("y"))) == [.delete(Sample.conversation(2))])
    }

    @Test func `a title is edited in one line`() {
        var view = Sample.view(columns: 80)
        _ = Self.press(&view, .control("o"), Key(.character("r")))
        _ = view.handle(.paste(" and\ncake"))
        #expect(Self.press(&view, Key(.enter)) == [.rename(Sample.conversation(2), "Tea and cake")])
    }

    @Test func `a search opens what it found`() {
        var view = Sample.view(columns: 80)
        _ = Self.press(&view, .control("f"))
        #expect(Self.press(&view, Key(.character("t"))) == [.search("t")])
        let hit = SearchView.Hit(
            conversation: Sample.conversation(1), turn: Sample.turn(4), title: "Tea", snippet: ["green ", "t", "ea"])
        view.show(hits: [hit], for: "late")
        #expect(!Sample.draw(view).contains("green tea"))
        view.show(hits: [hit], for: "t")
        #expect(Sample.draw(view).contains("  green tea"))
        #expect(Self.press(&view, Key(.enter)) == [.open(Sample.conversation(1)), .reveal])
        #expect(view.selected == .prompt(Sample.turn(4)))
    }

    @Test func `the cursor of the list stays on its conversation`() {
        var view = Sample.view(columns: 120)
        _ = Self.press(&view, .control("o"), Key(.down))
        #expect(view.listPosition == 2)
        view.show(list: [view.list[2], view.list[0], view.list[1]])
        #expect(view.listPosition == 0)
        #expect(Self.press(&view, Key(.enter)) == [.open(Sample.conversation(3))])
    }

    @Test func `the clock changes the screen only where an age is shown`() {
        var view = Sample.view(columns: 80)
        #expect(view.nextChange == Sample.now.advanced(byMilliseconds: 600))
        view.show([])
        #expect(view.nextChange == nil)
        view.connection = .offline(since: Sample.now.advanced(byMilliseconds: -90_000))
        #expect(view.nextChange == Sample.now.advanced(byMilliseconds: 30_000))
        view.say("something", forSeconds: 2)
        #expect(view.nextChange == Sample.now.advanced(byMilliseconds: 2000))
        view.advance(to: Sample.now.advanced(byMilliseconds: 2000))
        #expect(view.notice == nil)
    }

    @Test("A48 choosing a version leads to the newest end of its branch")
    func leaves() {
        var tree = ConversationTree()
        func turn(_ number: Int, after parent: AnswerID?, _ answers: Int...) {
            tree.add(
                Turn(id: Sample.turn(number), parent: parent, content: [], answers: answers.map { Sample.answer($0) }))
        }
        turn(1, after: nil, 10, 11)
        turn(2, after: Sample.answer(10), 20)
        turn(3, after: Sample.answer(20), 30, 31)
        turn(4, after: Sample.answer(10), 40)
        turn(5, after: Sample.answer(40))
        let versions = TreeVersions(tree)
        #expect(versions.leaf(below: Sample.answer(10)) == Sample.answer(40))
        #expect(versions.leaf(below: Sample.answer(20)) == Sample.answer(31))
        #expect(
            versions.answers(around: Sample.answer(11))
                == Versions(position: 2, count: 2, previous: Sample.answer(40), next: nil))
        #expect(
            versions.prompts(around: Sample.turn(4))
                == Versions(position: 2, count: 2, previous: Sample.answer(31), next: nil))
        #expect(versions.prompts(around: Sample.turn(3)) == nil)
    }
}
