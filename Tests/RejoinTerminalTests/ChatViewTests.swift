import RejoinClient
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
        #expect(view.composer.isEmpty)
        view.submitted()
        let recalled = Self.press(&view, Key(.up))
        #expect(recalled == [])
        #expect(view.composer.text == "hello\nx")
    }

    @Test func `nothing is sent that is blank`() {
        var view = Sample.view(columns: 80)
        Self.type(&view, "  ")
        let actions1 = Self.press(&view, Key(.enter))
        #expect(actions1 == [])
    }

    @Test func `words typed while others are being kept are the next prompt`() {
        var view = Sample.view(columns: 80)
        view.show([])
        Self.type(&view, "first")
        _ = Self.press(&view, Key(.enter))
        Self.type(&view, "second")
        // Where it belongs is not known before the first is kept.
        let early = Self.press(&view, Key(.enter))
        view.submitted()
        let late = Self.press(&view, Key(.enter))
        #expect(early == [])
        #expect(late == [.send("second")])
    }

    @Test func `Escape stops what runs, and Ctrl-C gives up one thing after the other`() {
        var view = Sample.view(columns: 80)
        let actions2 = Self.press(&view, Key(.escape))
        #expect(actions2 == [.stop(Sample.answer(3))])
        let actions3 = Self.press(&view, .control("c"))
        #expect(actions3 == [.stop(Sample.answer(3))])
        view.show([Sample.exchange(3, "prompt", "words", nil, local: .stopRequested)])
        let actions4 = Self.press(&view, Key(.escape))
        #expect(actions4 == [])
        Self.type(&view, "words")
        let actions5 = Self.press(&view, .control("c"))
        #expect(actions5 == [.saveDraft])
        #expect(view.composer.isEmpty)
        let actions6 = Self.press(&view, .control("c"))
        #expect(actions6 == [])
        #expect(view.notice?.words == "Ctrl-C again leaves")
        let actions7 = Self.press(&view, .control("c"))
        #expect(actions7 == [.quit])
    }

    @Test("A45 A46 the versions of a message are switched by arrows")
    func versions() {
        var view = Sample.view(columns: 80)
        _ = Self.press(&view, Key(.tab))
        view.selected = .prompt(Sample.turn(1))
        let actions8 = Self.press(&view, Key(.left))
        #expect(actions8 == [.select(Sample.answer(8)), .reveal])
        let actions9 = Self.press(&view, Key(.right))
        #expect(actions9 == [.select(Sample.answer(9)), .reveal])
        // An answer without versions of its own offers those of its prompt.
        view.selected = .answer(Sample.turn(1))
        let actions10 = Self.press(&view, Key(.left))
        #expect(actions10 == [.select(Sample.answer(8)), .reveal])
        view.selected = .answer(Sample.turn(2))
        let actions11 = Self.press(&view, Key(.left))
        #expect(actions11 == [])
    }

    @Test("A47 an earlier prompt is edited as a branch")
    func editing() {
        var view = Sample.view(columns: 80)
        _ = Self.press(&view, Key(.tab))
        view.selected = .answer(Sample.turn(1))
        let actions12 = Self.press(&view, Key(.character("e")))
        #expect(actions12 == [.saveDraft])
        #expect(view.focus == .composer)
        Self.type(&view, "!")
        let text = "How long does green tea steep?!"
        let actions13 = Self.press(&view, Key(.enter))
        #expect(actions13 == [.edit(Sample.turn(1), text)])
        #expect(view.editing == nil)
    }

    @Test func `another answer is asked for where there is one, another try where none came`() {
        var view = Sample.view(columns: 80)
        let actions14 = Self.press(&view, .control("r"))
        #expect(actions14 == [])
        #expect(view.notice?.words == "this answer is still being written (Esc stops it)")
        view.show([Sample.exchange(1, "prompt", "words")])
        let actions15 = Self.press(&view, .control("r"))
        #expect(actions15 == [.regenerate(Sample.turn(1))])
        view.show([Sample.exchange(1, "prompt", "", nil, delivery: .expired)])
        let actions16 = Self.press(&view, .control("r"))
        #expect(actions16 == [.retry(Sample.turn(1))])
        view.show([Sample.exchange(1, "prompt", "", nil, delivery: .waiting(since: Sample.now, expires: nil))])
        let actions17 = Self.press(&view, .control("r"))
        #expect(actions17 == [])
        _ = Self.press(&view, Key(.tab))
        let actions18 = Self.press(&view, Key(.character("x")))
        #expect(actions18 == [.stop(Sample.answer(1))])
    }

    @Test func `deleting asks first`() {
        var view = Sample.view(columns: 80)
        _ = Self.press(&view, .control("o"))
        #expect(view.listPosition == 1)
        let actions19 = Self.press(&view, Key(.character("d")), Key(.enter))
        #expect(actions19 == [])
        let actions20 = Self.press(&view, Key(.character("d")), Key(.character("y")))
        #expect(actions20 == [.delete(Sample.conversation(2))])
    }

    @Test func `a title is edited in one line`() {
        var view = Sample.view(columns: 80)
        _ = Self.press(&view, .control("o"), Key(.character("r")))
        _ = view.handle(.paste(" and\ncake"))
        let actions21 = Self.press(&view, Key(.enter))
        #expect(actions21 == [.rename(Sample.conversation(2), "Tea and cake")])
    }

    @Test func `a search opens what it found`() {
        var view = Sample.view(columns: 80)
        _ = Self.press(&view, .control("f"))
        let actions22 = Self.press(&view, Key(.character("t")))
        #expect(actions22 == [.search("t")])
        let hit = SearchView.Hit(
            conversation: Sample.conversation(1), turn: Sample.turn(4), title: "Tea", snippet: ["green ", "t", "ea"])
        view.show(hits: [hit], for: "late")
        #expect(!Sample.draw(view).contains("green tea"))
        view.show(hits: [hit], for: "t")
        #expect(Sample.draw(view).contains("▌ green tea"))
        let actions23 = Self.press(&view, Key(.enter))
        #expect(actions23 == [.open(Sample.conversation(1)), .reveal])
        #expect(view.selected == .prompt(Sample.turn(4)))
    }

    @Test func `the cursor of the list stays on its conversation`() {
        var view = Sample.view(columns: 120)
        _ = Self.press(&view, .control("o"), Key(.down))
        #expect(view.listPosition == 2)
        view.show(list: [view.list[2], view.list[0], view.list[1]])
        #expect(view.listPosition == 0)
        let actions24 = Self.press(&view, Key(.enter))
        #expect(actions24 == [.open(Sample.conversation(3))])
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
}
