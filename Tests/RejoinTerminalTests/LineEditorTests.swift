import RejoinTerminal
import SeededRandom
import Testing

@Suite struct LineEditorTests {
    @Test func `marks join what they follow and go with it`() {
        var editor = LineEditor()
        editor.insert("e")
        editor.insert("\u{301}")
        #expect(editor.characters == ["é"])
        #expect(editor.cursor == 1)
        editor.deleteBackward()
        #expect(editor.isEmpty)
        editor.insert("👩")
        editor.insert("\u{200D}")
        editor.insert("👧")
        #expect(editor.characters.count == 1)
        editor.moveLeft()
        #expect(editor.cursor == 0)
    }

    @Test func `deleting what kept two apart joins them`() {
        var editor = LineEditor("🇩x🇪")
        editor.moveLeft()
        editor.deleteBackward()
        #expect(editor.characters == ["🇩🇪"])
        #expect(editor.cursor <= 1)
    }

    @Test func `a paste of many lines is taken with line feeds alone`() {
        var editor = LineEditor("<>")
        editor.moveLeft()
        editor.insert("one\r\ntwo\rthree\u{1B}\u{0}\tfour\u{2028}")
        #expect(editor.text == "<one\ntwo\nthree\tfour\n>")
        #expect(editor.cursor == editor.characters.count - 1)
    }

    @Test func `words are moved over and cut, and cuts add up`() {
        var editor = LineEditor("one two, three")
        editor.moveWordLeft()
        #expect(editor.cursor == 9)
        editor.moveWordLeft()
        #expect(editor.cursor == 4)
        editor.moveWordRight()
        #expect(editor.cursor == 7)
        editor.moveToEnd()
        editor.cutWordBackward()
        editor.cutWordBackward()
        #expect(editor.text == "one ")
        #expect(editor.cut == "two, three")
        editor.moveToStart()
        editor.paste()
        #expect(editor.text == "two, threeone ")
        editor.cutToLineEnd()
        #expect(editor.cut == "one ")
        editor.cutToLineStart()
        #expect(editor.text == "")
        #expect(editor.cut == "two, threeone ")
    }

    @Test func `the ends of lines are those of the text`() {
        var editor = LineEditor("first\nsecond")
        editor.moveToLineStart()
        #expect(editor.cursor == 6)
        editor.cutToLineStart()
        #expect(editor.text == "firstsecond")
        editor.insert("\n")
        editor.moveToStart()
        editor.moveToLineEnd()
        #expect(editor.cursor == 5)
        editor.cutToLineEnd()
        #expect(editor.text == "firstsecond")
        editor.deleteForward()
        #expect(editor.text == "firstecond")
    }

    @Test func `up and down follow the lines of the screen and keep the column`() {
        var editor = LineEditor("abcdefgh\nx\nabcdefgh")
        let moved1 = editor.move(lines: 1, width: 20)
        #expect(!moved1)
        editor.moveLeft()
        let moved2 = editor.move(lines: -1, width: 20)
        #expect(moved2)
        #expect(editor.cursor == 10)
        let moved3 = editor.move(lines: -1, width: 20)
        #expect(moved3)
        #expect(editor.cursor == 7)
        let moved4 = editor.move(lines: -1, width: 20)
        #expect(!moved4)
        // Of three columns: abc, def, gh; and moving sideways forgets the column.
        editor.moveLeft()
        editor.moveRight()
        let moved5 = editor.move(lines: -1, width: 3)
        #expect(moved5)
        #expect(editor.cursor == 4)
        let moved6 = editor.move(lines: -1, width: 3)
        #expect(moved6)
        #expect(editor.cursor == 1)
    }

    @Test func `the cursor stands where the next character will appear`() {
        let layout = LineEditor("one two three").layout(width: 8)
        #expect(layout.lines.map(\.characters) == [0..<8, 8..<13])
        #expect(layout.cursorLine == 1)
        #expect(layout.cursorColumn == 5)
        #expect(LineEditor("漢字").layout(width: 8).cursorColumn == 4)
        let empty = LineEditor().layout(width: 8)
        #expect(empty.lines.count == 1)
        #expect(empty.cursorColumn == 0)
        let after = LineEditor("a\n").layout(width: 8)
        #expect(after.cursorLine == 1)
        // From right to left the next character appears left of the last.
        #expect(LineEditor("שלום").layout(width: 8).cursorColumn == 3)
        #expect(LineEditor("12345678").layout(width: 8).cursorColumn == 7)
    }

    @Test(arguments: 0..<80)
    func `whatever is done, the text stays segmented and the cursor inside of it`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var editor = LineEditor()
        for _ in 0..<120 {
            let width = Int.random(in: 2...20, using: &generator)
            switch Int.random(in: 0..<16, using: &generator) {
            case 0: editor.moveLeft()
            case 1: editor.moveRight()
            case 2: editor.moveWordLeft()
            case 3: editor.moveWordRight()
            case 4: editor.deleteBackward()
            case 5: editor.deleteForward()
            case 6: editor.cutWordBackward()
            case 7: editor.cutToLineEnd()
            case 8: editor.paste()
            case 9: editor.move(lines: Bool.random(using: &generator) ? 1 : -1, width: width)
            default: editor.insert(TextLayoutTests.alphabet.randomElement(using: &generator) ?? "")
            }
            #expect(editor.characters == Array(editor.text))
            #expect((0...editor.characters.count).contains(editor.cursor))
            let layout = editor.layout(width: width)
            #expect(layout.lines.indices.contains(layout.cursorLine))
            #expect((0..<width).contains(layout.cursorColumn))
        }
    }

    @Test func `history goes back and forth and keeps what was being typed`() {
        var history = PromptHistory(["one"])
        history.add("two")
        history.add("two")
        let back = [history.older(than: "draft"), history.older(than: "two"), history.older(than: "one")]
        #expect(back == ["two", "one", nil])
        let forth = [history.newer(), history.newer(), history.newer()]
        #expect(forth == ["two", "draft", nil])
    }
}
