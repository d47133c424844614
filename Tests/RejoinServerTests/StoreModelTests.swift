import RejoinCore
import RejoinServer
import TestSupport
import SeededRandom
import Testing

/// Random operations on the SQLite store and on the model must give equal answers, whatever their order.
@Suite struct StoreModelTests {
    @Test("S17 S18 S19 random operations give what the model gives", arguments: 1...40 as ClosedRange<UInt64>)
    func equalsTheModel(seed: UInt64) async throws {
        try await TemporaryFolder.use { folder in
            let path = folder + "/rejoin.db"
            var random = SeededGenerator(seed: seed)
            // Small, so that the journal is settled between any two operations; and sometimes never.
            let journalRows = [1, 2, 5, 1000][Int(seed % 4)]
            let model = StoreScenario { MemoryStore(onChange: $0) }
            let real = try StoreScenario { try SQLiteStore(path: path, journalRows: journalRows, onChange: $0) }
            try await model.createAccounts()
            try await real.createAccounts()
            var operations = RandomOperations(accounts: [model.ann, model.ben])
            for step in 1...150 {
                let operation = operations.next(using: &random)
                let expected = await operation.outcome(on: model.store)
                let actual = await operation.outcome(on: real.store)
                try #require(actual == expected, "seed \(seed), step \(step): \(operation)")
                operations.learn(operation, succeeded: !expected.hasPrefix("failed"))
            }
            try await compareAll(model.store, real.store, operations)
            #expect(real.observed.cursors(of: real.ann) == model.observed.cursors(of: model.ann))
            #expect(real.observed.cursors(of: real.ben) == model.observed.cursors(of: model.ben))

            // And once more from the file.
            try await real.store.close()
            let reopened = try SQLiteStore(path: path) { _, _ in }
            try await compareAll(model.store, reopened, operations)
            try await reopened.close()
        }
    }

    private func compareAll(_ model: any Store, _ real: any Store, _ operations: RandomOperations) async throws {
        for read in operations.everyRead {
            let expected = await read.outcome(on: model)
            let actual = await read.outcome(on: real)
            try #require(actual == expected, "\(read)")
        }
    }
}

/// One verb with its arguments.
enum StoreOperation: Sendable {
    case put(ConversationRecord, AccountID)
    case patch(ConversationID, AccountID, ConversationPatch, Timestamp)
    case title(String, ConversationRecord.TitleSource, ConversationID, AccountID, Timestamp)
    case delete(ConversationID, AccountID, Timestamp)
    case deleteAll(AccountID, Timestamp)
    case turn(TurnAdmission)
    case answer(AnswerAdmission)
    case append([LogEntry])
    case compact(Timestamp, Int)
    case expire(Timestamp)
    case openSession(SessionRecord, [UInt8])
    case closeSession(SessionID, AccountID)
    case list(AccountID, Int, ConversationPosition?)
    case contents(ConversationID, AccountID)
    case readTurn(TurnID, AccountID)
    case readAnswer(AnswerID, AccountID)
    case path(TurnID, AccountID)
    case log(AnswerID, Int, Int)
    case unfinished
    case changes(AccountID, Int, Int)
    case sessions(AccountID)
    case plan(String?, AccountID, Timestamp)
    case limits(AccountID, Timestamp)
    case charge(AnswerID)
    case decide([ConsentTopic: Int], AccountID, Int?, Timestamp)
    case consent(AccountID)
    case audit(AccountID, Int?, Int)
    case sending(Sending, AnswerID)
    case outlive(Int?, Timestamp)
    case search(String, AccountID)
    case take(ConversationContents, AccountID, Timestamp)
    case createTask(TaskRecord)
    case updateTask(TaskRecord, Timestamp)
    case deleteTask(TaskID, AccountID, Timestamp)
    case tasks(AccountID)
    case addFact(Fact, AccountID, Bool, Timestamp)
    case propose([Fact], AccountID, Timestamp)
    case changeFact(FactID, AccountID, String?, Bool, Timestamp)
    case deleteFact(FactID, AccountID, Timestamp)
    case emptyMemory(AccountID, Timestamp)
    case facts(AccountID)
    case recall(ConversationID, AccountID)

    /// What the store answered, as a text that is equal exactly if the answers are.
    func outcome(on store: any Store) async -> String {
        do {
            return String(reflecting: try await result(on: store))
        } catch {
            return "failed: \((error as? StoreFailure)?.code.name ?? String(reflecting: error))"
        }
    }

    private func result(on store: any Store) async throws -> Any {
        switch self {
        case .put(let new, let account): return try await store.putConversation(new, of: account)
        case .patch(let id, let account, let patch, let now):
            return try await store.patchConversation(id, of: account, patch, now: now)
        case .title(let title, let source, let id, let account, let now):
            return try await store.setTitle(title, source: source, of: id, account: account, now: now)
        case .delete(let id, let account, let now):
            return try await store.deleteConversation(id, of: account, now: now)
        case .deleteAll(let account, let now): return try await store.deleteConversations(of: account, now: now)
        case .turn(let admission): return try await store.admit(admission)
        case .answer(let admission): return try await store.admit(admission)
        case .append(let entries): return try await store.append(entries)
        case .compact(let before, let limit): return try await store.compactLogs(endedBefore: before, limit: limit)
        case .expire(let before): return try await store.expireChanges(before: before)
        case .openSession(let session, let hash): return try await store.openSession(session, tokenHash: hash)
        case .closeSession(let id, let account): return try await store.closeSession(id, of: account)
        case .list(let account, let limit, let before):
            return try await store.conversations(of: account, limit: limit, before: before)
        case .contents(let id, let account): return try await store.contents(of: id, account: account)
        case .readTurn(let id, let account): return try await store.turn(id, of: account)
        case .readAnswer(let id, let account): return try await store.answer(id, of: account)
        case .path(let turn, let account): return try await store.path(to: turn, of: account)
        case .log(let answer, let after, let size):
            return try await store.log(of: answer, after: after, maximumBytes: size)
        case .unfinished: return try await store.unfinishedAnswers()
        case .changes(let account, let after, let limit):
            return try await store.changes(of: account, after: after, limit: limit)
        case .sessions(let account): return try await store.sessions(of: account)
        case .plan(let plan, let account, let now): return try await store.setPlan(plan, of: account, now: now)
        case .limits(let account, let now):
            return try await store.limits(of: account, plans: RandomOperations.plans, now: now)
        case .charge(let answer): return try await store.charge(of: answer) as Any
        case .decide(let values, let account, let version, let now):
            return try await store.setConsent(values, of: account, ifVersion: version, now: now)
        case .consent(let account): return try await store.consent(of: account)
        case .audit(let account, let before, let limit):
            return try await store.audit(of: account, before: before, limit: limit)
        case .sending(let sending, let answer): return try await store.noteSending(sending, of: answer)
        case .outlive(let days, let now): return try await store.deleteOutlived(maximumDays: days, now: now)
        case .search(let text, let account):
            while try await store.settleSearch(maximumBytes: 100) {}
            // Which texts of one moment come first is the store's own affair.
            return try await store.search(text, of: account, limit: 1000)
                .map {
                    "\($0.kind) \($0.conversation) \(String(describing: $0.answer ?? .init(high: 0, low: $0.turn?.low ?? 0))) \($0.excerpt.text)"
                }
                .sorted()
        case .take(let contents, let account, let now):
            return try await store.importConversation(contents, of: account, now: now)
        case .createTask(let task): return try await store.createTask(task)
        case .updateTask(let task, let now): return try await store.updateTask(task, now: now)
        case .deleteTask(let id, let account, let now):
            return try await store.deleteTask(id, of: account, now: now)
        case .tasks(let account): return try await store.tasks(of: account)
        case .addFact(let fact, let account, let isAsked, let now):
            return try await store.addFact(fact, of: account, isAsked: isAsked, now: now)
        case .propose(let facts, let account, let now):
            return try await store.proposeFacts(facts, of: account, now: now)
        case .changeFact(let id, let account, let text, let accepts, let now):
            return try await store.changeFact(id, of: account, text: text, accepts: accepts, now: now)
        case .deleteFact(let id, let account, let now): return try await store.deleteFact(id, of: account, now: now)
        case .emptyMemory(let account, let now): return try await store.deleteFacts(of: account, now: now)
        case .facts(let account): return try await store.facts(of: account)
        case .recall(let conversation, let account): return try await store.recall(for: conversation, of: account)
        }
    }
}

/// Makes operations over few ids and few times, so that they meet.
struct RandomOperations {
    let accounts: [AccountID]
    /// Small quotas, so that limits are met; one account begins without any.
    static let plans = PlanBook(
        [
            Plan(
                "small",
                quotas: [Quota(.turns, amount: 6), Quota(.strongTurns, amount: 2), Quota(.tokens, amount: 900)],
                strongModels: ["auto"], fallbackModel: "other", fallsBack: true),
            Plan("free"),
        ], standard: nil)

    /// How far each answer's log is, as far as the operations know.
    private var scripts: [AnswerID: LogScript] = [:]
    private var pending: [AnswerID: LogScript] = [:]

    init(accounts: [AccountID]) { self.accounts = accounts }

    /// Notes what an operation did, so that appended entries mostly follow.
    mutating func learn(_ operation: StoreOperation, succeeded: Bool) {
        switch operation {
        case .append where succeeded: scripts.merge(pending) { $1 }
        case .turn(let admission) where scripts[admission.answer] == nil:
            scripts[admission.answer] = LogScript(admission.answer, of: admission.turn.id)
        case .answer(let admission) where scripts[admission.answer] == nil:
            scripts[admission.answer] = LogScript(admission.answer, of: admission.turn)
        default: break
        }
    }

    mutating func next(using random: inout SeededGenerator) -> StoreOperation {
        let account = Bool.random(using: &random) ? accounts[0] : accounts.randomElement(using: &random) ?? accounts[0]
        let conversation = ConversationID(high: 0, low: .random(in: 1...4, using: &random))
        let turn = TurnID(high: 0, low: .random(in: 1...8, using: &random))
        let answer = AnswerID(high: 0, low: .random(in: 1...10, using: &random))
        let now = Timestamp(milliseconds: .random(in: 1...20, using: &random))
        let limit = Int.random(in: 0...4, using: &random)
        switch Int.random(in: 0..<145, using: &random) {
        case 100..<102: return .plan([nil, "small", "free"].randomElement(using: &random) ?? nil, account, now)
        case 102: return .limits(account, now)
        case 103..<105: return .charge(answer)
        case 105..<108:
            let topic = ConsentTopic.allCases.randomElement(using: &random) ?? .history
            var values: [ConsentTopic: Int] = [.memory: limit / 2 % 2]
            values[topic] = limit % 2
            return .decide(values, account, limit == 4 ? limit : nil, now)
        case 108: return .consent(account)
        case 109: return .audit(account, limit == 0 ? nil : limit * 3, limit)
        case 110..<112: return .sending(Sending(.title, model: "m", placement: .provider, bytes: limit), answer)
        case 112: return .outlive(limit == 0 ? nil : limit, Timestamp(milliseconds: now.milliseconds * 20_000_000))
        case 113..<115: return .plan("small", accounts[0], now)
        case 0..<4:
            return .put(
                ConversationRecord(
                    id: conversation, title: Bool.random(using: &random) ? "t" : nil, titleSource: .none,
                    createdAt: now,
                    updatedAt: now, isTemporary: Int.random(in: 0..<5, using: &random) == 0, selected: answer), account)
        case 4..<9:
            let patch = ConversationPatch(
                title: limit == 0 ? "mine" : nil, isPinned: Bool.random(using: &random),
                isArchived: limit == 1 ? true : nil, selected: limit > 2 ? answer : nil,
                usesMemory: limit == 2 ? Bool.random(using: &random) : nil)
            return .patch(conversation, account, patch, now)
        case 9..<13:
            let source = ConversationRecord.TitleSource(rawValue: .random(in: 0...3, using: &random)) ?? .none
            return .title("title \(limit)", source, conversation, account, now)
        case 13..<15: return .delete(conversation, account, now)
        case 15: return limit == 0 ? .deleteAll(account, now) : .delete(conversation, account, now)
        case 16..<36:
            let parent = Int.random(in: 0..<3, using: &random) == 0 ? nil : AnswerID(high: 0, low: turn.low - 1)
            let record = TurnRecord(
                id: turn, conversation: conversation, parent: turn.low == 1 ? nil : parent,
                content: [.text(limit == 0 ? "other" : "prompt")], model: "auto", options: [], createdAt: now)
            return .turn(
                TurnAdmission(
                    account: account, turn: record,
                    answer: Bool.random(using: &random) ? answer : ID(high: 0, low: turn.low),
                    isTemporary: limit == 4, terms: Self.terms(record.model)))
        case 36..<42:
            return .answer(
                AnswerAdmission(
                    account: account, turn: turn, answer: answer, model: limit == 0 ? "other" : "auto", options: [],
                    at: now, terms: Self.terms(limit == 0 ? "other" : "auto")))
        case 42..<70: return append(at: now, using: &random)
        case 70..<73: return .compact(now, limit)
        case 73: return .expire(Timestamp(milliseconds: now.milliseconds / 2))
        case 74..<76:
            let session = SessionRecord(
                id: SessionID(high: 0, low: UInt64(limit)), account: account, device: "d", createdAt: now)
            return .openSession(session, [UInt8(limit)])
        case 76: return .closeSession(SessionID(high: 0, low: UInt64(limit)), account)
        case 77..<80:
            return .list(account, limit, Bool.random(using: &random) ? nil : .init(updatedAt: now, id: conversation))
        case 80..<83: return .contents(conversation, account)
        case 83..<86: return .readTurn(turn, account)
        case 86..<89: return .readAnswer(answer, account)
        case 89..<92: return .path(turn, account)
        case 92..<96: return .log(answer, limit * 2, .random(in: 0...300, using: &random))
        case 96: return .unfinished
        case 97: return .sessions(account)
        case 115..<119:
            let texts = ["piece", "pi", "prompt", "x é", "title", "mine other", "t", "other"]
            return .search(texts.randomElement(using: &random) ?? "x", account)
        case 119..<122: return .take(contents(conversation, turn, answer, now), account, now)
        case 122..<127:
            var task = TaskRecord(
                id: TaskID(high: 0, low: UInt64(limit)), account: account, kind: .export, createdAt: now)
            if Bool.random(using: &random) { return .createTask(task) }
            if limit == 4 { return .deleteTask(task.id, account, now) }
            task.state = .done
            task.endedAt = now
            return .updateTask(task, now)
        case 127..<145: return memory(account, conversation, turn, now, using: &random)
        default: return .changes(account, .random(in: 0...40, using: &random), limit * 3)
        }
    }

    private func memory(
        _ account: AccountID, _ conversation: ConversationID, _ turn: TurnID, _ now: Timestamp,
        using random: inout SeededGenerator
    ) -> StoreOperation {
        let id = FactID(high: 0, low: .random(in: 1...6, using: &random))
        let text = ["likes tea", "Likes  TEA!", "lives in Lyon", "is a nurse"].randomElement(using: &random) ?? ""
        let fact = Fact(
            id: id, text: text, source: Bool.random(using: &random) ? .model : .person,
            isAccepted: Bool.random(using: &random), origin: Fact.Origin(conversation: conversation, turn: turn),
            createdAt: now, updatedAt: now)
        switch Int.random(in: 0..<18, using: &random) {
        case 0..<4: return .addFact(fact, account, Bool.random(using: &random), now)
        case 4..<8: return .propose([fact], account, now)
        case 8..<11: return .changeFact(id, account, Bool.random(using: &random) ? text : nil, id.low > 2, now)
        case 11..<13: return .deleteFact(id, account, now)
        case 13: return id.low == 1 ? .emptyMemory(account, now) : .deleteFact(id, account, now)
        case 14: return .facts(account)
        case 15: return .decide([.memory: 1], account, nil, now)
        default: return .recall(conversation, account)
        }
    }

    private static func terms(_ model: String) -> AdmissionTerms {
        AdmissionTerms(plans: plans, charge: Plan.Charge(model: model, inputTokens: 40, outputTokens: 60))
    }

    /// A small tree to import: a turn, perhaps a second one after it, and their answers.
    private func contents(
        _ conversation: ConversationID, _ turn: TurnID, _ answer: AnswerID, _ now: Timestamp
    ) -> ConversationContents {
        let record = ConversationRecord(
            id: conversation, title: "title imported", titleSource: .person, createdAt: now, updatedAt: now,
            selected: answer)
        let first = TurnRecord(
            id: turn, conversation: conversation, parent: nil, content: [.text("prompt imported")], model: "auto",
            options: [], createdAt: now)
        let said = AnswerRecord(
            id: answer, turn: turn, conversation: conversation, account: accounts[0], requestedModel: "auto",
            options: [], end: .init(.done, .complete), seq: 1, content: [.text("piece imported")], startedAt: now)
        return ConversationContents(conversation: record, turns: [first], answers: [said])
    }

    private mutating func append(at now: Timestamp, using random: inout SeededGenerator) -> StoreOperation {
        pending = [:]
        var entries: [LogEntry] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let id = AnswerID(high: 0, low: .random(in: 1...10, using: &random))
            var script = pending[id] ?? scripts[id] ?? LogScript(id, of: 1)
            if script.answer.state.end != nil, Int.random(in: 0..<10, using: &random) > 0 { continue }
            var events: [Event] = []
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                events.append(
                    [
                        .text("piece é\n"), .text("x"), .status(.init(.writing)), .reasoning("hm"),
                        .unknown(type: "later"), .withdrawn(reason: "check"),
                        .usage(.init(inputTokens: 1, outputTokens: 2, isEstimated: false)),
                        .model(.init("m", placement: .server)),
                    ].randomElement(using: &random) ?? .text("y"))
            }
            if Int.random(in: 0..<6, using: &random) == 0 { events.append(.end(.init(.stopped, .stoppedByPerson))) }
            var entry = script.entry(events, at: now)
            if Int.random(in: 0..<4, using: &random) == 0 {
                entry.sent = Sending(.answer, model: "m", placement: .server, bytes: 7)
            }
            if Int.random(in: 0..<30, using: &random) == 0 { entry.firstSeq += 1 }
            pending[id] = script
            entries.append(entry)
        }
        return .append(entries)
    }

    /// Reads of everything that there can be.
    var everyRead: [StoreOperation] {
        var reads: [StoreOperation] = [.unfinished]
        for account in accounts {
            reads += [.list(account, 100, nil), .sessions(account), .consent(account), .audit(account, nil, 1000)]
            reads += [.limits(account, 15)]
            reads += [.tasks(account), .facts(account)]
            reads += (1...4).map { .recall(ConversationID(high: 0, low: $0), account) }
            reads += ["piece", "prompt", "title", "mine", "imported"].map { .search($0, account) }
            reads += (0...60).map { .changes(account, $0, 1000) }
            reads += (1...4).map { .contents(ConversationID(high: 0, low: $0), account) }
            reads += (1...8).map { .readTurn(TurnID(high: 0, low: $0), account) }
            reads += (1...8).map { .path(TurnID(high: 0, low: $0), account) }
            reads += (1...10).map { .readAnswer(AnswerID(high: 0, low: $0), account) }
            reads += (1...10).map { .charge(AnswerID(high: 0, low: $0)) }
        }
        for answer in 1...10 as ClosedRange<UInt64> {
            reads += (0...8).map { .log(AnswerID(high: 0, low: answer), $0, 100) }
        }
        return reads
    }
}
