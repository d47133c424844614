import Foundation
public import RejoinCore
import RejoinServer
import Synchronization
import TestSupport
import Testing

/// The stores that every behaviour test runs over.
enum StoreKind: CaseIterable, Sendable {
    case memory, sqlite
}

/// A store with two accounts in it, and short words for what the tests do to it.
struct StoreScenario: Sendable {
    let store: any Store
    let observed = ObservedChanges()
    let ann = AccountID(high: 0xA, low: 1)
    let ben = AccountID(high: 0xB, low: 2)

    /// Runs a body over a fresh store of a kind and closes it afterwards.
    static func run(_ kind: StoreKind, _ body: (StoreScenario) async throws -> Void) async throws {
        switch kind {
        case .memory: try await StoreScenario { MemoryStore(onChange: $0) }.run(body)
        case .sqlite:
            try await TemporaryFolder.use { folder in
                try await StoreScenario { try SQLiteStore(path: folder + "/rejoin.db", onChange: $0) }.run(body)
            }
        }
    }

    /// Wraps a store that may hold something already.
    init(_ make: (@escaping ChangeObserver) throws -> any Store) rethrows {
        let observed = observed
        store = try make { account, cursor in observed.note(account, cursor) }
    }

    private func run(_ body: (StoreScenario) async throws -> Void) async throws {
        try await createAccounts()
        try await body(self)
        try await store.close()
    }

    func createAccounts() async throws {
        for (id, name) in [(ann, "Ann"), (ben, "Ben")] {
            let account = AccountRecord(id: id, name: name, passwordHash: nil, createdAt: 1)
            try #require(try await store.createAccount(account))
        }
    }

    /// Asks for a turn whose prompt is one text.
    func say(
        _ text: String = "Hello", turn: TurnID, answer: AnswerID, in conversation: ConversationID,
        after parent: AnswerID? = nil, by account: AccountID? = nil, at: Timestamp = 10, isTemporary: Bool = false
    ) async throws -> Admission {
        let record = TurnRecord(
            id: turn, conversation: conversation, parent: parent, content: [.text(text)], model: "auto",
            options: Array("{}".utf8), createdAt: at)
        return try await store.admit(
            TurnAdmission(account: account ?? ann, turn: record, answer: answer, isTemporary: isTemporary))
    }

    /// Asks for another answer.
    func again(
        _ answer: AnswerID, to turn: TurnID, model: String = "auto", by account: AccountID? = nil, at: Timestamp = 20
    ) async throws -> Admission {
        try await store.admit(
            AnswerAdmission(
                account: account ?? ann, turn: turn, answer: answer, model: model, options: Array("{}".utf8), at: at))
    }

    /// Appends one entry of the script.
    func write(_ script: inout LogScript, _ events: Event..., at: Timestamp = 30) async throws {
        let gone = try await store.append([script.entry(events, at: at)])
        #expect(gone.isEmpty)
    }

    /// All changes of an account after a cursor, as short words such as `put turn 1`.
    func feed(of account: AccountID? = nil, after cursor: Int = 0) async throws -> [String] {
        let page = try await store.changes(of: account ?? ann, after: cursor, limit: .max)
        guard case .changes(let changes, _, _) = page else { return ["expired"] }
        return changes.map { "\($0.operation.rawValue) \($0.kind.rawValue) \($0.subject.low)" }
    }
}

/// What the observer was told.
final class ObservedChanges: Sendable {
    private let cursors = Mutex<[AccountID: [Int]]>([:])

    func note(_ account: AccountID, _ cursor: Int) { cursors.withLock { $0[account, default: []].append(cursor) } }

    func cursors(of account: AccountID) -> [Int] { cursors.withLock { $0[account] ?? [] } }
}

/// One answer's log as a run would write it.
struct LogScript: Sendable {
    private(set) var answer: Answer

    init(_ id: AnswerID, of turn: TurnID) { answer = Answer(id: id, turn: turn) }

    /// The next entry, holding these events.
    mutating func entry(_ events: [Event], at: Timestamp = 30) -> LogEntry {
        let first = answer.seq + 1
        var bytes: [UInt8] = []
        for event in events {
            let numbered = NumberedEvent(seq: answer.seq + 1, event: event)
            numbered.append(to: &bytes)
            answer.apply(numbered)
        }
        let ended = answer.state.end == nil ? nil : answer
        return LogEntry(
            answer: answer.id, firstSeq: first, lastSeq: answer.seq, bytes: bytes, ended: ended, at: at)
    }
}

/// A folder that is gone when its user is.
enum TemporaryFolder {
    static func use<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rejoin-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder.path)
    }
}

extension LogPage {
    /// The events of the page, read; nil if it is none.
    var numbered: [NumberedEvent]? {
        guard case .events(let bytes, _, _, _) = self else { return nil }
        var events: [NumberedEvent] = []
        var parser = EventStreamParser()
        parser.feed(bytes) { if let event = NumberedEvent($0) { events.append(event) } }
        return events
    }
}

extension Admission {
    /// The answer that was admitted now.
    var admitted: AnswerRecord? { if case .admitted(let answer) = self { answer } else { nil } }
    /// The answer that was admitted before.
    var repeated: AnswerRecord? { if case .repeated(let answer) = self { answer } else { nil } }
}

extension Lookup {
    /// What was found.
    var value: Value? { if case .found(let value) = self { value } else { nil } }
}

// Ids and times in tests are small numbers.
extension ID: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: UInt64) { self.init(high: 0, low: value) }
}

extension Timestamp: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int64) { self.init(milliseconds: value) }
}
