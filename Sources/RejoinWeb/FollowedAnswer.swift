#if arch(wasm32)
import RejoinCore
import RejoinMarkdown

/// One answer as the page shows it: the fold over its events, its text as blocks, and what is said aloud of it.
///
/// A class, so that passing one on copies nothing: copying a fold is a lot of code.
final class FollowedAnswer {
    /// What the page has to do after feeding bytes.
    enum Outcome: Int32 {
        /// Draw what there is; more may come.
        case growing = 0
        /// The answer has ended: close the connection.
        case ended = 1
        /// A number is missing or an event is broken: ask again from the last number held.
        case broken = 2
        /// There is no such answer.
        case unknown = 3
    }

    private static let nobody = Answer(id: AnswerID(high: 0, low: 0), turn: TurnID(high: 0, low: 0))

    private(set) var answer = FollowedAnswer.nobody
    private var parser = EventStreamParser()
    private(set) var outcome = Outcome.growing
    private var picture = Picture()
    private var announcer = Announcer(after: FollowedAnswer.nobody)

    /// Starts from an answer as the server stored it.
    func load(_ stored: Answer) {
        let isSame = stored.text == answer.text
        answer = stored
        outcome = stored.state.end == nil ? .growing : .ended
        if !isSame { picture.replace(with: stored.text) }
        if stored.state.end != nil { picture.finish() }
    }

    /// From here on what is new is said; what is there already is not.
    func beginToSpeak() { announcer = Announcer(after: answer) }

    /// Feeds the next bytes of the event stream, cut anywhere.
    func feed(_ piece: [UInt8]) -> Outcome {
        var parser = self.parser
        self.parser = EventStreamParser()
        parser.feed(piece) { take($0) }
        if parser.isOverflowing, outcome == .growing { outcome = .broken }
        self.parser = parser
        return outcome
    }

    /// Forgets a half-read event and a broken stream: the next bytes come from a new connection.
    func reopen() {
        parser = EventStreamParser()
        if outcome == .broken { outcome = .growing }
    }

    private func take(_ dispatched: ServerSentEvent) {
        guard outcome == .growing else { return }
        guard let numbered = NumberedEvent(dispatched) else { return outcome = .broken }
        var answer = self.answer
        self.answer = FollowedAnswer.nobody
        let application = answer.apply(numbered)
        self.answer = answer
        if application == .gap { return outcome = .broken }
        guard application == .applied else { return }
        switch numbered.event {
        case .text(let piece): picture.append(piece)
        case .snapshot, .withdrawn: picture.replace(with: answer.text)
        case .end:
            picture.finish()
            outcome = .ended
        default: break
        }
    }

    /// What changed of the text since the last patch, or all of it.
    func patch(isWhole: Bool) -> [UInt8] { picture.patch(isWhole: isWhole) }

    /// What there is to say since the last time.
    func announcements() -> [Announcement] { announcer.update(answer) }
}

/// The text of an answer as blocks, and what of it the page has not drawn yet.
///
/// However many pieces come, they are read once a frame: the page asks for a patch when it draws.
private struct Picture {
    private var stream = MarkdownStream()
    private var pending: [UInt8] = []
    private var isFinished = false
    private var isAfresh = true
    private var reading = CodeReading()

    mutating func append(_ piece: String) {
        if isFinished { return }
        pending += piece.utf8
    }

    mutating func replace(with text: String) {
        stream = MarkdownStream()
        pending = Array(text.utf8)
        isFinished = false
        isAfresh = true
        reading = CodeReading()
    }

    mutating func finish() { isFinished = true }

    mutating func patch(isWhole: Bool) -> [UInt8] {
        var writer = PatchWriter(after: reading)
        var changes: [MarkdownChange] = []
        if !pending.isEmpty, !stream.isFinished {
            changes.append(stream.append(pending))
            pending = []
        }
        if isFinished, !stream.isFinished { changes.append(stream.finish()) }
        if isWhole || isAfresh {
            writer.whole(stream)
        } else {
            for change in changes { writer.change(change, of: stream) }
        }
        isAfresh = false
        reading = writer.reading
        return writer.bytes
    }
}
#endif
