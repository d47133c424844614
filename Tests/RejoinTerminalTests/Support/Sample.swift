import RejoinClient
import RejoinCore
import RejoinTerminal

/// Conversations to draw.
enum Sample {
    static let now = Timestamp(milliseconds: 1_800_000_000_000)

    static func turn(_ number: Int) -> TurnID { TurnID(high: 1, low: UInt64(number)) }
    static func answer(_ number: Int) -> AnswerID { AnswerID(high: 2, low: UInt64(number)) }
    static func conversation(_ number: Int) -> ConversationID { ConversationID(high: 3, low: UInt64(number)) }

    static func answer(_ number: Int, _ text: String, state: Answer.State, seq: Int = 5) -> Answer {
        Answer(
            id: answer(number), turn: turn(number), state: state, seq: seq, content: text.isEmpty ? [] : [.text(text)],
            model: Event.Model("qwen", placement: .server))
    }

    static func exchange(
        _ number: Int, _ prompt: String, _ text: String, _ end: EndState? = .done,
        local: LocalState = .none, delivery: Delivery = .delivered, branches: Choice? = nil
    ) -> ExchangeView {
        let reason: EndReason? =
            switch end {
            case .stopped: .stoppedByPerson
            case .interrupted: .serverCrashed
            default: nil
            }
        let state: Answer.State = end.map { .ended(Event.End($0, reason: reason?.rawValue)) } ?? .streaming
        return exchange(
            number, prompt, answer(number, text, state: state), local: local, delivery: delivery, branches: branches)
    }

    static func exchange(
        _ number: Int, _ prompt: String, _ answer: Answer, local: LocalState = .none, delivery: Delivery = .delivered,
        branches: Choice? = nil
    ) -> ExchangeView {
        let phase = AnswerPhase(StoredAnswer(answer: answer, local: local), delivery: delivery)
        return ExchangeView(
            turn: turn(number), prompt: prompt, answer: answer, phase: phase, branches: branches.flatMap(Versions.init),
            startedAt: phase.isRunning ? now.advanced(byMilliseconds: -12_400) : nil)
    }

    /// A conversation with something of everything.
    static func view(columns: Int, rows: Int = 22) -> ChatView {
        var view = ChatView(size: Size(columns: columns, rows: rows), now: now)
        view.list = [
            ConversationRow(id: conversation(1), title: "A pinned conversation about a long subject", isPinned: true),
            ConversationRow(id: conversation(2), title: "Tea"),
            ConversationRow(id: conversation(3), title: "", unsent: 1),
        ]
        view.conversation = conversation(2)
        view.title = "Tea"
        view.show([
            exchange(
                1, "How long does green tea steep?", "Two to three minutes, at 80 °C.",
                branches: Choice(number: 2, count: 3, previous: answer(8), next: answer(9))),
            exchange(2, "And 煎茶?", "Sencha 煎茶 takes one", .stopped),
            exchange(3, "תודה", "", nil),
        ])
        return view
    }

    static func draw(_ view: ChatView) -> String {
        var screen = ChatScreen()
        return screen.draw(view).text
    }
}
