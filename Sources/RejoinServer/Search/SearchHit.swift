package import RejoinCore

/// A text that holds what was looked for.
package struct SearchHit: Equatable, Sendable {
    /// What the text is.
    package enum Kind: String, Sendable { case title, prompt, answer }

    package var kind: Kind
    package var conversation: ConversationID
    /// What the conversation is called.
    package var title: String?
    /// The turn, if the text is a prompt or an answer.
    package var turn: TurnID?
    /// The answer, if the text is one.
    package var answer: AnswerID?
    /// When it was written.
    package var at: Timestamp
    /// A stretch of the text with the places that match.
    package var excerpt: Excerpt

    package init(
        kind: Kind, conversation: ConversationID, title: String?, turn: TurnID? = nil, answer: AnswerID? = nil,
        at: Timestamp, excerpt: Excerpt = Excerpt(of: "", around: [])
    ) {
        self.kind = kind
        self.conversation = conversation
        self.title = title
        self.turn = turn
        self.answer = answer
        self.at = at
        self.excerpt = excerpt
    }
}

/// A hit on its way to its place in the list.
package struct RankedHit: Sendable {
    package var hit: SearchHit
    package var score: Double
    /// What orders hits of one score: the greater is the newer.
    package var key: Int64

    package init(hit: SearchHit, score: Double, key: Int64) {
        self.hit = hit
        self.score = score
        self.key = key
    }

    /// What a title and a recent text have over others.
    ///
    /// - Parameters:
    ///   - place: how many of the same kind are newer.
    ///   - count: how many of the kind are compared at most.
    package static func bonus(isTitle: Bool, place: Int, of count: Int) -> Double {
        (isTitle ? 6 : 0) + 4 * (1 - Double(place) / Double(max(1, count)))
    }

    /// The best hits, best first.
    package static func best(_ hits: [RankedHit], limit: Int) -> [SearchHit] {
        hits.sorted { ($0.score, $0.key) > ($1.score, $1.key) }.prefix(max(0, limit)).map(\.hit)
    }
}
