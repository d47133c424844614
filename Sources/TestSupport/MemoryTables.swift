internal import RejoinCore
internal import RejoinServer

/// What a ``MemoryStore`` holds: arrays in the order of admission, searched from end to end.
struct MemoryTables {
    struct Session {
        var record: SessionRecord
        var tokenHash: [UInt8]
    }

    struct Feed {
        var entries: [(change: Change, at: Timestamp)] = []
        var newest = 0
        var expired = 0
    }

    struct Owned<Record> {
        var account: AccountID
        var record: Record
    }

    /// Whose a deleted thing was, and when it went.
    struct Tombstone {
        var account: AccountID
        var at: Timestamp
    }

    var accounts: [AccountID: AccountRecord] = [:]
    var sessions: [Session] = []
    var codes: [[UInt8]: (account: AccountID, expiresAt: Timestamp)] = [:]
    var conversations: [ConversationID: Owned<ConversationRecord>] = [:]
    var turns: [Owned<TurnRecord>] = []
    var answers: [AnswerRecord] = []
    var logs: [AnswerID: [LogEntry]] = [:]
    var compacted: Set<AnswerID> = []
    var feeds: [AccountID: Feed] = [:]
    var deletedConversations: [ConversationID: Tombstone] = [:]
    var deletedTurns: [TurnID: Tombstone] = [:]
    var deletedAnswers: [AnswerID: Tombstone] = [:]
    var charges: [AnswerID: ChargeRecord] = [:]
    /// Every record, oldest first.
    var consents: [AccountID: [ConsentRecord]] = [:]
    var audits: [AccountID: [AuditEntry]] = [:]
    /// The newest cursors of the feeds that the transaction under way added to.
    var fed: [AccountID: Int] = [:]

    var tasks: [TaskID: TaskRecord] = [:]
    var keptFacts: [Owned<Fact>] = []
    var declined: [AccountID: Set<[UInt8]>] = [:]

    /// By the hash of their code.
    var invites: [[UInt8]: InviteRecord] = [:]
    var attempts: [[UInt8]: Attempts] = [:]
    var familiar: [Familiar: Timestamp] = [:]
    var passkeys: [PasskeyRecord] = []
    var identities: [IdentityRecord] = []

    mutating func feed<Kind>(
        _ kind: Change.Kind, _ subject: ID<Kind>, of account: AccountID, conversation: ConversationID?,
        _ operation: Change.Operation = .put, at: Timestamp
    ) throws {
        guard accounts[account] != nil else { throw StoreFailure(.other, detail: "no such account") }
        var feed = feeds[account] ?? Feed()
        feed.newest += 1
        let change = Change(
            cursor: feed.newest, kind: kind, subject: ID(high: subject.high, low: subject.low),
            conversation: conversation, operation: operation)
        feed.entries.append((change, at))
        feeds[account] = feed
        fed[account] = feed.newest
    }

    // MARK: Accounts

    mutating func createAccount(_ account: AccountRecord, keepsHistory: Bool) throws -> Bool {
        if accounts.values.contains(where: { $0.nameKey == account.nameKey }) { return false }
        guard accounts[account.id] == nil else { throw StoreFailure(.other, detail: "the id is taken") }
        var account = account
        if accounts.isEmpty { account.role = .owner }
        accounts[account.id] = account
        consents[account.id] = [
            ConsentRecord(topic: .history, value: keepsHistory ? 1 : 0, version: 1, at: account.createdAt)
        ]
        return true
    }

    func sessions(of account: AccountID) -> [SessionRecord] {
        sessions.map(\.record).filter { $0.account == account }
            .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    mutating func openSession(_ session: SessionRecord, tokenHash: [UInt8]) throws {
        guard !sessions.contains(where: { $0.record.id == session.id || $0.tokenHash == tokenHash }) else {
            throw StoreFailure(.other, detail: "the session is there")
        }
        sessions.append(Session(record: session, tokenHash: tokenHash))
        try feed(.device, session.id, of: session.account, conversation: nil, at: session.createdAt)
        audit(.signedIn, session.device, of: session.account, at: session.createdAt)
    }

    mutating func closeSession(_ id: SessionID, of account: AccountID) throws -> Bool {
        let position = sessions.firstIndex { $0.record.id == id && $0.record.account == account }
        guard let position else { return false }
        let device = sessions.remove(at: position).record.device
        let newest = feeds[account]?.entries.last?.at ?? Timestamp(milliseconds: 0)
        try feed(.device, id, of: account, conversation: nil, .delete, at: newest)
        audit(.signedOut, device, of: account, at: newest)
        return true
    }

    mutating func saveSignInCode(hash: [UInt8], account: AccountID, expiresAt: Timestamp) throws {
        guard accounts[account] != nil else { throw StoreFailure(.other, detail: "no such account") }
        codes[hash] = (account, expiresAt)
    }

    mutating func redeemSignInCode(hash: [UInt8], now: Timestamp) -> AccountID? {
        codes = codes.filter { $0.value.expiresAt > now }
        return codes.removeValue(forKey: hash)?.account
    }

    // MARK: Conversations

    func conversations(of account: AccountID, limit: Int, before: ConversationPosition?) -> [ConversationRecord] {
        let all = conversations.values.filter { $0.account == account && !$0.record.isTemporary }.map(\.record)
        let sorted = all.sorted { ($0.updatedAt, $0.id) > ($1.updatedAt, $1.id) }
        let rest = sorted.filter { record in
            before.map { (record.updatedAt, record.id) < ($0.updatedAt, $0.id) } ?? true
        }
        return Array(rest.prefix(max(0, limit)))
    }

    func conversation(_ id: ConversationID, of account: AccountID) -> Lookup<ConversationRecord> {
        if let owned = conversations[id] { return owned.account == account ? .found(owned.record) : .notFound }
        return deletedConversations[id]?.account == account ? .deleted : .notFound
    }

    mutating func putConversation(_ new: ConversationRecord, of account: AccountID) throws -> ConversationPut {
        switch conversation(new.id, of: account) {
        case .found(let existing): return .existing(existing)
        case .deleted: return .deleted
        case .notFound:
            guard conversations[new.id] == nil, deletedConversations[new.id] == nil else { return .notFound }
            var new = new
            new.selected = nil
            if !keepsHistory(account) { new.isTemporary = true }
            try insertConversation(new, of: account)
            return .created(new)
        }
    }

    private mutating func insertConversation(_ new: ConversationRecord, of account: AccountID) throws {
        conversations[new.id] = Owned(account: account, record: new)
        try feed(.conversation, new.id, of: account, conversation: new.id, at: new.createdAt)
    }

    private mutating func touchConversation(_ id: ConversationID, at: Timestamp) {
        guard let old = conversations[id]?.record.updatedAt else { return }
        conversations[id]?.record.updatedAt = max(old, at)
    }

    mutating func patchConversation(
        _ id: ConversationID, of account: AccountID, _ patch: ConversationPatch, now: Timestamp
    ) throws -> Lookup<ConversationRecord> {
        let lookup = conversation(id, of: account)
        guard case .found(let old) = lookup else { return lookup }
        var new = old
        if let title = patch.title {
            new.title = title
            new.titleSource = .person
        }
        new.isPinned = patch.isPinned ?? old.isPinned
        new.isArchived = patch.isArchived ?? old.isArchived
        new.usesMemory = patch.usesMemory ?? old.usesMemory
        if let selected = patch.selected {
            guard answers.contains(where: { $0.id == selected && $0.conversation == id }) else { return .notFound }
            new.selected = selected
        }
        if new == old { return lookup }
        conversations[id]?.record = new
        try feed(.conversation, id, of: account, conversation: id, at: now)
        return .found(new)
    }

    mutating func setTitle(
        _ title: String, source: ConversationRecord.TitleSource, of id: ConversationID, account: AccountID,
        now: Timestamp
    ) throws -> Bool {
        guard case .found(let old) = conversation(id, of: account) else { return false }
        let isTaken =
            switch (old.titleSource, source) {
            case (.none, .firstWords), (.none, .model), (.firstWords, .firstWords), (.firstWords, .model),
                (.model, .model):
                true
            default: false
            }
        guard isTaken else { return false }
        conversations[id]?.record.title = title
        conversations[id]?.record.titleSource = source
        try feed(.title, id, of: account, conversation: id, at: now)
        return true
    }

    mutating func deleteConversation(
        _ id: ConversationID, of account: AccountID, now: Timestamp
    ) throws -> Lookup<[AnswerID]> {
        switch conversation(id, of: account) {
        case .found(let conversation):
            if !conversation.isTemporary { audit(.conversationDeleted, nil, of: account, at: now) }
            return .found(try erase(id, of: account, now: now))
        case .deleted: return .deleted
        case .notFound: return .notFound
        }
    }

    mutating func deleteConversations(of account: AccountID, now: Timestamp) throws -> [AnswerID] {
        var unfinished: [AnswerID] = []
        if conversations.values.contains(where: { $0.account == account }) {
            audit(.allDeleted, nil, of: account, at: now)
        }
        for id in conversations.filter({ $0.value.account == account }).keys.sorted() {
            unfinished += try erase(id, of: account, now: now)
        }
        return unfinished
    }

    mutating func deleteTemporaryConversations(idleSince: Timestamp, now: Timestamp) throws -> Int {
        let idle = conversations.filter { id, kept in
            kept.record.isTemporary && kept.record.updatedAt < idleSince
                && !answers.contains { $0.conversation == id && $0.end == nil }
        }
        for (id, kept) in idle { _ = try erase(id, of: kept.account, now: now) }
        return idle.count
    }

    mutating func erase(_ id: ConversationID, of account: AccountID, now: Timestamp) throws -> [AnswerID] {
        let tombstone = Tombstone(account: account, at: now)
        let goingAnswers = answers.filter { $0.conversation == id }
        for answer in goingAnswers where answer.end == nil { try settle(answer.id, as: nil, at: now) }
        for turn in turns where turn.record.conversation == id { deletedTurns[turn.record.id] = tombstone }
        for answer in goingAnswers {
            deletedAnswers[answer.id] = tombstone
            logs[answer.id] = nil
            compacted.remove(answer.id)
        }
        deletedConversations[id] = tombstone
        try forget(id, of: account, now: now)
        turns.removeAll { $0.record.conversation == id }
        answers.removeAll { $0.conversation == id }
        conversations[id] = nil
        try feed(.conversation, id, of: account, conversation: id, .delete, at: now)
        return goingAnswers.filter { $0.end == nil }.map(\.id)
    }

    func contents(of id: ConversationID, account: AccountID) -> Lookup<ConversationContents> {
        switch conversation(id, of: account) {
        case .found(let conversation):
            .found(
                ConversationContents(
                    conversation: conversation, turns: turns.map(\.record).filter { $0.conversation == id },
                    answers: answers.filter { $0.conversation == id }))
        case .deleted: .deleted
        case .notFound: .notFound
        }
    }

    // MARK: Turns and answers

    func turn(_ id: TurnID, of account: AccountID) -> Lookup<TurnRecord> {
        if let turn = turns.first(where: { $0.record.id == id }) {
            return turn.account == account ? .found(turn.record) : .notFound
        }
        return deletedTurns[id]?.account == account ? .deleted : .notFound
    }

    func answer(_ id: AnswerID, of account: AccountID) -> Lookup<AnswerRecord> {
        if let answer = answers.first(where: { $0.id == id }) {
            return answer.account == account ? .found(answer) : .notFound
        }
        return deletedAnswers[id]?.account == account ? .deleted : .notFound
    }

    /// Whose an answer's id is or was.
    private func owner(ofAnswer id: AnswerID) -> AccountID? {
        answers.first { $0.id == id }?.account ?? deletedAnswers[id]?.account
    }

    mutating func admit(_ admission: TurnAdmission) throws -> Admission {
        let (account, new) = (admission.account, admission.turn)
        if let old = turns.first(where: { $0.record.id == new.id }) {
            if old.account != account { return .notFound }
            guard old.record.isSame(as: new), let first = answers.first(where: { $0.turn == new.id }) else {
                return .conflict
            }
            return .repeated(first)
        }
        if let deleted = deletedTurns[new.id] { return deleted.account == account ? .deleted : .notFound }
        if let owned = conversations[new.conversation], owned.account != account { return .notFound }
        if let deleted = deletedConversations[new.conversation] {
            return deleted.account == account ? .deleted : .notFound
        }
        if let parent = new.parent {
            let belongs = answers.contains { $0.id == parent && $0.conversation == new.conversation }
            guard belongs else { return .notFound }
        }
        if let owner = owner(ofAnswer: admission.answer) { return owner == account ? .conflict : .notFound }
        if let refusal = try reserve(admission.terms, for: admission.answer, of: account, at: new.createdAt) {
            return refusal
        }

        if conversations[new.conversation] == nil {
            let isTemporary = admission.isTemporary || !keepsHistory(account)
            let title = isTemporary ? nil : admission.title
            let conversation = ConversationRecord(
                id: new.conversation, title: title, titleSource: title == nil ? .none : .firstWords,
                createdAt: new.createdAt, updatedAt: new.createdAt, isTemporary: isTemporary)
            try insertConversation(conversation, of: account)
        } else {
            touchConversation(new.conversation, at: new.createdAt)
            if let title = admission.title {
                _ = try setTitle(
                    title, source: .firstWords, of: new.conversation, account: account, now: new.createdAt)
            }
        }
        turns.append(Owned(account: account, record: new))
        try feed(.turn, new.id, of: account, conversation: new.conversation, at: new.createdAt)
        let answer = AnswerRecord(
            id: admission.answer, turn: new.id, conversation: new.conversation, account: account,
            requestedModel: new.model, options: new.options, startedAt: new.createdAt)
        return try insertAnswer(answer)
    }

    mutating func admit(_ admission: AnswerAdmission) throws -> Admission {
        let account = admission.account
        let turn: TurnRecord
        switch self.turn(admission.turn, of: account) {
        case .found(let found): turn = found
        case .deleted: return .deleted
        case .notFound: return .notFound
        }
        if let old = answers.first(where: { $0.id == admission.answer && $0.account == account }) {
            return old.isSame(as: admission) ? .repeated(old) : .conflict
        }
        if let owner = owner(ofAnswer: admission.answer) { return owner == account ? .conflict : .notFound }
        if let refusal = try reserve(admission.terms, for: admission.answer, of: account, at: admission.at) {
            return refusal
        }
        touchConversation(turn.conversation, at: admission.at)
        return try insertAnswer(
            AnswerRecord(
                id: admission.answer, turn: turn.id, conversation: turn.conversation, account: account,
                requestedModel: admission.model, options: admission.options, startedAt: admission.at))
    }

    private mutating func insertAnswer(_ new: AnswerRecord) throws -> Admission {
        answers.append(new)
        logs[new.id] = []
        if conversations[new.conversation]?.record.selected != nil {
            conversations[new.conversation]?.record.selected = new.id
        }
        try feed(.answer, new.id, of: new.account, conversation: new.conversation, at: new.startedAt)
        return .admitted(new)
    }

    func path(to turn: TurnID, of account: AccountID) -> [PathStep] {
        guard case .found(let last) = self.turn(turn, of: account) else { return [] }
        var steps = [PathStep(turn: turn, prompt: last.content, answer: nil, reply: [])]
        var next = last.parent
        while let answer = answers.first(where: { $0.id == next }),
            let turn = turns.first(where: { $0.record.id == answer.turn })?.record
        {
            let reply = answer.end == nil ? foldedContent(of: answer) : answer.content
            steps.insert(PathStep(turn: turn.id, prompt: turn.content, answer: answer.id, reply: reply), at: 0)
            next = turn.parent
        }
        return steps
    }

    private func foldedContent(of answer: AnswerRecord) -> [ContentPart] {
        var fold = Answer(id: answer.id, turn: answer.turn)
        var parser = EventStreamParser()
        for entry in logs[answer.id] ?? [] {
            parser.feed(entry.bytes) { event in
                if let event = NumberedEvent(event) { fold.apply(event) }
            }
        }
        return fold.content
    }

    // MARK: The log

    mutating func append(_ entries: [LogEntry]) throws -> [AnswerID] {
        var gone: [AnswerID] = []
        for entry in entries {
            guard let position = answers.firstIndex(where: { $0.id == entry.answer }) else {
                if !gone.contains(entry.answer) { gone.append(entry.answer) }
                continue
            }
            guard answers[position].end == nil, entry.firstSeq == answers[position].seq + 1,
                entry.lastSeq >= entry.firstSeq
            else { throw StoreFailure.outOfOrder(entry, after: answers[position].seq) }
            logs[entry.answer, default: []].append(entry)
            answers[position].seq = entry.lastSeq
            if let sent = entry.sent { answers[position].sent.append(sent) }
            guard let ended = entry.ended else { continue }
            guard let end = ended.state.end else { throw StoreFailure(.outOfOrder, detail: "ended without an end") }
            answers[position].end = end
            answers[position].content = ended.content
            answers[position].model = ended.model
            answers[position].usage = ended.usage
            answers[position].withdrawal = ended.withdrawal
            answers[position].endedAt = entry.at
            let answer = answers[position]
            try settle(answer.id, as: ended, at: entry.at)
            touchConversation(answer.conversation, at: entry.at)
            try feed(.answer, answer.id, of: answer.account, conversation: answer.conversation, at: entry.at)
        }
        return gone
    }

    func log(of id: AnswerID, after seq: Int, maximumBytes: Int) -> LogPage {
        guard let answer = answers.first(where: { $0.id == id }) else {
            return deletedAnswers[id] == nil ? .notFound : .deleted
        }
        if compacted.contains(id) { return .compacted(answer) }
        let seq = max(0, seq)
        // The events of a log are numbered 1, 2, 3 …
        let missing = (logs[id] ?? []).flatMap(\.events).dropFirst(seq)
        var page: [[UInt8]] = []
        for event in missing {
            if !page.isEmpty, page.joined().count + event.count > maximumBytes { break }
            page.append(event)
        }
        let isLast = page.count == missing.count
        return .events(
            bytes: Array(page.joined()), lastSeq: seq + page.count, isLast: isLast,
            isEnded: isLast && answer.end != nil)
    }

    mutating func compactLogs(endedBefore: Timestamp, limit: Int) -> Int {
        var old: [(endedAt: Timestamp, position: Int)] = []
        for (position, answer) in answers.enumerated() where !compacted.contains(answer.id) {
            if let endedAt = answer.endedAt, endedAt < endedBefore { old.append((endedAt, position)) }
        }
        let chosen = old.sorted { ($0.endedAt, $0.position) < ($1.endedAt, $1.position) }.prefix(max(0, limit))
        for (_, position) in chosen {
            compacted.insert(answers[position].id)
            logs[answers[position].id] = []
        }
        return chosen.count
    }

    // MARK: The change feed

    func changes(of account: AccountID, after cursor: Int, limit: Int) -> ChangePage {
        let feed = feeds[account] ?? Feed()
        guard cursor >= feed.expired, cursor <= feed.newest else { return .expired }
        let changes = feed.entries.map(\.change).filter { $0.cursor > cursor }.prefix(max(0, limit))
        let last = changes.last?.cursor ?? cursor
        return .changes(Array(changes), cursor: last, more: last < feed.newest)
    }

    mutating func expireChanges(before: Timestamp) {
        for (account, feed) in feeds {
            guard let last = feed.entries.lastIndex(where: { $0.at < before }) else { continue }
            feeds[account]?.expired = feed.entries[last].change.cursor
            feeds[account]?.entries.removeFirst(last + 1)
        }
        deletedConversations = deletedConversations.filter { $0.value.at >= before }
        deletedTurns = deletedTurns.filter { $0.value.at >= before }
        deletedAnswers = deletedAnswers.filter { $0.value.at >= before }
    }
}

extension LogEntry {
    /// The events one by one: each ends with the first blank line.
    fileprivate var events: [[UInt8]] {
        var events: [[UInt8]] = [[]]
        for byte in bytes {
            events[events.count - 1].append(byte)
            if events[events.count - 1].suffix(2) == [0x0A, 0x0A] { events.append([]) }
        }
        return events.dropLast()
    }
}
