package import RejoinClient
import RejoinCore

/// The client's word, which the view has a word of its own for.
private typealias HeldDelivery = Delivery

extension ExchangeView {
    /// The path of a conversation as this device holds it.
    package static func path(of stored: StoredTree) -> [ExchangeView] {
        let versions = TreeVersions(stored.tree)
        let turns = Dictionary(stored.turns.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return stored.path.compactMap { step -> ExchangeView? in
            guard let turn = turns[step.turn] else { return nil }
            let answer = step.answer.flatMap { stored.answers[$0] }.map { held in
                AnswerView(
                    held.answer, local: AnswerView.Local(held.local),
                    versions: versions.answers(around: held.answer.id),
                    startedAt: held.answer.state.end == nil ? held.answer.id.creation : nil)
            }
            return ExchangeView(
                turn: turn.id, prompt: ContentPart.text(of: turn.content), delivery: Delivery(turn.delivery),
                branches: versions.prompts(around: turn.id), answer: answer)
        }
    }
}

extension ExchangeView.Delivery {
    fileprivate init(_ delivery: HeldDelivery) {
        switch delivery {
        case .waiting(_, let expires): self = .waiting(expires: expires)
        case .sending: self = .sending
        case .delivered: self = .delivered
        case .refused(let refusal): self = .refused(Wording.refusal(refusal))
        case .expired: self = .expired
        }
    }
}

extension AnswerView.Local {
    init(_ local: LocalState) {
        switch local {
        case .none: self = .none
        case .sending: self = .sending
        case .waiting: self = .waiting
        case .streaming: self = .streaming
        case .interrupted: self = .interrupted
        case .stopRequested: self = .stopRequested
        case .withdrawn(let reason): self = .withdrawn(reason: reason)
        }
    }
}

extension ID {
    /// When whoever made the id made it.
    var creation: Timestamp { Timestamp(milliseconds: Int64(high >> 16)) }
}

extension SearchView.Hit {
    /// A hit with what was found set apart.
    package init(_ hit: SearchHit) {
        var pieces: [String] = []
        let bytes = Array(hit.snippet.utf8)
        var position = 0
        for match in hit.matches {
            let match = match.clamped(to: position..<max(bytes.count, position))
            pieces.append(String(decoding: bytes[position..<match.lowerBound], as: UTF8.self))
            pieces.append(String(decoding: bytes[match], as: UTF8.self))
            position = match.upperBound
        }
        pieces.append(String(decoding: bytes[position...], as: UTF8.self))
        self.init(conversation: hit.conversation, turn: hit.turn, title: hit.title, snippet: pieces)
    }
}

extension ConversationRow {
    init(_ stored: StoredConversation) {
        self.init(id: stored.id, title: stored.title.text, isPinned: stored.isPinned, unsent: stored.unsent)
    }
}

extension ChatView.Connection {
    init(_ state: ConnectionState) {
        switch state {
        case .online: self = .online
        case .offline(let since): self = .offline(since: since)
        case .reconnecting: self = .reconnecting
        case .signedOut: self = .signedOut
        }
    }
}
