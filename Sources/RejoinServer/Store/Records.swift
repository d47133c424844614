package import RejoinCore

/// An account as the store keeps it.
package struct AccountRecord: Equatable, Sendable {
    package var id: AccountID
    /// Unique, compared without regard to case.
    package var name: String
    /// An argon2id string, or nil for an account that signs in by token alone.
    package var passwordHash: String?
    package var createdAt: Timestamp
    /// The plan's name; nil for the plan of everybody who has none of their own.
    package var plan: String?
    package var role: Role

    package init(
        id: AccountID, name: String, passwordHash: String?, createdAt: Timestamp, plan: String? = nil,
        role: Role = .member
    ) {
        self.id = id
        self.name = name
        self.passwordHash = passwordHash
        self.createdAt = createdAt
        self.plan = plan
        self.role = role
    }
}

/// A device that is signed in.
///
/// The token itself is never stored, only its hash.
package struct SessionRecord: Equatable, Sendable {
    package var id: SessionID
    package var account: AccountID
    package var device: String
    package var createdAt: Timestamp
    /// When it last asked for something, to within some minutes.
    package var seenAt: Timestamp

    /// - Parameter seenAt: nil for a device that is being signed in.
    package init(id: SessionID, account: AccountID, device: String, createdAt: Timestamp, seenAt: Timestamp? = nil) {
        self.id = id
        self.account = account
        self.device = device
        self.createdAt = createdAt
        self.seenAt = seenAt ?? createdAt
    }
}

/// A conversation's own facts, without its turns.
package struct ConversationRecord: Equatable, Sendable {
    /// Where a title came from: a person's is never overwritten.
    package enum TitleSource: Int, Sendable { case none, firstWords, model, person }

    package var id: ConversationID
    package var title: String?
    package var titleSource: TitleSource
    package var createdAt: Timestamp
    package var updatedAt: Timestamp
    package var isPinned: Bool
    package var isArchived: Bool
    package var isTemporary: Bool
    /// Whether it is given what is remembered, and may add to it, where the account's memory is on; never if temporary.
    package var usesMemory: Bool
    /// The leaf of the path that the person last looked at; nil until one was chosen.
    package var selected: AnswerID?

    package init(
        id: ConversationID, title: String?, titleSource: TitleSource, createdAt: Timestamp, updatedAt: Timestamp,
        isPinned: Bool = false, isArchived: Bool = false, isTemporary: Bool = false, usesMemory: Bool = true,
        selected: AnswerID? = nil
    ) {
        self.id = id
        self.title = title
        self.titleSource = titleSource
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.isPinned = isPinned
        self.isArchived = isArchived
        self.isTemporary = isTemporary
        self.usesMemory = usesMemory
        self.selected = selected
    }
}

/// A prompt as it was admitted.
package struct TurnRecord: Equatable, Sendable {
    package var id: TurnID
    package var conversation: ConversationID
    package var parent: AnswerID?
    package var content: [ContentPart]
    package var model: String
    /// The options of the request as JSON with its names sorted, so that equal options are equal bytes.
    package var options: [UInt8]
    package var createdAt: Timestamp

    package init(
        id: TurnID, conversation: ConversationID, parent: AnswerID?, content: [ContentPart], model: String,
        options: [UInt8], createdAt: Timestamp
    ) {
        self.id = id
        self.conversation = conversation
        self.parent = parent
        self.content = content
        self.model = model
        self.options = options
        self.createdAt = createdAt
    }
}

/// An answer as the store keeps it: while it runs, the log is ahead of these fields.
package struct AnswerRecord: Equatable, Sendable {
    package var id: AnswerID
    package var turn: TurnID
    package var conversation: ConversationID
    package var account: AccountID
    /// What the request asked for, before any routing: a model's name, or `auto`.
    package var requestedModel: String
    /// As ``TurnRecord/options``.
    package var options: [UInt8]
    /// Nil until the log holds its `end`.
    package var end: Event.End?
    /// The number of the last event in the log.
    package var seq: Int
    /// Empty until the answer has ended: until then the content is the fold of the log.
    package var content: [ContentPart]
    package var model: Event.Model?
    package var usage: Event.Usage?
    package var startedAt: Timestamp
    package var endedAt: Timestamp?
    /// Why the text was taken back; nil until the answer has ended, and where it was not.
    package var withdrawal: String?
    /// What was sent to which model, in order.
    package var sent: [Sending]

    package init(
        id: AnswerID, turn: TurnID, conversation: ConversationID, account: AccountID, requestedModel: String,
        options: [UInt8], end: Event.End? = nil, seq: Int = 0, content: [ContentPart] = [], model: Event.Model? = nil,
        usage: Event.Usage? = nil, startedAt: Timestamp, endedAt: Timestamp? = nil, withdrawal: String? = nil,
        sent: [Sending] = []
    ) {
        self.id = id
        self.turn = turn
        self.conversation = conversation
        self.account = account
        self.requestedModel = requestedModel
        self.options = options
        self.end = end
        self.seq = seq
        self.content = content
        self.model = model
        self.usage = usage
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.withdrawal = withdrawal
        self.sent = sent
    }
}

/// One entry of an account's change feed: an id that changed, never content.
package struct Change: Equatable, Sendable {
    /// What the id names.
    package enum Kind: String, Sendable, CaseIterable {
        case conversation, turn, answer, title, upload, task, memory, consent, limits, device
        case passkey, identity
    }

    /// What happened to it.
    package enum Operation: String, Sendable { case put, delete }

    package var cursor: Int
    package var kind: Kind
    /// The id's sixteen bytes; `kind` says which type it is.
    package var subject: ID<Change>
    package var conversation: ConversationID?
    package var operation: Operation

    package init(
        cursor: Int, kind: Kind, subject: ID<Change>, conversation: ConversationID?, operation: Operation
    ) {
        self.cursor = cursor
        self.kind = kind
        self.subject = subject
        self.conversation = conversation
        self.operation = operation
    }
}
