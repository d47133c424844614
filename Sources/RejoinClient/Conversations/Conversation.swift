public import RejoinCore

/// A conversation as the server holds it: the tree, every answer, and the path that is selected.
public struct Conversation: Equatable, Sendable {
    public let id: ConversationID
    public let title: String
    public let tree: ConversationTree
    public let answers: [AnswerID: Answer]
    /// The last answer of the selected path; nil in an empty conversation.
    public let selected: AnswerID?
    /// The line that the list shows of it; its `selected` is nil where nobody chose.
    public let summary: ConversationSummary
    public let isTemporary: Bool
    /// What the server keeps of each turn beside its words.
    public let turnDetails: [TurnID: TurnDetail]

    /// When a turn was asked, and of which model.
    public struct TurnDetail: Equatable, Sendable {
        public let model: String
        public let createdAt: Timestamp?
    }

    /// One prompt of a path with the answer chosen for it.
    public struct Exchange: Equatable, Sendable {
        public let turn: TurnID
        /// The prompt's text parts joined.
        public let prompt: String
        public let answer: Answer?
    }

    /// The selected path, first turn first: what a person sees.
    public var path: [Exchange] { path(to: selected) }

    /// The path that leads to an answer; empty for nil.
    public func path(to answer: AnswerID?) -> [Exchange] {
        guard let answer else { return [] }
        return tree.path(to: answer).map { step in
            Exchange(
                turn: step.turn, prompt: ContentPart.text(of: tree[step.turn]?.content ?? []),
                answer: step.answer.flatMap { answers[$0] })
        }
    }

    init?(_ value: JSONValue) {
        guard let object = value.object, let summary = ConversationSummary(value) else { return nil }
        var tree = ConversationTree()
        var answers: [AnswerID: Answer] = [:]
        var details: [TurnID: TurnDetail] = [:]
        for turn in object["turns"]?.array ?? [] {
            guard let object = turn.object, let id = object["id"]?.string.flatMap({ TurnID($0) }),
                let content = object["content"]?.array.flatMap(ContentPart.parts)
            else { return nil }
            var ids: [AnswerID] = []
            for value in object["answers"]?.array ?? [] {
                guard let answer = Answer(value, turn: id) else { return nil }
                ids.append(answer.id)
                answers[answer.id] = answer
            }
            let parent = object["parent"]?.string.flatMap { AnswerID($0) }
            tree.add(Turn(id: id, parent: parent, content: content, answers: ids))
            details[id] = TurnDetail(
                model: object["model"]?.string ?? "auto",
                createdAt: object["created_at"]?.string.flatMap { Timestamp($0) })
        }
        id = summary.id
        title = summary.title
        self.summary = summary
        isTemporary = object["temporary"]?.bool ?? false
        turnDetails = details
        self.tree = tree
        self.answers = answers
        selected = summary.selected.flatMap { answers[$0]?.id } ?? tree.newestLeaf
    }
}

extension Answer {
    /// Reads a snapshot as the server gives it for one answer.
    init?(_ value: JSONValue, turn: TurnID? = nil) {
        guard let object = value.object, let id = object["id"]?.string.flatMap({ AnswerID($0) }),
            let turn = turn ?? object["turn"]?.string.flatMap({ TurnID($0) }),
            let name = object["state"]?.string, let seq = object["seq"]?.integer, seq >= 0,
            let content = object["content"]?.array.flatMap(ContentPart.parts)
        else { return nil }
        let state: State
        switch name {
        case "queued": state = .queued
        case "streaming": state = .streaming
        default:
            guard let end = EndState(rawValue: name) else { return nil }
            let resetsAt = object["resets_at"]?.string.flatMap { Timestamp($0) }
            state = .ended(Event.End(end, reason: object["reason"]?.string, resetsAt: resetsAt))
        }
        var model: Event.Model?
        if let name = object["model"]?.string {
            let placement = object["placement"]?.string.flatMap(Event.Placement.init(rawValue:))
            let reason = object["model_reason"]?.string
            model = placement.map { Event.Model(name, placement: $0, reason: reason) }
        }
        // While an answer runs its words may be in the log alone: without them it is read from the first event on.
        let isBehind = content.isEmpty && (name == "queued" || name == "streaming")
        self.init(
            id: id, turn: turn, state: state, seq: isBehind ? 0 : seq, content: content, model: model,
            usage: Event.Usage(object["usage"]), withdrawal: object["withdrawn"]?.string)
    }
}

extension Event.Usage {
    fileprivate init?(_ value: JSONValue?) {
        guard let object = value?.object, let input = object["input_tokens"]?.integer,
            let output = object["output_tokens"]?.integer
        else { return nil }
        self.init(
            inputTokens: input, outputTokens: output, isEstimated: object["estimated"]?.bool ?? false)
    }
}
