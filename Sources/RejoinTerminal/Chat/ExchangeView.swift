package import RejoinClient
package import RejoinCore

/// A prompt and the answer chosen for it, as they are shown.
package struct ExchangeView: Equatable, Sendable {
    package let turn: TurnID
    package let prompt: String
    package var answer: Answer
    /// What prompt and answer are doing: always one thing.
    package var phase: AnswerPhase
    /// This prompt among those that were written in its place.
    package var branches: Versions?
    /// This answer among those to the same prompt.
    package var versions: Versions?
    /// When the answer was asked for; nil for one that is over.
    package var startedAt: Timestamp?
    /// How far the prompt is, which tells whether this device answers it.
    package var delivery = Delivery.delivered

    /// Puts an exchange together.
    package init(
        turn: TurnID, prompt: String, answer: Answer, phase: AnswerPhase, branches: Versions? = nil,
        versions: Versions? = nil, startedAt: Timestamp? = nil
    ) {
        self.turn = turn
        self.prompt = prompt
        self.answer = answer
        self.phase = phase
        self.branches = branches
        self.versions = versions
        self.startedAt = startedAt
    }

    /// Shows an exchange as it is now.
    @MainActor package init(_ exchange: Exchange) {
        self.init(
            turn: exchange.id, prompt: exchange.prompt, answer: exchange.answer.answer, phase: exchange.answer.phase,
            branches: Versions(exchange.branches), versions: Versions(exchange.versions))
        delivery = exchange.turn.delivery
        noteStart()
    }

    /// Shows what has come of the answer.
    package mutating func update(_ answer: Answer, _ phase: AnswerPhase) {
        self.answer = answer
        self.phase = phase
        noteStart()
    }

    private mutating func noteStart() {
        if !phase.isRunning { startedAt = nil } else if startedAt == nil { startedAt = answer.id.creation }
    }

    /// What can be done with prompt and answer.
    var controls: [AnswerControl] { phase.controls(hasText: !answer.isBlank) }

    /// Whether the answer's text may still grow.
    var mayGrow: Bool {
        switch phase {
        case .ended, .withdrawn: false
        default: true
        }
    }

    /// Whether an answer is under way or on its way.
    var isRunning: Bool { controls.contains(.stop) }
}

/// Which of several versions is shown, and where the neighbouring ones lead.
package struct Versions: Equatable, Sendable {
    /// Always of several.
    let choice: Choice

    /// Names a version; nil where there is only one.
    package init?(_ choice: Choice) {
        guard choice.count > 1 else { return nil }
        self.choice = choice
    }

    /// How it is written.
    var label: String { "‹ \(choice.number)/\(choice.count) ›" }
}

/// One line of the list.
package struct ConversationRow: Equatable, Sendable {
    package var id: ConversationID
    package var title: String
    package var isPinned: Bool
    /// Prompts that wait to be sent.
    package var unsent: Int

    /// Puts a line together.
    package init(id: ConversationID, title: String, isPinned: Bool = false, unsent: Int = 0) {
        self.id = id
        self.title = title
        self.isPinned = isPinned
        self.unsent = unsent
    }

    init(_ stored: StoredConversation) {
        self.init(id: stored.id, title: stored.title.text, isPinned: stored.isPinned, unsent: stored.unsent)
    }
}

extension ID {
    /// When whoever made the id made it.
    fileprivate var creation: Timestamp { Timestamp(milliseconds: Int64(high >> 16)) }
}
