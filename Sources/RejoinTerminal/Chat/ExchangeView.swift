package import RejoinCore

/// A prompt and the answer chosen for it, as they are shown.
package struct ExchangeView: Equatable, Sendable {
    /// What has become of a prompt.
    package enum Delivery: Equatable, Sendable {
        /// It goes out when the server is there.
        case waiting(expires: Timestamp?)
        case sending
        case delivered
        /// Why the server did not take it, in words.
        case refused(String)
        case expired
    }

    package let turn: TurnID
    package let prompt: String
    package var delivery: Delivery
    /// This prompt among those that were written in its place.
    package var branches: Versions?
    package var answer: AnswerView?

    /// Puts an exchange together.
    package init(
        turn: TurnID, prompt: String, delivery: Delivery = .delivered, branches: Versions? = nil,
        answer: AnswerView? = nil
    ) {
        self.turn = turn
        self.prompt = prompt
        self.delivery = delivery
        self.branches = branches
        self.answer = answer
    }

    /// Whether an answer is under way or on its way.
    var isRunning: Bool {
        switch delivery {
        case .refused, .expired, .waiting: return false
        case .sending: return true
        case .delivered:
            guard let answer else { return false }
            return answer.answer.state.end == nil && answer.local.isRunning
        }
    }
}

/// An answer as it is shown: what the server said, and what only this device knows.
package struct AnswerView: Equatable, Sendable {
    /// What this device knows of an answer that the server has not said.
    package enum Local: Equatable, Sendable {
        case none, sending, waiting, streaming, interrupted, stopRequested
        case withdrawn(reason: String)

        /// Whether more of it may come: to a person, what was stopped has ended.
        var isRunning: Bool {
            switch self {
            case .none, .sending, .waiting, .streaming: true
            case .interrupted, .stopRequested, .withdrawn: false
            }
        }
    }

    package var answer: Answer
    package var local: Local
    /// This answer among those to the same prompt.
    package var versions: Versions?
    /// When this device first saw it under way.
    package var startedAt: Timestamp?

    /// Puts an answer together.
    package init(
        _ answer: Answer, local: Local = .none, versions: Versions? = nil, startedAt: Timestamp? = nil
    ) {
        self.answer = answer
        self.local = local
        self.versions = versions
        self.startedAt = startedAt
    }
}

/// Which of several versions is shown, and where the neighbouring ones lead.
package struct Versions: Equatable, Sendable {
    /// From 1.
    package var position: Int
    package var count: Int
    /// The last answer of the path through the version before.
    package var previous: AnswerID?
    package var next: AnswerID?

    /// Names a version; nil where there is only one.
    package init?(position: Int, count: Int, previous: AnswerID?, next: AnswerID?) {
        guard count > 1 else { return nil }
        self.position = position
        self.count = count
        self.previous = previous
        self.next = next
    }

    /// How it is written.
    var label: String { "‹ \(position)/\(count) ›" }
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
}

/// A search as it is being typed.
package struct SearchView: Equatable, Sendable {
    /// A place where the words were found.
    package struct Hit: Equatable, Sendable {
        package var conversation: ConversationID
        package var turn: TurnID?
        package var title: String
        /// Words around the place; what was found stands in the odd pieces.
        package var snippet: [String]

        /// Names a place.
        package init(conversation: ConversationID, turn: TurnID?, title: String, snippet: [String]) {
            self.conversation = conversation
            self.turn = turn
            self.title = title
            self.snippet = snippet
        }
    }

    package var words = LineEditor()
    package var hits: [Hit] = []
    /// What the hits were found for; nil before the first answer.
    package var found: String?
    package var position = 0
}
