package import RejoinClient
package import RejoinCore

/// Everything that the screen of a chat shows, as one value: the same value is the same screen.
///
/// It holds no connection and no clock. ``handle(_:)`` says what a key does to it and what must be done elsewhere.
package struct ChatView: Sendable {
    /// Where keys go.
    package enum Focus: Equatable, Sendable { case composer, messages, list }

    /// What lies over the conversation and takes the keys until it is closed.
    package enum Overlay: Equatable, Sendable {
        case help(top: Int)
        case search(SearchView)
        case delete(ConversationID, title: String)
        case rename(ConversationID, LineEditor)
    }

    /// A sentence that goes by itself.
    package struct Notice: Equatable, Sendable {
        package var words: String
        package var until: Timestamp
    }

    package var size: Size
    /// The moment that ages and durations are counted to.
    package var now: Timestamp
    package var connection = ConnectionState.online
    /// What the server says is left, in words.
    package var limits: String?
    package private(set) var notice: Notice?
    package var model: String

    package var list: [ConversationRow] = []
    /// The row under the list's cursor.
    package var listPosition = 0

    /// The conversation that is open; nil while a new one is being written.
    package var conversation: ConversationID?
    package var title = ""
    /// Whether the conversation leaves nothing behind.
    package var isTemporary = false
    package private(set) var exchanges: [ExchangeView] = []
    package var scroll = Scroll.following
    /// The message under the cursor of the messages.
    package var selected: MessageID?

    package var composer = LineEditor()
    package var history = PromptHistory()
    /// The prompt that the composer's text will stand beside as a branch.
    package var editing: TurnID?
    /// Whether what was sent is not kept yet; nothing else is sent meanwhile.
    package internal(set) var isSending = false

    package var focus = Focus.composer
    package var overlay: Overlay?
    /// Whether one more Ctrl-C leaves.
    package var isLeaving = false

    /// A chat in which nothing has been said.
    package init(size: Size, now: Timestamp, model: String = "auto") {
        self.size = size
        self.now = now
        self.model = model
    }

    /// Shows another path, and keeps the place in it by the message that stands at the top.
    package mutating func show(_ exchanges: [ExchangeView]) {
        if case .at(let index, let line) = scroll, let id = message(at: index) {
            let new = exchanges.firstIndex { $0.turn == id.turn }
            scroll = new.map { .at(message: $0 * 2 + index % 2, line: line) } ?? .following
        }
        self.exchanges = exchanges
        if let selected, !exchanges.contains(where: { $0.turn == selected.turn }) { self.selected = nil }
    }

    /// Shows what has come of an answer that is on the path.
    package mutating func show(_ answer: Answer, _ phase: AnswerPhase) {
        // What streams is nearly always the last.
        guard let index = exchanges.lastIndex(where: { $0.answer.id == answer.id }) else { return }
        exchanges[index].update(answer, phase)
    }

    /// Says something for a while.
    package mutating func say(_ words: String, forSeconds seconds: Int64 = 6) {
        notice = Notice(words: words, until: now.advanced(byMilliseconds: seconds * 1000))
    }

    /// Moves the clock, and lets go of what was said for a while.
    package mutating func advance(to now: Timestamp) {
        self.now = now
        if let notice, notice.until <= now { self.notice = nil }
    }

    /// The answer that is under way on the path that is shown.
    package var running: ExchangeView? {
        guard let last = exchanges.last, last.isRunning else { return nil }
        return last
    }

    /// Whether both the list and the conversation have room.
    package var isWide: Bool { size.columns >= 100 }

    /// Which message stands at a number: prompts at even ones, answers at odd ones.
    func message(at index: Int) -> MessageID? {
        guard exchanges.indices.contains(index / 2), index >= 0 else { return nil }
        let turn = exchanges[index / 2].turn
        return index % 2 == 0 ? .prompt(turn) : .answer(turn)
    }

    /// The number of a message.
    func index(of message: MessageID) -> Int? {
        exchanges.lastIndex { $0.turn == message.turn }.map { $0 * 2 + (message.isPrompt ? 0 : 1) }
    }
}

/// Which part of the conversation is on the screen.
package enum Scroll: Equatable, Sendable {
    /// The end, whatever comes.
    case following
    /// A message (see ``ChatView/message(at:)``) and the line of it that stands at the top.
    case at(message: Int, line: Int)
}

/// One message of a path.
package enum MessageID: Hashable, Sendable {
    case prompt(TurnID)
    /// The answer that is chosen for a turn.
    case answer(TurnID)

    var turn: TurnID {
        switch self {
        case .prompt(let turn), .answer(let turn): turn
        }
    }

    var isPrompt: Bool { if case .prompt = self { true } else { false } }
}
