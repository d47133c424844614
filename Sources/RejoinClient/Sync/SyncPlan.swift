import RejoinCore

/// What to fetch for a stretch of the change feed, and what to let alone.
///
/// Changes carry ids only; what this device wrote itself, or is being told by an open line, is not fetched again.
struct SyncPlan: Equatable, Sendable {
    /// What this device holds of a conversation.
    enum Holding: Equatable, Sendable {
        /// Nothing, or not any more.
        case none
        /// Its line of the list.
        case line
        /// Its turns as well.
        case tree
        /// It was deleted here.
        case deleted
    }

    /// Conversations that are gone.
    var deletions: [ConversationID] = []
    /// Conversations whose turns are to be fetched.
    var trees: [ConversationID] = []
    /// Conversations of which only the line of the list is to be fetched.
    var lines: [ConversationID] = []
    /// Answers to be fetched alone, in conversations that are otherwise known.
    var answers: [AnswerID] = []
    /// Whether the limits changed.
    var limits = false
    /// Whether what the person has decided changed.
    var consent = false
    /// Whether what is remembered changed.
    var memory = false

    /// Turns that are held here, in the order in which the server took them.
    private(set) var arrivals: [TurnID] = []

    /// What the device knows that decides what it need not fetch.
    struct Knowledge: Sendable {
        var holding: @Sendable (ConversationID) -> Holding
        /// Whether the turn is here and the server has it.
        var hasTurn: @Sendable (TurnID) -> Bool
        /// Whether the answer is here and has ended, or is being followed.
        var isSettled: @Sendable (AnswerID) -> Bool
        /// Whether the answer is here at all.
        var hasAnswer: @Sendable (AnswerID) -> Bool
    }

    /// Plans for changes, oldest first.
    init(_ changes: [Change], knowing knowledge: Knowledge) {
        var order: [ConversationID] = []
        var touched: [ConversationID: Need] = [:]
        for change in changes {
            if change.kind == "limits" { limits = true }
            if change.kind == "consent" { consent = true }
            if change.kind == "memory" { memory = true }
            if change.kind == "turn", let turn = TurnID(change.id), knowledge.hasTurn(turn) { arrivals.append(turn) }
            guard let conversation = change.conversation else { continue }
            if touched[conversation] == nil { order.append(conversation) }
            var need = touched[conversation] ?? Need()
            need.take(change, knowledge)
            touched[conversation] = need
        }
        for conversation in order {
            guard let need = touched[conversation] else { continue }
            if need.isGone {
                deletions.append(conversation)
                continue
            }
            switch knowledge.holding(conversation) {
            case .deleted: continue
            case .none, .line: lines.append(conversation)
            case .tree:
                if need.tree {
                    trees.append(conversation)
                } else {
                    answers += need.answers
                    if need.line { lines.append(conversation) }
                }
            }
        }
    }

    private struct Need {
        var isGone = false
        var tree = false
        var line = false
        var answers: [AnswerID] = []

        mutating func take(_ change: Change, _ knowledge: Knowledge) {
            switch change.kind {
            case "conversation" where change.isDeletion: isGone = true
            case "conversation", "title": line = true
            case "turn":
                if TurnID(change.id).map(knowledge.hasTurn) != true { tree = true }
            case "answer":
                guard let answer = AnswerID(change.id) else { return }
                if !knowledge.hasAnswer(answer) {
                    tree = true
                } else if !knowledge.isSettled(answer), !answers.contains(answer) {
                    answers.append(answer)
                }
            default: break
            }
        }
    }
}
