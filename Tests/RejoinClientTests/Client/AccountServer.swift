import RejoinCore
import RejoinTestKit
import RejoinServer
import Synchronization
import TestSupport

@testable import RejoinClient
// Of the two of this name, the client's: it lets one in at a time.
@testable import class RejoinClient.Gate

/// A server in memory for several devices: the plain store of the real one's tests behind the wire, with answers that
/// grow when a test says so.
final class AccountServer: Sendable {
    struct State {
        /// What is still to be said, by answer.
        var unsaid: [AnswerID: [Event]] = [:]
        var folds: [AnswerID: Answer] = [:]
        /// The answers that a model was asked for, in order.
        var runs: [AnswerID] = []
        var prompts: [String] = []
        var stops: [AnswerID] = []
        /// Method and path of each request, in order.
        var requests: [String] = []
        var revoked: Set<String> = []
        var refusal: (@Sendable (TransportRequest) -> TransportReply?)?
        var limits = "[]"
    }

    let account: AccountID = ID(high: 9, low: 9)
    let store: MemoryStore
    /// Called when a log or the feed has more.
    let bell = WakeUp()
    private let state = Mutex(State())
    /// One voice at a time: what is said enters the log in the order in which it was said.
    private let voice = Gate()
    private let script: @Sendable (String) -> [Event]
    private let now: @Sendable () -> Timestamp

    /// - Parameter script: what the model says to a prompt, its end included.
    init(
        now: @escaping @Sendable () -> Timestamp = { Timestamp(milliseconds: 1_800_000_000_000) },
        script: @escaping @Sendable (String) -> [Event] = AccountServer.echo
    ) async throws {
        self.now = now
        self.script = script
        let bell = bell
        store = MemoryStore { _, _ in bell.call() }
        let record = AccountRecord(id: account, name: "ann", passwordHash: nil, createdAt: now())
        _ = try await store.createAccount(record)
    }

    /// Repeats the prompt word by word.
    static func echo(_ prompt: String) -> [Event] {
        prompt.split(separator: " ").map { .text("\($0) ") } + [.end(.init(.done, .complete))]
    }

    func read<Value>(_ body: (State) -> sending Value) -> sending Value { state.withLock { body($0) } }
    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    /// How often a request was made whose method and path begin so.
    func count(_ prefix: String) -> Int { read { $0.requests.count { $0.hasPrefix(prefix) } } }

    /// Where the account's feed stands.
    var newestCursor: Int { get async throws { try await store.changeCursor(of: account) } }

    /// Whether a conversation was there and was deleted.
    func isDeleted(_ conversation: ConversationID) async throws -> Bool {
        try await store.conversation(conversation, of: account) == .deleted
    }

    /// An answer as it is kept; nil if it is not there.
    func record(_ answer: AnswerID) async throws -> Answer? {
        guard case .found(let record) = try await store.answer(answer, of: account) else { return nil }
        return Answer(record, nil)
    }

    // MARK: What the model does

    /// Says the next pieces of an answer; all of the rest by default.
    func say(_ answer: AnswerID, _ count: Int = .max) async throws {
        try await voice.pass { try await speak(answer, count) }
    }

    private func speak(_ answer: AnswerID, _ count: Int) async throws {
        let entry = state.withLock { state -> LogEntry? in
            guard var unsaid = state.unsaid[answer], !unsaid.isEmpty, var fold = state.folds[answer] else { return nil }
            let first = fold.seq + 1
            var bytes: [UInt8] = []
            for event in unsaid.prefix(count) {
                let numbered = NumberedEvent(seq: fold.seq + 1, event: event)
                numbered.append(to: &bytes)
                fold.apply(numbered)
            }
            unsaid.removeFirst(min(count, unsaid.count))
            state.unsaid[answer] = unsaid
            state.folds[answer] = fold
            return LogEntry(
                answer: answer, firstSeq: first, lastSeq: fold.seq, bytes: bytes,
                ended: fold.state.end == nil ? nil : fold, at: now())
        }
        guard let entry else { return }
        _ = try await store.append([entry])
        bell.call()
    }

    /// Answers that are not whole, oldest first.
    var unfinished: [AnswerID] { read { state in state.runs.filter { state.unsaid[$0]?.isEmpty == false } } }

    /// Says everything that is still to be said.
    func sayAll() async throws { for answer in unfinished { try await say(answer) } }

    /// Gives a conversation a title as a model would.
    func name(_ conversation: ConversationID, _ title: String) async throws {
        _ = try await store.setTitle(title, source: .model, of: conversation, account: account, now: now())
    }

    /// Drops the logs of what has ended; the answers stay.
    func compact() async throws {
        _ = try await store.compactLogs(endedBefore: Timestamp(milliseconds: .max), limit: 1000)
    }

    /// Forgets the feed and the deletions so far.
    func expireFeed() async throws { try await store.expireChanges(before: Timestamp(milliseconds: .max)) }

    private func start(_ answer: AnswerID, _ turn: TurnID, _ prompt: String) {
        defer { bell.call() }
        state.withLock { state in
            state.runs.append(answer)
            state.prompts.append(prompt)
            state.unsaid[answer] = script(prompt)
            state.folds[answer] = Answer(id: answer, turn: turn)
        }
    }

    private func stop(_ answer: AnswerID) async throws {
        // One that was admitted begins at once, but another request may come in between.
        while read({ $0.folds[answer] == nil }) {
            let seen = bell.count
            if read({ $0.folds[answer] != nil }) { break }
            try await bell.wait(beyond: seen, clock: ContinuousClock())
        }
        let isRunning = state.withLock { state in
            guard state.unsaid[answer]?.isEmpty == false else { return false }
            state.unsaid[answer] = [.end(.init(.stopped, .stoppedByPerson))]
            return true
        }
        if isRunning { try await say(answer) }
    }

    // MARK: The wire

    func handle(_ request: TransportRequest) async throws -> TransportReply {
        let path = String(request.url.dropFirst("http://fake".count))
        let parts = path.split(separator: "?", maxSplits: 1)
        let steps = parts[0].split(separator: "/").map(String.init)
        let query = Self.query(parts.count > 1 ? parts[1] : "")
        let token = request.fields.first { $0.name == "authorization" }?.value ?? ""
        let (isRevoked, refusal) = state.withLock { state in
            state.requests.append("\(request.method) \(path)")
            return (state.revoked.contains(token), state.refusal)
        }
        if isRevoked { return .problem(Problem(.unauthenticated, "signed out")) }
        if let reply = refusal?(request) { return reply }
        do {
            return try await answer(request, steps, query, token)
        } catch let problem as Problem {
            return .problem(problem)
        }
    }

    private func answer(
        _ request: TransportRequest, _ steps: [String], _ query: [Substring: Substring], _ token: String
    ) async throws -> TransportReply {
        let after = query["after"].flatMap { Int($0) } ?? 0
        let wantsEvents = request.fields.contains { $0.name == "accept" && $0.value == "text/event-stream" }
        let body = try request.body.map { try JSONReader.parse($0).object } ?? nil
        switch (request.method, steps.dropFirst().first, steps.count) {
        case ("GET", "conversations", 2): return try await list(query)
        case ("DELETE", "conversations", 2):
            for answer in try await store.deleteConversations(of: account, now: now()) { abandon(answer) }
            return .json("", status: 204)
        case ("GET", "conversations", 3): return try await show(try id(steps[2]))
        case ("PUT", "conversations", 3):
            let new = ConversationRecord(
                id: try id(steps[2]), title: nil, titleSource: .none, createdAt: now(), updatedAt: now())
            switch try await store.putConversation(new, of: account) {
            case .created(let line), .existing(let line): return json { $0.line(.init(line)) }
            case .deleted: throw Problem(.deleted, "")
            case .notFound: throw Problem(.notFound, "")
            }
        case ("PATCH", "conversations", 3):
            let patch = RejoinServer.ConversationPatch(
                title: body?["title"]?.string, isPinned: body?["pinned"]?.bool, isArchived: body?["archived"]?.bool,
                selected: body?["selected"]?.string.flatMap { AnswerID($0) })
            let line = try found(try await store.patchConversation(try id(steps[2]), of: account, patch, now: now()))
            return json { $0.line(.init(line)) }
        case ("DELETE", "conversations", 3):
            switch try await store.deleteConversation(try id(steps[2]), of: account, now: now()) {
            case .found(let answers): for answer in answers { abandon(answer) }
            case .deleted: break
            case .notFound: throw Problem(.notFound, "")
            }
            return .json("", status: 204)
        case ("PUT", "conversations", 5):
            return try await putTurn(try id(steps[2]), try id(steps[4]), body ?? JSONObject(), after)
        case ("PUT", "conversations", 6):
            return try await putFinished(try id(steps[2]), try id(steps[4]), body ?? JSONObject())
        case ("PUT", "turns", 5): return try await putAnswer(try id(steps[2]), try id(steps[4]), body, after)
        case ("GET", "answers", 3):
            let record = try found(try await store.answer(try id(steps[2]), of: account))
            let fold = read { $0.folds[record.id] }
            return json { $0.answer(Answer(record, fold)) }
        case ("GET", "answers", 4):
            let record = try found(try await store.answer(try id(steps[2]), of: account))
            if record.end != nil, after >= record.seq { return .json("", status: 204) }
            return events(record.id, after: after)
        case ("POST", "answers", 4):
            let record = try found(try await store.answer(try id(steps[2]), of: account))
            state.withLock { $0.stops.append(record.id) }
            try await stop(record.id)
            return .json(#"{"state":"stopped","seq":1}"#)
        case ("GET", "changes", 2):
            guard
                case .changes(let changes, let cursor, let more) = try await store.changes(
                    of: account, after: after, limit: 500)
            else { throw Problem(.cursorExpired, "") }
            if wantsEvents { return TransportReply.events(FeedBody(self, after: after, token: token)) }
            return json { $0.changes(changes.map(JSONWriter.Change.init), cursor: cursor, hasMore: more) }
        case ("GET", "limits", 2): return .json(read { $0.limits })
        case ("DELETE", "sessions", 3):
            state.withLock { _ = $0.revoked.insert(token) }
            bell.call()
            return .json("", status: 204)
        case ("GET", "models", 2): return .json(#"{"items":[]}"#)
        default: throw Problem(.notFound, "nothing at \(steps)")
        }
    }

    private func abandon(_ answer: AnswerID) {
        state.withLock { $0.unsaid[answer] = [] }
        bell.call()
    }

    private func putTurn(
        _ conversation: ConversationID, _ turn: TurnID, _ body: JSONObject, _ after: Int
    ) async throws -> TransportReply {
        guard let answer = body["answer"]?.string.flatMap({ AnswerID($0) }),
            let content = body["content"]?.array.flatMap(ContentPart.parts)
        else { throw Problem(.invalidRequest, "body") }
        let record = TurnRecord(
            id: turn, conversation: conversation, parent: body["parent"]?.string.flatMap { AnswerID($0) },
            content: content, model: body["model"]?.string ?? "auto", options: Array("{}".utf8), createdAt: now())
        let admission = TurnAdmission(
            account: account, turn: record, answer: answer, isTemporary: body["temporary"]?.bool ?? false)
        let outcome = try await store.admit(admission)
        if case .admitted = outcome, record.parent == nil, !admission.isTemporary {
            _ = try await store.setTitle(
                ContentPart.text(of: content), source: .firstWords, of: conversation, account: account, now: now())
        }
        return try await reply(outcome, ContentPart.text(of: content), after)
    }

    /// Takes in what a device answered by itself, as the real server does.
    private func putFinished(
        _ conversation: ConversationID, _ turn: TurnID, _ body: JSONObject
    ) async throws -> TransportReply {
        guard let answer = body["answer"]?.string.flatMap({ AnswerID($0) }),
            let content = body["content"]?.array.flatMap(ContentPart.parts), let finished = body["finished"]?.object,
            let state = finished["state"]?.string.flatMap(EndState.init(rawValue:)),
            let said = finished["content"]?.array.flatMap(ContentPart.parts), let seq = finished["seq"]?.integer
        else { throw Problem(.invalidRequest, "body") }
        let parent = body["parent"]?.string.flatMap { AnswerID($0) }
        if let parent { _ = try found(try await store.answer(parent, of: account)) }
        let new = ConversationRecord(
            id: conversation, title: ContentPart.text(of: content), titleSource: .firstWords, createdAt: now(),
            updatedAt: now())
        let contents = ConversationContents(
            conversation: new,
            turns: [
                TurnRecord(
                    id: turn, conversation: conversation, parent: parent, content: content, model: "auto",
                    options: Array("{}".utf8), createdAt: now())
            ],
            answers: [
                AnswerRecord(
                    id: answer, turn: turn, conversation: conversation, account: account, requestedModel: "auto",
                    options: Array("{}".utf8), end: Event.End(state, reason: finished["reason"]?.string), seq: seq,
                    content: said, model: Event.Model(finished["model"]?.string ?? "", placement: .device),
                    startedAt: now(), endedAt: now())
            ])
        guard case .imported = try await store.importConversation(contents, of: account, now: now()) else {
            throw Problem(.deleted, "")
        }
        return .json("{}", status: 201)
    }

    private func putAnswer(
        _ turn: TurnID, _ answer: AnswerID, _ body: JSONObject?, _ after: Int
    ) async throws -> TransportReply {
        let prompt = try found(try await store.turn(turn, of: account))
        let admission = AnswerAdmission(
            account: account, turn: turn, answer: answer, model: body?["model"]?.string ?? "auto",
            options: Array("{}".utf8), at: now())
        return try await reply(try await store.admit(admission), ContentPart.text(of: prompt.content), after)
    }

    private func reply(
        _ admission: RejoinServer.Admission, _ prompt: String, _ after: Int
    ) async throws -> TransportReply {
        switch admission {
        case .admitted(let record):
            start(record.id, record.turn, prompt)
            return events(record.id, after: after)
        case .repeated(let record): return events(record.id, after: after)
        case .conflict: throw Problem(.turnConflict, "")
        case .deleted: throw Problem(.deleted, "")
        case .notFound: throw Problem(.notFound, "")
        case .limited(let limit): throw Problem(.limitReached, "", limit: limit)
        case .weaker: throw Problem(.limitReached, "")
        }
    }

    private func events(_ answer: AnswerID, after: Int) -> TransportReply {
        .events(LogBody(self, answer, after: after))
    }

    private func list(_ query: [Substring: Substring]) async throws -> TransportReply {
        let limit = query["limit"].flatMap { Int($0) } ?? 50
        let before = query["before"].flatMap { text -> ConversationPosition? in
            let parts = text.split(separator: ".")
            guard parts.count == 2, let time = Int64(parts[0]), let id = ConversationID(parts[1]) else { return nil }
            return ConversationPosition(updatedAt: Timestamp(milliseconds: time), id: id)
        }
        let cursor = try await store.changeCursor(of: account)
        let items = try await store.conversations(of: account, limit: limit + 1, before: before)
        let page = items.prefix(limit)
        let next = items.count > limit ? page.last.map { "\($0.updatedAt.milliseconds).\($0.id)" } : nil
        return json { $0.list(page.map { ConversationSummary($0) }, next: next, cursor: cursor) }
    }

    private func show(_ id: ConversationID) async throws -> TransportReply {
        let contents = try found(try await store.contents(of: id, account: account))
        let folds = read { $0.folds }
        let turns = contents.turns.map { turn in
            JSONWriter.Turn(
                id: turn.id, parent: turn.parent, content: turn.content, model: turn.model, createdAt: turn.createdAt,
                answers: contents.answers.filter { $0.turn == turn.id }.map { Answer($0, folds[$0.id]) })
        }
        return json { $0.conversation(.init(contents.conversation), turns) }
    }

    private func id<Kind>(_ text: String) throws -> ID<Kind> {
        guard let id = ID<Kind>(text) else { throw Problem(.invalidRequest, "id") }
        return id
    }

    private func found<Value>(_ lookup: Lookup<Value>) throws -> Value {
        switch lookup {
        case .found(let value): return value
        case .deleted: throw Problem(.deleted, "")
        case .notFound: throw Problem(.notFound, "")
        }
    }

    private func json(_ build: (inout JSONWriter) -> Void) -> TransportReply {
        var json = JSONWriter()
        build(&json)
        return .json(String(decoding: json.bytes, as: UTF8.self))
    }

    private static func query(_ text: Substring) -> [Substring: Substring] {
        var query: [Substring: Substring] = [:]
        for pair in text.split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1)
            if halves.count == 2 { query[halves[0]] = halves[1] }
        }
        return query
    }
}

/// The log of an answer as it grows.
private final class LogBody: TransportBody {
    private let server: AccountServer
    private let answer: AnswerID
    private let cursor: Mutex<Int>
    private let isCancelled = Flag()

    init(_ server: AccountServer, _ answer: AnswerID, after: Int) {
        self.server = server
        self.answer = answer
        cursor = Mutex(after)
    }

    func next() async throws -> ArraySlice<UInt8>? {
        while true {
            let seen = server.bell.count
            if isCancelled.isSet { throw TransportFailure(.dropped, "cancelled") }
            let after = cursor.withLock { $0 }
            let page = try await server.store.log(of: answer, after: after, maximumBytes: 1 << 16)
            if case .compacted(let record) = page, let end = record.end, after < record.seq {
                cursor.withLock { $0 = record.seq }
                let seq = record.seq - 1
                let snapshot = Event.snapshot(.init(seq: seq, content: record.content, withdrawal: record.withdrawal))
                let events = [NumberedEvent(seq: seq, event: snapshot), NumberedEvent(seq: seq + 1, event: .end(end))]
                return wire(events.filter { $0.seq > after })[...]
            }
            guard case .events(let bytes, let last, _, let isEnded) = page else { return nil }
            if !bytes.isEmpty {
                cursor.withLock { $0 = last }
                return bytes[...]
            }
            if isEnded { return nil }
            try await server.bell.wait(beyond: seen, clock: ContinuousClock())
        }
    }

    func cancel() {
        isCancelled.set()
        server.bell.call()
    }
}

/// The account's feed as it grows.
private final class FeedBody: TransportBody {
    private let server: AccountServer
    private let token: String
    private let cursor: Mutex<Int>
    private let isCancelled = Flag()

    init(_ server: AccountServer, after: Int, token: String) {
        self.server = server
        self.token = token
        cursor = Mutex(after)
    }

    func next() async throws -> ArraySlice<UInt8>? {
        while true {
            let seen = server.bell.count
            if isCancelled.isSet { throw TransportFailure(.dropped, "cancelled") }
            if server.read({ $0.revoked.contains(token) }) { return nil }
            let after = cursor.withLock { $0 }
            guard
                case .changes(let changes, let last, _) = try await server.store.changes(
                    of: server.account, after: after, limit: 500)
            else { return nil }
            if !changes.isEmpty {
                cursor.withLock { $0 = last }
                var bytes: [UInt8] = []
                for change in changes { bytes += JSONWriter.Change(change).event }
                return bytes[...]
            }
            try await server.bell.wait(beyond: seen, clock: ContinuousClock())
        }
    }

    func cancel() {
        isCancelled.set()
        server.bell.call()
    }
}

extension TransportReply {
    fileprivate static func events(_ body: some TransportBody) -> TransportReply {
        TransportReply(status: 200, body: body) { $0 == "content-type" ? "text/event-stream" : nil }
    }
}

extension ConversationSummary {
    fileprivate init(_ line: ConversationRecord) {
        self.init(
            id: line.id, title: line.title ?? "", updatedAt: line.updatedAt, isPinned: line.isPinned,
            isArchived: line.isArchived, selected: line.selected)
    }
}

extension Answer {
    /// An answer as the server shows it: the record, or the fold of its log while it runs.
    fileprivate init(_ record: AnswerRecord, _ fold: Answer?) {
        guard let end = record.end else {
            self = fold ?? Answer(id: record.id, turn: record.turn)
            return
        }
        self.init(
            id: record.id, turn: record.turn, state: .ended(end), seq: record.seq, content: record.content,
            model: record.model, withdrawal: record.withdrawal)
    }
}

extension JSONWriter.Change {
    fileprivate init(_ change: RejoinServer.Change) {
        self.init(
            cursor: change.cursor, kind: change.kind.rawValue, id: "\(change.subject)",
            conversation: change.conversation, isDeletion: change.operation == .delete)
    }
}
