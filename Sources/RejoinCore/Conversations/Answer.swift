/// What a person sees of one answer, as a fold over its log: the same on server, client, terminal and page.
public struct Answer: Equatable, Sendable {
    /// Where an answer is between its first event and its last.
    public enum State: Equatable, Sendable {
        case queued
        case streaming
        case ended(Event.End)

        /// The state's name on the wire.
        public var name: String {
            switch self {
            case .queued: "queued"
            case .streaming: "streaming"
            case .ended(let end): end.state.rawValue
            }
        }

        /// How it ended, if it has.
        public var end: Event.End? { if case .ended(let end) = self { end } else { nil } }
    }

    /// A part of the answer, of which a piece more costs the same however long it is.
    public enum Part: Equatable, Sendable {
        case text(GrowingText)
        case attachment(Event.Attachment)

        /// Takes a part as it is stored.
        public init(_ part: ContentPart) {
            switch part {
            case .text(let text): self = .text(GrowingText(text))
            case .attachment(let attachment): self = .attachment(attachment)
            }
        }
    }

    /// What applying an event did.
    public enum Application: Equatable, Sendable {
        /// The event was next in line and counts now.
        case applied
        /// The number was already held: nothing changed.
        case duplicate
        /// A number is missing before this one: nothing changed, and the reader must ask again from its cursor.
        case gap
        /// The answer has ended: nothing may follow.
        case afterEnd
    }

    public let id: AnswerID
    public let turn: TurnID
    public private(set) var state: State = .queued
    /// The number of the last event applied: the cursor to resume from.
    public private(set) var seq = 0
    /// The parts in order; neighbouring pieces of text are one part.
    public private(set) var parts: [Part] = []
    /// The model's reasoning, where it is shown.
    public private(set) var thoughts = GrowingText()
    public private(set) var sources: [Event.Source] = []
    public private(set) var status: Event.Status?
    public private(set) var model: Event.Model?
    public private(set) var usage: Event.Usage?
    /// Turns that did not fit the context, as announced.
    public private(set) var droppedTurns = 0
    /// Why the text was taken back, if it was.
    public private(set) var withdrawal: String?
    /// Events of types that this version does not know.
    public private(set) var skipped = 0

    /// Starts before the first event.
    public init(id: AnswerID, turn: TurnID) {
        self.id = id
        self.turn = turn
    }

    /// Starts from a stored snapshot, which stands for every event up to `seq`.
    public init(
        id: AnswerID, turn: TurnID, state: State, seq: Int, content: [ContentPart], model: Event.Model? = nil,
        usage: Event.Usage? = nil, reasoning: String = "", sources: [Event.Source] = [], droppedTurns: Int = 0,
        withdrawal: String? = nil, skipped: Int = 0
    ) {
        self.init(id: id, turn: turn)
        self.state = state
        self.seq = seq
        self.parts = content.map(Part.init)
        self.model = model
        self.usage = usage
        self.thoughts = GrowingText(reasoning)
        self.sources = sources
        self.droppedTurns = droppedTurns
        self.withdrawal = withdrawal
        self.skipped = skipped
    }

    /// The parts in order, each text as one, which costs as much as they are long.
    public var content: [ContentPart] {
        parts.map { part in
            switch part {
            case .text(let text): .text(text.string)
            case .attachment(let attachment): .attachment(attachment)
            }
        }
    }

    /// Whether there is no part yet, or none any more.
    public var isBlank: Bool { parts.isEmpty }

    /// The text parts joined, which costs as much as they are long.
    public var text: String { words.string }

    /// The text parts joined; while they are one, as they nearly always are, nothing is copied.
    public var words: GrowingText {
        var words = GrowingText()
        for case .text(let text) in parts { words.append(text) }
        return words
    }

    /// The model's reasoning as one text.
    public var reasoning: String { thoughts.string }

    /// Applies the next event.
    ///
    /// Repeats, gaps and anything after the end change nothing.
    @discardableResult
    public mutating func apply(_ numbered: NumberedEvent) -> Application {
        guard numbered.seq > seq else { return .duplicate }
        if case .ended = state { return .afterEnd }
        if case .snapshot(let snapshot) = numbered.event {
            guard snapshot.seq == numbered.seq else { return .gap }
        } else if numbered.seq != seq + 1 {
            return .gap
        }
        seq = numbered.seq
        fold(numbered.event)
        return .applied
    }

    private mutating func fold(_ event: Event) {
        switch event {
        case .status(let status):
            self.status = status
            if status.phase != .queued { begin() }
        case .text(let piece):
            begin()
            status = nil
            // Appending in place: taking the part out first keeps its storage unique.
            if case .text(var text)? = parts.last {
                parts.removeLast()
                text.append(piece)
                parts.append(.text(text))
            } else {
                parts.append(.text(GrowingText(piece)))
            }
        case .reasoning(let piece):
            begin()
            thoughts.append(piece)
        case .source(let source): sources.append(source)
        case .attachment(let attachment): parts.append(.attachment(attachment))
        case .tool: begin()
        case .model(let model): self.model = model
        case .compaction(let dropped, _): droppedTurns = dropped
        case .withdrawn(let reason):
            withdrawal = reason
            parts = []
            thoughts = GrowingText()
        case .usage(let usage): self.usage = usage
        case .snapshot(let snapshot):
            begin()
            parts = snapshot.content.map(Part.init)
            // What was taken back stays so, also if who made the snapshot does not say it.
            withdrawal = snapshot.withdrawal ?? withdrawal
        case .end(let end):
            state = .ended(end)
            status = nil
        case .unknown: skipped += 1
        }
    }

    private mutating func begin() {
        if state == .queued { state = .streaming }
    }
}
