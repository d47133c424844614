public import Observation
public import RejoinCore

/// One answer as a front shows it.
///
/// It changes at most once a frame, by itself: a front that draws it needs not look at the rest of the conversation.
@MainActor @Observable public final class AnswerModel: Identifiable {
    /// All that changes, together, so that one frame is one change.
    ///
    /// It cannot be compared as a whole: that would cost more the longer the answer is.
    struct Shown {
        var stored: StoredAnswer
        var delivery: Delivery
        var waited: Duration?

        /// Whether it looks the same; a number stands for all words up to it.
        func isLike(_ other: Shown) -> Bool {
            stored.answer.seq == other.stored.answer.seq && stored.answer.state == other.stored.answer.state
                && stored.local == other.stored.local && delivery == other.delivery && waited == other.waited
        }
    }

    public nonisolated let id: AnswerID
    private(set) var shown: Shown
    @ObservationIgnored private var announcer: Announcer
    @ObservationIgnored private let guide: RefusalGuide
    /// Since when there has been nothing to read.
    @ObservationIgnored private(set) var blankSince: Timestamp?

    init(_ stored: StoredAnswer, delivery: Delivery, since: Timestamp, guide: RefusalGuide) {
        id = stored.answer.id
        self.guide = guide
        shown = Shown(stored: stored, delivery: delivery)
        announcer = Announcer(after: stored.answer, isInterrupted: stored.local == .interrupted)
        blankSince = stored.answer.isBlank ? since : nil
    }

    /// The answer as far as it has come; nothing of its text is copied.
    public var answer: Answer { shown.stored.answer }

    /// What it is doing.
    public var phase: AnswerPhase { AnswerPhase(shown.stored, delivery: shown.delivery) }

    /// The parts that can be shown: none ends within a character.
    ///
    /// The cost depends on the number of parts, and not on how long they are.
    public var parts: [Answer.Part] {
        var parts = answer.parts
        if case .text(let text)? = parts.last {
            parts[parts.count - 1] = .text(WholeCharacters.shown(of: text, mayGrow: phase.mayGrow))
        }
        return parts
    }

    /// The words that can be shown.
    ///
    /// While they are one part, as they nearly always are, this costs the same however long they are.
    public var words: GrowingText {
        let words = answer.words
        guard case .text? = answer.parts.last else { return words }
        return WholeCharacters.shown(of: words, mayGrow: phase.mayGrow)
    }

    /// The words that can be shown as one text, which costs as much as they are long.
    ///
    /// A front that shows long answers adds ``GrowingText/rest(after:)`` of ``words`` to what it shows already.
    public var text: String { words.string }

    /// The line that stands where words are to come; nil while there are some.
    public var status: StatusLine? { StatusLine(phase, status: answer.status, waited: shown.waited) }

    /// What a person can do with it now.
    public var controls: [AnswerControl] { phase.controls(hasText: !answer.isBlank) }

    /// Why it was refused and what can be done about that; nil where nothing was.
    public var notice: RefusalNotice? {
        switch phase {
        case .refused(let refusal): guide.notice(for: refusal)
        case .ended(let end) where end.state == .refused:
            guide.notice(for: ClientRefusal(.init(end.reason ?? "refused"), resetsAt: end.resetsAt))
        default: nil
        }
    }

    /// Takes what is known now; says what is to be announced.
    func update(_ stored: StoredAnswer, delivery: Delivery, now: Timestamp) -> [Announcement] {
        var next = Shown(stored: stored, delivery: delivery, waited: shown.waited)
        if !stored.answer.isBlank {
            blankSince = nil
            next.waited = nil
        } else if !AnswerPhase(stored, delivery: delivery).isRunning {
            next.waited = nil
        } else if blankSince == nil {
            blankSince = now
        }
        let held = answer
        // What is stored may lag behind what is shown, and takes no words away.
        if stored.answer.seq < held.seq, stored.answer.state.end == nil { next.stored.answer = held }
        if !next.isLike(shown) { shown = next }
        return announcer.update(answer, isInterrupted: shown.stored.local == .interrupted)
    }

    /// Takes more of the words.
    func grow(_ fold: Answer, now: Timestamp) -> [Announcement] {
        let local: LocalState =
            switch shown.stored.local {
            // Words are coming: an earlier note is out of date.
            case .sending, .waiting, .interrupted: fold.seq > answer.seq ? .streaming : shown.stored.local
            case let local: local
            }
        if fold.seq <= answer.seq { return [] }
        return update(StoredAnswer(answer: fold, local: local), delivery: shown.delivery, now: now)
    }

    /// Notes how long there has been nothing to read.
    ///
    /// - Returns: when to look again; nil if not at all.
    func noteWait(_ patience: Duration, now: Timestamp) -> Duration? {
        guard phase.isRunning, let blankSince, shown.delivery.isUnderWay else { return nil }
        let waited = Duration.milliseconds(max(0, now.milliseconds - blankSince.milliseconds))
        if waited < patience { return patience - waited }
        let whole = Duration.seconds(waited.components.seconds)
        if shown.waited != whole { shown.waited = whole }
        return .seconds(1)
    }
}

extension Delivery {
    /// Whether the prompt is on its way or there: what waits for a connection is not slow.
    fileprivate var isUnderWay: Bool {
        switch self {
        case .sending, .delivered, .onDevice: true
        case .waiting, .refused, .expired: false
        }
    }
}
