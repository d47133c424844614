import RejoinMarkdown
import SeededRandom
import Testing

@Suite struct StreamTests {
    /// Feeds pieces and checks, after each, that what was told is what there is.
    private func follow(
        _ pieces: [ArraySlice<UInt8>], _ extensions: MarkdownExtensions = .all
    ) -> (stream: MarkdownStream, picture: Picture) {
        var stream = MarkdownStream(extensions: extensions)
        var picture = Picture()
        for piece in pieces {
            picture.apply(stream.append(piece), of: stream)
            compare(picture, with: stream)
        }
        picture.apply(stream.finish(), of: stream)
        compare(picture, with: stream)
        return (stream, picture)
    }

    private func compare(_ picture: Picture, with stream: MarkdownStream) {
        let now = Picture(of: stream)
        if picture.blocks != now.blocks {
            for id in Set(picture.blocks.keys).union(now.blocks.keys).sorted()
            where picture.blocks[id] != now.blocks[id] {
                Issue.record(
                    "\(id): told \(String(describing: picture.blocks[id])), is \(String(describing: now.blocks[id]))")
            }
        }
        #expect(picture.wrong.isEmpty, "\(picture.wrong)")
    }

    private func whole(_ text: String, _ extensions: MarkdownExtensions = .all) -> MarkdownStream {
        var stream = MarkdownStream(extensions: extensions)
        _ = stream.append(text)
        _ = stream.finish()
        return stream
    }

    @Test(
        "A65 A66 at every prefix of the specification's examples, what is told is what there is, and nothing settled changes"
    )
    func everyPrefix() {
        for text in Corpus.all {
            let pieces = text.utf8.map { ArraySlice([$0]) }
            let (stream, picture) = follow(pieces)
            let all = whole(text)
            #expect(picture.blocks == Picture(of: all).blocks, "\(text)")
            #expect(ReferenceWriter.html(of: stream) == ReferenceWriter.html(of: all), "\(text)")
            #expect(Set(picture.blocks.filter { $0.value.parent == 0 }.keys).isSubset(of: picture.settled))
        }
    }

    @Test("A65 random texts, cut anywhere, end as if they had come at once")
    func randomTexts() {
        var generator = SeededGenerator(seed: 20_261_130)
        for round in 0..<1500 {
            let text = Corpus.random(Int.random(in: 1...40, using: &generator), using: &generator)
            let pieces = Corpus.cut(text, longest: round % 2 == 0 ? 3 : 12, using: &generator)
            let (stream, picture) = follow(pieces)
            let all = whole(text)
            #expect(picture.blocks == Picture(of: all).blocks, "\(text.debugDescription)")
            #expect(ReferenceWriter.html(of: stream) == ReferenceWriter.html(of: all), "\(text.debugDescription)")
        }
    }

    @Test func `a definition that comes late touches only the blocks that name it`() {
        var stream = MarkdownStream()
        _ = stream.append("One [a].\n\nTwo [b].\n\nThree.\n\n")
        let change = stream.append("[a]: https://a.example\n\n")
        #expect(change.changed == [1])
        #expect(change.removed.isEmpty && change.replaced.isEmpty)
        #expect(stream.inlines(of: 1).parts.contains { $0.kind == .openLink })
        let late = stream.append("[^1]: note\n\n").changed
        #expect(late.isEmpty)
    }

    @Test func `bytes that are no UTF-8 come out as what could not be read`() {
        var stream = MarkdownStream()
        _ = stream.append([0x61, 0xFF, 0xE2, 0x82])
        _ = stream.append([0x41, 0x00, 0xF0, 0x9F])
        _ = stream.finish()
        #expect(ReferenceWriter.html(of: stream) == "<p>a\u{FFFD}\u{FFFD}A\u{FFFD}\u{FFFD}</p>\n")
    }

    @Test func `a carriage return and a newline in two pieces end one line`() {
        var stream = MarkdownStream()
        for piece in ["a\r", "\nb\r", "\n\r", "\nc"] { _ = stream.append(piece) }
        _ = stream.finish()
        #expect(ReferenceWriter.html(of: stream) == "<p>a\nb</p>\n<p>c</p>\n")
    }

    @Test func `a text that comes whole becomes what it becomes in pieces`() {
        var generator = SeededGenerator(seed: 5)
        for text in Corpus.all + (0..<200).map({ _ in Corpus.random(40, using: &generator) }) {
            var stream = MarkdownStream()
            for piece in Corpus.cut(text, longest: 20, using: &generator) { _ = stream.append(piece) }
            _ = stream.finish()
            let whole = MarkdownStream(whole: text.utf8)
            #expect(whole.isFinished)
            var (writer, other) = (HTMLWriter(), HTMLWriter())
            #expect(writer.html(of: whole) == other.html(of: stream), "\(text.debugDescription)")
        }
    }
}
