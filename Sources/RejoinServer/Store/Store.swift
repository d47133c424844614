package import RejoinCore

/// What the server keeps, in the words of the domain.
///
/// Each verb is one transaction: it happens whole or not at all.
///
/// Ids of another account are answered as if they did not exist. A store must be safe to call from any task; it runs
/// its blocking work on threads of its own. After a transaction that changed an account's feed it calls the observer
/// that it was made with, outside any lock.
package protocol Store: LogStore, FactStore, KeyStore, PeopleStore {
    // MARK: Accounts

    /// Creates an account, unless its name is taken (compared without case); the first one of all is the owner.
    ///
    /// - Returns: false if the name is taken; nothing changed then.
    /// - Parameter keepsHistory: the account's first decision: whether its conversations are kept.
    func createAccount(_ account: AccountRecord, keepsHistory: Bool) async throws -> Bool
    func account(_ id: AccountID) async throws -> AccountRecord?
    func account(named name: String) async throws -> AccountRecord?
    /// All accounts, oldest first.
    func accounts() async throws -> [AccountRecord]
    func accountCount() async throws -> Int

    /// Closes an account for good: its conversations with all their traces, its devices, its tasks, its name.
    ///
    /// Where no owner is left then, the oldest account that there is becomes one.
    ///
    /// - Returns: the answers that were unfinished; nil if there is no such account.
    func deleteAccount(_ id: AccountID, now: Timestamp) async throws -> [AnswerID]?

    /// Signs a device in under the hash of its token.
    func openSession(_ session: SessionRecord, tokenHash: [UInt8]) async throws
    func session(tokenHash: [UInt8]) async throws -> SessionRecord?
    func sessions(of account: AccountID) async throws -> [SessionRecord]
    /// Signs a device out; false if the account has no such session.
    func closeSession(_ id: SessionID, of account: AccountID) async throws -> Bool

    /// Keeps the hash of a sign-in link's code, which works once until it expires.
    func saveSignInCode(hash: [UInt8], account: AccountID, expiresAt: Timestamp) async throws
    /// Uses a code up; nil if it is unknown, used or expired.
    func redeemSignInCode(hash: [UInt8], now: Timestamp) async throws -> AccountID?

    // MARK: Limits

    /// Gives an account a plan, or with nil the one of everybody else; false if there is no such account.
    func setPlan(_ plan: String?, of account: AccountID, now: Timestamp) async throws -> Bool
    /// What is left of the account's quotas; empty where nothing is limited.
    func limits(of account: AccountID, plans: PlanBook, now: Timestamp) async throws -> [LimitFigure]
    /// The ledger's entry for an answer; nil where nothing was counted.
    func charge(of answer: AnswerID) async throws -> ChargeRecord?
    /// Forgets settled entries and counters of windows that ended before a moment.
    func expireLedger(before: Timestamp) async throws

    // MARK: Decisions about one's words

    func consent(of account: AccountID) async throws -> ConsentState
    /// Writes new records for what is to change, all under the next version.
    ///
    /// - Parameter version: the version that the decision was made on; nil takes whatever there is.
    func setConsent(
        _ values: [ConsentTopic: Int], of account: AccountID, ifVersion version: Int?, now: Timestamp
    ) async throws -> ConsentPut
    /// Every record of a topic, oldest first.
    func consentHistory(_ topic: ConsentTopic, of account: AccountID) async throws -> [ConsentRecord]
    /// What happened to the account, newest first.
    ///
    /// - Parameter before: the number of the last line of the page before.
    func audit(of account: AccountID, before: Int?, limit: Int) async throws -> [AuditEntry]
    /// Notes what was sent to a model for an answer beyond its own run.
    func noteSending(_ sending: Sending, of answer: AnswerID) async throws
    /// Deletes conversations that outlived their account's retention, at most 200 at once.
    ///
    /// - Parameter maximumDays: a bound for everybody; an account's own decision can only be shorter.
    /// - Returns: how many went.
    func deleteOutlived(maximumDays: Int?, now: Timestamp) async throws -> Int

    // MARK: Conversations

    /// A page of the account's conversations, newest first, temporary ones left out.
    ///
    /// - Parameter before: the position that the page before this one ended with.
    func conversations(of account: AccountID, limit: Int, before: ConversationPosition?) async throws
        -> [ConversationRecord]
    func conversation(_ id: ConversationID, of account: AccountID) async throws -> Lookup<ConversationRecord>
    /// Creates a conversation, or leaves it as it is.
    ///
    /// While the account keeps no history it is temporary, whatever was asked for.
    func putConversation(_ new: ConversationRecord, of account: AccountID) async throws -> ConversationPut
    /// Changes what the patch names. A selected answer must belong to the conversation, else `notFound`.
    func patchConversation(
        _ id: ConversationID, of account: AccountID, _ patch: ConversationPatch, now: Timestamp
    ) async throws -> Lookup<ConversationRecord>
    /// Writes a title that no person chose; it never replaces a person's, nor a model's by first words.
    ///
    /// - Returns: whether the title was taken.
    func setTitle(
        _ title: String, source: ConversationRecord.TitleSource, of id: ConversationID, account: AccountID,
        now: Timestamp
    ) async throws -> Bool
    /// Deletes text and log, leaves a tombstone; the answers that were unfinished are returned so that they stop.
    func deleteConversation(_ id: ConversationID, of account: AccountID, now: Timestamp) async throws
        -> Lookup<[AnswerID]>
    /// Deletes every conversation of the account.
    func deleteConversations(of account: AccountID, now: Timestamp) async throws -> [AnswerID]
    /// Deletes temporary conversations in which nothing happened since a moment and nothing is under way.
    ///
    /// - Returns: how many went; at most 200 go at once.
    func deleteTemporaryConversations(idleSince: Timestamp, now: Timestamp) async throws -> Int
    /// The whole tree: turns and answers in the order the server admitted them.
    func contents(of id: ConversationID, account: AccountID) async throws -> Lookup<ConversationContents>

    /// The ids of an account's conversations, temporary ones left out, in an order that no change moves.
    func conversationIDs(of account: AccountID) async throws -> [ConversationID]
    /// Adds a conversation with its tree, all answers ended, as one transaction; what is there already stays as it is.
    ///
    /// Turns and answers are added in the order given; a parent must come before its children.
    func importConversation(_ contents: ConversationContents, of account: AccountID, now: Timestamp) async throws
        -> ImportOutcome

    // MARK: Search

    /// The best texts that hold all that was typed, best first; the last word counts while it is being typed.
    ///
    /// A text is found a moment after it was written, and not at all once it was deleted.
    func search(_ text: String, of account: AccountID, limit: Int) async throws -> [SearchHit]
    /// Indexes texts that wait for it, about as many bytes.
    ///
    /// - Returns: whether more wait.
    func settleSearch(maximumBytes: Int) async throws -> Bool
    /// Merges a little of the index, so that words of deleted texts leave the file.
    ///
    /// - Returns: whether there is more to do.
    func sweepSearch() async throws -> Bool

    // MARK: Tasks

    /// Adds a task; false if the id is taken, whoever's it is.
    func createTask(_ task: TaskRecord) async throws -> Bool
    /// Writes how far a task is; false if it is gone.
    func updateTask(_ task: TaskRecord, now: Timestamp) async throws -> Bool
    /// A task of the account; nil if it has none of that id.
    func task(_ id: TaskID, of account: AccountID) async throws -> TaskRecord?
    /// The account's tasks, oldest first.
    func tasks(of account: AccountID) async throws -> [TaskRecord]
    /// Forgets a task; false if the account has none of that id.
    func deleteTask(_ id: TaskID, of account: AccountID, now: Timestamp) async throws -> Bool
    /// Tasks of all accounts that have not ended.
    func unfinishedTasks() async throws -> [TaskRecord]
    /// Tasks of all accounts that ended before a moment.
    func tasks(endedBefore: Timestamp) async throws -> [TaskRecord]

    // MARK: Turns and answers

    /// Admits a prompt: conversation (created if missing), turn, first answer and change feed in one transaction.
    ///
    /// "The same" is equal parent, content, model and options; the proposed answer's id does not count. What is counted
    /// is counted here too. While the account keeps no history a new conversation is temporary.
    func admit(_ turn: TurnAdmission) async throws -> Admission
    /// Admits another answer to a turn.
    func admit(_ answer: AnswerAdmission) async throws -> Admission
    func answer(_ id: AnswerID, of account: AccountID) async throws -> Lookup<AnswerRecord>
    func turn(_ id: TurnID, of account: AccountID) async throws -> Lookup<TurnRecord>
    /// The visible path that ends in this turn: each earlier prompt with the answer that was looked at, then the turn.
    ///
    /// The earlier answers' content is folded from the log where they have not ended.
    func path(to turn: TurnID, of account: AccountID) async throws -> [PathStep]

    // MARK: The log

    /// Answers whose log has no `end`: after a start, what a crash left behind.
    func unfinishedAnswers() async throws -> [AnswerRecord]
    /// Drops the logs of up to `limit` answers that ended before a moment; their content stays.
    ///
    /// - Returns: how many were dropped.
    func compactLogs(endedBefore: Timestamp, limit: Int) async throws -> Int

    // MARK: The change feed

    /// Entries after a cursor, oldest first; `expired` when the feed no longer reaches back that far.
    func changes(of account: AccountID, after cursor: Int, limit: Int) async throws -> ChangePage
    /// The newest cursor of an account's feed: where a device that is about to list everything starts from.
    func changeCursor(of account: AccountID) async throws -> Int
    /// Forgets feed entries and tombstones older than a moment.
    func expireChanges(before: Timestamp) async throws

    /// Finishes what is under way and closes.
    func close() async throws
}

/// The part of a store that keeps logs: all that the event log and its followers need.
package protocol LogStore: Sendable {
    /// Where ``append(_:)`` does its work, so that who commits again and again can live there; nil if that is nowhere.
    var executor: (any TaskExecutor)? { get }
    /// Appends to many logs in one transaction. An entry whose conversation is gone is left out.
    ///
    /// The entries' numbers must follow what each log holds; a store refuses others with ``StoreFailure/Code/outOfOrder``.
    ///
    /// - Returns: the answers that were left out because they were deleted.
    func append(_ entries: [LogEntry]) async throws -> [AnswerID]
    /// The log after a number, at most about `maximumBytes` of it, as encoded server-sent events.
    func log(of answer: AnswerID, after seq: Int, maximumBytes: Int) async throws -> LogPage
}

extension Store {
    /// Creates an account that keeps its conversations.
    package func createAccount(_ account: AccountRecord) async throws -> Bool {
        try await createAccount(account, keepsHistory: true)
    }
}

extension LogStore {
    package var executor: (any TaskExecutor)? { nil }
}

/// Called after commit with the account and the newest cursor of its feed.
package typealias ChangeObserver = @Sendable (AccountID, Int) -> Void

/// What looking an id up found.
package enum Lookup<Value: Sendable>: Sendable {
    case found(Value)
    /// It was there and was deleted.
    case deleted
    /// Never there, or another account's.
    case notFound
}

/// Where a page of the list of conversations ended: unique, because ids break ties of time.
package struct ConversationPosition: Equatable, Sendable {
    package var updatedAt: Timestamp
    package var id: ConversationID

    package init(updatedAt: Timestamp, id: ConversationID) {
        self.updatedAt = updatedAt
        self.id = id
    }
}

/// What putting a conversation did.
package enum ConversationPut: Equatable, Sendable {
    case created(ConversationRecord)
    case existing(ConversationRecord)
    case deleted
    /// The id is another account's.
    case notFound
}

/// The fields to change; nil leaves a field as it is.
package struct ConversationPatch: Equatable, Sendable {
    package var title: String?
    package var isPinned: Bool?
    package var isArchived: Bool?
    package var selected: AnswerID?
    package var usesMemory: Bool?

    package init(
        title: String? = nil, isPinned: Bool? = nil, isArchived: Bool? = nil, selected: AnswerID? = nil,
        usesMemory: Bool? = nil
    ) {
        self.title = title
        self.isPinned = isPinned
        self.isArchived = isArchived
        self.selected = selected
        self.usesMemory = usesMemory
    }
}

/// What importing a conversation did.
package enum ImportOutcome: Equatable, Sendable {
    /// What was not there before is there now; `isNew` if the conversation itself was not.
    case imported(isNew: Bool, turns: Int, answers: Int)
    /// The conversation was deleted here.
    case deleted
    /// An id is another account's, or stands for something else here.
    case taken
}

/// A prompt that asks to be admitted.
package struct TurnAdmission: Equatable, Sendable {
    package var account: AccountID
    package var turn: TurnRecord
    /// The id for the first answer, if the turn is new.
    package var answer: AnswerID
    /// The first words, to call a conversation by that has no title yet; nil leaves it as it is.
    package var title: String?
    /// Whether a conversation that has to be created is temporary.
    package var isTemporary: Bool
    /// What it is counted by.
    package var terms: AdmissionTerms

    package init(
        account: AccountID, turn: TurnRecord, answer: AnswerID, title: String? = nil, isTemporary: Bool = false,
        terms: AdmissionTerms = .free
    ) {
        self.account = account
        self.turn = turn
        self.answer = answer
        self.title = title
        self.isTemporary = isTemporary
        self.terms = terms
    }
}

/// Another answer that asks to be admitted.
package struct AnswerAdmission: Equatable, Sendable {
    package var account: AccountID
    package var turn: TurnID
    package var answer: AnswerID
    package var model: String
    package var options: [UInt8]
    package var at: Timestamp
    /// What it is counted by.
    package var terms: AdmissionTerms

    package init(
        account: AccountID, turn: TurnID, answer: AnswerID, model: String, options: [UInt8], at: Timestamp,
        terms: AdmissionTerms = .free
    ) {
        self.account = account
        self.turn = turn
        self.answer = answer
        self.model = model
        self.options = options
        self.at = at
        self.terms = terms
    }
}

/// The answer to an admission.
///
/// Only `admitted` changed anything.
package enum Admission: Equatable, Sendable {
    /// New: run it.
    case admitted(AnswerRecord)
    /// The same was admitted before: follow the answer that it has.
    case repeated(AnswerRecord)
    /// The id is taken by something else of the same account.
    case conflict
    case deleted
    /// The turn, the parent or the answer's id is not this account's.
    case notFound
    /// A limit is reached.
    case limited(LimitReached)
    /// This model's limit is reached, and the plan lets another one answer: ask again with that.
    case weaker(model: String)
}

/// One step of the path that a model is given.
package struct PathStep: Equatable, Sendable {
    package var turn: TurnID
    package var prompt: [ContentPart]
    /// The answer that was looked at; nil for the last step, the turn to be answered.
    package var answer: AnswerID?
    package var reply: [ContentPart]

    package init(turn: TurnID, prompt: [ContentPart], answer: AnswerID?, reply: [ContentPart]) {
        self.turn = turn
        self.prompt = prompt
        self.answer = answer
        self.reply = reply
    }
}

/// Consecutive events of one answer, encoded, and its end if they hold it.
package struct LogEntry: Equatable, Sendable {
    package var answer: AnswerID
    package var firstSeq: Int
    package var lastSeq: Int
    /// The events as server-sent events, one after the other, as ``NumberedEvent/append(to:)`` writes them.
    package var bytes: [UInt8]
    /// The answer folded, if its end is among these events; the store keeps its content and feeds the change.
    package var ended: Answer?
    package var at: Timestamp
    /// What was sent to the model, in the first entry after that.
    package var sent: Sending?

    package init(
        answer: AnswerID, firstSeq: Int, lastSeq: Int, bytes: [UInt8], ended: Answer?, at: Timestamp,
        sent: Sending? = nil
    ) {
        self.answer = answer
        self.firstSeq = firstSeq
        self.lastSeq = lastSeq
        self.bytes = bytes
        self.ended = ended
        self.at = at
        self.sent = sent
    }
}

/// A stretch of a log.
package enum LogPage: Equatable, Sendable {
    /// Encoded events from the number asked for on. `isLast` when nothing follows now; `isEnded` when nothing ever will.
    case events(bytes: [UInt8], lastSeq: Int, isLast: Bool, isEnded: Bool)
    /// The log was dropped after its time; the answer's record stands for it.
    case compacted(AnswerRecord)
    case deleted
    case notFound
}

/// A stretch of the change feed.
package enum ChangePage: Equatable, Sendable {
    /// Entries after the cursor asked for. `cursor` is the newest of the page, or the one asked for if there is none.
    case changes([Change], cursor: Int, more: Bool)
    case expired
}

extension Lookup: Equatable where Value: Equatable {}
