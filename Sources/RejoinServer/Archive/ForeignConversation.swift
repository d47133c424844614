import RejoinCore

/// A conversation of another product, as messages that name the one before them.
struct ForeignConversation {
    /// Who said something; all else has no place in a conversation here.
    enum Role { case person, model, other }

    struct Message {
        var id: String
        /// The message before it; nil for the first.
        var parent: String?
        var role: Role
        var content: [ContentPart] = []
        var at: Timestamp?
        var model: String?
    }

    /// The product, which keeps its names apart from those of others.
    var product: String
    var id: String
    var title: String?
    var createdAt: Timestamp?
    var updatedAt: Timestamp?
    var isPinned = false
    var isArchived = false
    /// In the order of the file.
    var messages: [Message] = []
    /// The message that was looked at last.
    var selected: String?
}

extension ForeignConversation {
    /// The conversation as a tree of turns and answers.
    ///
    /// What is neither a person's nor a model's is passed over: what follows it hangs where it hung. Messages of a model
    /// that follow each other are one answer. A prompt that nobody answered gets an answer without words, interrupted,
    /// and words of a model that no prompt came before get a prompt without words.
    ///
    /// - Parameter now: what stands for times that are missing.
    /// - Returns: nil if nothing was said.
    func tree(for account: AccountID, now: Timestamp, _ note: (String?, ImportReport.Fault.Reason) -> Void)
        -> ConversationContents?
    {
        var builder = TreeBuilder(self, account: account, now: now)
        return builder.build(note)
    }
}

/// Turns messages into turns and answers.
private struct TreeBuilder {
    private let source: ForeignConversation
    private let account: AccountID
    private let ids: DerivedIDs
    private let conversation: ConversationID
    private let start: Timestamp
    private var positions: [String: Int] = [:]
    /// For each message that was kept, those that follow it.
    private var children: [[Int]]
    private var turns: [TurnRecord] = []
    private var answers: [AnswerRecord] = []

    init(_ source: ForeignConversation, account: AccountID, now: Timestamp) {
        self.source = source
        self.account = account
        ids = DerivedIDs(account: account, space: source.product)
        conversation = ids.id("conversation", source.id)
        start = source.createdAt ?? source.messages.lazy.compactMap(\.at).first ?? source.updatedAt ?? now
        children = Array(repeating: [], count: source.messages.count)
    }

    mutating func build(_ note: (String?, ImportReport.Fault.Reason) -> Void) -> ConversationContents? {
        for (index, message) in source.messages.enumerated() where positions[message.id] == nil {
            positions[message.id] = index
        }
        var roots: [Int] = []
        for (index, message) in source.messages.enumerated() where positions[message.id] == index {
            if let parent = message.parent, positions[parent] == nil { note(message.id, .missingParent) }
            if let parent = message.parent.flatMap({ positions[$0] }) {
                children[parent].append(index)
            } else {
                roots.append(index)
            }
        }
        let reached = walk(from: roots)
        if reached < positions.count { note(nil, .ring) }
        guard !turns.isEmpty else { return nil }
        return ConversationContents(conversation: record(), turns: turns, answers: answers)
    }

    /// What stands above a message while the tree is walked.
    private struct Above {
        /// The answer that a prompt here follows; nil at the beginning.
        var answer: AnswerID?
        /// The turn that words of a model here answer, and what was already said to it.
        var turn: TurnID?
        var said: [ContentPart] = []
        var at: Timestamp
    }

    /// Walks the tree from its roots, parents before children, without recursion: chains can be long.
    ///
    /// - Returns: how many messages were reached.
    private mutating func walk(from roots: [Int]) -> Int {
        var pending = roots.reversed().map { ($0, Above(at: start)) }
        var reached = 0
        while let (index, above) = pending.popLast() {
            reached += 1
            let message = source.messages[index]
            var below = above
            below.at = message.at ?? above.at
            switch message.role {
            case .other: break
            case .person:
                below.turn = addTurn(message, after: promptParent(above), at: below.at)
                below.said = []
                below.answer = nil
                if !leadsToModel(index) { below.answer = addAnswer(to: below, message, content: [], isWhole: false) }
            case .model:
                if below.turn == nil { below.turn = addTurn(nil, id: message.id, after: above.answer, at: below.at) }
                below.said += message.content
                below.answer = nil
                // The last of a chain of a model's messages is where the answer is whole.
                if !leadsToModel(index) || leadsToPerson(index) {
                    below.answer = addAnswer(to: below, message, content: below.said, isWhole: true)
                }
            }
            for child in children[index].reversed() { pending.append((child, below)) }
        }
        return reached
    }

    /// The answer that a prompt hangs on: where a prompt follows a prompt, one without words stands between.
    private mutating func promptParent(_ above: Above) -> AnswerID? {
        if let answer = above.answer { return answer }
        guard let turn = above.turn else { return nil }
        if let there = answers.last(where: { $0.turn == turn }) { return there.id }
        let id: AnswerID = ids.id("answer", source.id, "none", turn.description)
        append(id, to: turn, content: [], model: nil, at: above.at, isWhole: false)
        return id
    }

    /// Whether the next words below a message, past all that has no place, are a model's.
    private func leadsToModel(_ index: Int) -> Bool { leads(index, to: .model) }

    private func leadsToPerson(_ index: Int) -> Bool { leads(index, to: .person) }

    private func leads(_ index: Int, to role: ForeignConversation.Role) -> Bool {
        var pending = children[index]
        while let next = pending.popLast() {
            let message = source.messages[next]
            if message.role == role { return true }
            if message.role == .other { pending += children[next] }
        }
        return false
    }

    private mutating func addTurn(
        _ message: ForeignConversation.Message?, id: String? = nil, after parent: AnswerID?, at: Timestamp
    ) -> TurnID {
        let turn: TurnID = ids.id("turn", source.id, message?.id ?? "before " + (id ?? ""))
        turns.append(
            TurnRecord(
                id: turn, conversation: conversation, parent: parent, content: message?.content ?? [], model: "auto",
                options: Array("{}".utf8), createdAt: at))
        return turn
    }

    private mutating func addAnswer(
        to above: Above, _ message: ForeignConversation.Message, content: [ContentPart], isWhole: Bool
    ) -> AnswerID? {
        guard let turn = above.turn else { return nil }
        let id: AnswerID =
            isWhole ? ids.id("answer", source.id, message.id) : ids.id("answer", source.id, "none", turn.description)
        append(id, to: turn, content: content, model: message.model, at: above.at, isWhole: isWhole)
        return id
    }

    private mutating func append(
        _ id: AnswerID, to turn: TurnID, content: [ContentPart], model: String?, at: Timestamp, isWhole: Bool
    ) {
        let end: Event.End = isWhole ? .init(.done, .complete) : .init(.interrupted, reason: nil)
        answers.append(
            AnswerRecord(
                id: id, turn: turn, conversation: conversation, account: account, requestedModel: model ?? "auto",
                options: Array("{}".utf8), end: end, seq: 1, content: joined(content),
                model: model.map { Event.Model($0, placement: .provider) }, startedAt: at, endedAt: at))
    }

    /// Texts that follow each other are paragraphs of one.
    private func joined(_ parts: [ContentPart]) -> [ContentPart] {
        var joined: [ContentPart] = []
        for part in parts {
            if case .text(let next) = part, case .text(let text)? = joined.last {
                joined[joined.count - 1] = .text(text + "\n\n" + next)
            } else {
                joined.append(part)
            }
        }
        return joined
    }

    private func record() -> ConversationRecord {
        let title = source.title?.split(whereSeparator: \.isNewline).joined(separator: " ").trimmingSpace
        let shown = title.flatMap { $0.isEmpty ? nil : String($0.prefix(200)) }
        let last = answers.map(\.startedAt).max() ?? start
        var record = ConversationRecord(
            id: conversation, title: shown, titleSource: shown == nil ? .none : .person, createdAt: start,
            updatedAt: max(start, source.updatedAt ?? last), isPinned: source.isPinned, isArchived: source.isArchived)
        if let selected = source.selected { record.selected = selectedAnswer(selected) }
        return record
    }

    /// The answer that a message belongs to, or the nearest above it.
    private func selectedAnswer(_ message: String) -> AnswerID? {
        let known = Set(answers.map(\.id))
        var next = positions[message]
        for _ in source.messages {
            guard let index = next else { return nil }
            let candidates: [AnswerID] = [
                ids.id("answer", source.id, source.messages[index].id),
                ids.id(
                    "answer", source.id, "none",
                    (ids.id("turn", source.id, source.messages[index].id) as TurnID).description),
            ]
            if let found = candidates.first(where: known.contains) { return found }
            next = source.messages[index].parent.flatMap { positions[$0] }
        }
        return nil
    }
}
