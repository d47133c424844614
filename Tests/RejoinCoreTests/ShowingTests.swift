import RejoinCore
import SeededRandom
import Testing

@Suite struct ShowingTests {
    @Test("A64 a thousand changes between two frames are one frame's work") func oneFrame() {
        var batch = FrameBatch<Int>()
        let asked = (0..<1000).count { _ in batch.note(7) }
        #expect(asked == 1)
        let another = batch.note(8)
        #expect(!another)
        let frame = batch.take()
        #expect(frame == [7, 8])
        #expect(batch.isEmpty)
        let isAskedAnew = batch.note(7)
        #expect(isAskedAnew)
    }

    @Test("A68 a view at the end follows") func follows() {
        var position = ScrollPosition(window: 20)
        position.resize(to: 15)
        #expect(position.offset == 0)
        position.resize(to: 50)
        #expect(position.mode == .following)
        #expect(position.offset == 30)
        #expect(!position.offersJump)
        position.resize(window: 10)
        #expect(position.offset == 40)
    }

    @Test("A68 a reader who scrolled up stays, is offered the way down, and follows again after it") func stays() {
        var position = ScrollPosition(window: 20)
        position.resize(to: 100)
        position.scroll(to: 60)
        #expect(position.mode == .staying)
        #expect(position.offersJump)
        position.resize(to: 300)
        position.resize(window: 15)
        #expect(position.offset == 60)
        position.jump()
        #expect(position.mode == .following)
        #expect(position.offset == 285)
        position.resize(to: 310)
        #expect(position.offset == 295)
    }

    @Test("A68 scrolling back to the end follows again") func returnsByHand() {
        var position = ScrollPosition(window: 20, slack: 2)
        position.resize(to: 100)
        position.scroll(to: 10)
        position.scroll(to: 78.5)
        #expect(position.mode == .following)
        position.scroll(to: 1000)
        #expect(position.offset == 80)
        position.scroll(to: -5)
        #expect(position.offset == 0)
        #expect(position.mode == .staying)
    }

    @Test("A69 sending follows again, and growth above the reader does not move what they see") func sending() {
        var position = ScrollPosition(window: 20)
        position.resize(to: 100)
        position.scroll(to: 30)
        position.resize(to: 140, growthAbove: 40)
        #expect(position.offset == 70)
        position.resize(to: 120, growthAbove: -20)
        #expect(position.offset == 50)
        #expect(position.mode == .staying)
        position.sent()
        #expect(position.mode == .following)
        #expect(position.offset == 100)
    }

    @Test func `a text that shrinks below the reader has nothing to jump to`() {
        var position = ScrollPosition(window: 20)
        position.resize(to: 100)
        position.scroll(to: 50)
        position.resize(to: 30)
        #expect(position.mode == .following)
        #expect(position.offset == 10)
    }

    @Test("A71 whatever the pieces, what is shown ends where a character of the whole text ends", arguments: 0..<200)
    func wholeCharacters(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let atoms = [
            "e", "\u{301}", "👩", "\u{200D}", "👧", "🇩", "🇪", "א", "\u{5B8}", "\r", "\n", " ", "क", "\u{94D}", "ष", "한",
            "\u{1112}", "\u{1161}", "1", "\u{FE0F}", "\u{20E3}", "👍", "🏽",
        ]
        let scalars = (0..<40).map { _ in atoms.randomElement(using: &generator) ?? "a" }
        let whole = Array(scalars.joined())
        var text = ""
        var growing = GrowingText()
        var shownBefore = ""
        for piece in scalars {
            text += piece
            growing.append(piece)
            let shown = WholeCharacters.shown(of: growing, mayGrow: true).string
            #expect(Array(shown) == Array(whole.prefix(shown.count)))
            #expect(shown.hasPrefix(shownBefore), "what was shown stays")
            #expect(text.count - shown.count <= 1, "no more than one character is held back")
            shownBefore = shown
        }
        #expect(WholeCharacters.shown(of: growing, mayGrow: false) == GrowingText(text))
    }
}
