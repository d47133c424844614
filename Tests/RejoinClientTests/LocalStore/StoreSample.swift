import Foundation
import RejoinCore

@testable import RejoinClient

/// Short words for what the tests of the local store put into it.
enum StoreSample {
    static func conversation(_ number: UInt64) -> ConversationID { ConversationID(high: 0xC << 16, low: number) }
    static func turn(_ number: UInt64) -> TurnID { TurnID(high: 0x7 << 16, low: number) }
    static func answer(_ number: UInt64) -> AnswerID { AnswerID(high: 0xA << 16, low: number) }
    static func time(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    /// The account that most tests are about.
    static let account = AccountID(high: 1, low: 1)

    /// A prompt on its way.
    static func prompt(
        _ number: UInt64, in conversation: UInt64 = 1, after parent: UInt64? = nil, _ text: String = "Hello",
        at milliseconds: Int64 = 1000, delivery: Delivery = .sending
    ) -> StoredTurn {
        StoredTurn(
            id: turn(number), conversation: Self.conversation(conversation), parent: parent.map(answer),
            content: [.text(text)], createdAt: time(milliseconds), delivery: delivery)
    }

    /// Pieces of text numbered from a number on.
    static func pieces(_ texts: String..., from seq: Int = 1) -> [NumberedEvent] {
        texts.enumerated().map { NumberedEvent(seq: seq + $0, event: .text($1)) }
    }

    /// The end of an answer.
    static func end(_ seq: Int, _ state: EndState = .done, _ reason: EndReason = .complete) -> NumberedEvent {
        NumberedEvent(seq: seq, event: .end(.init(state, reason)))
    }

    /// An answer as the server tells it.
    static func serverAnswer(
        _ number: UInt64, turn: UInt64, _ text: String, seq: Int = 2,
        state: Answer.State = .ended(.init(.done, .complete))
    ) -> Answer {
        Answer(
            id: answer(number), turn: self.turn(turn), state: state, seq: seq,
            content: text.isEmpty ? [] : [.text(text)])
    }

    /// A turn as the server tells it, with one finished answer.
    static func serverTurn(
        _ number: UInt64, after parent: UInt64? = nil, _ text: String = "Hello", answers: [Answer]
    ) -> ServerTurn {
        ServerTurn(
            id: turn(number), parent: parent.map(answer), content: [.text(text)], createdAt: time(1000),
            answers: answers)
    }

    /// A conversation as the server tells it.
    static func serverTree(
        _ number: UInt64, title: String = "", at milliseconds: Int64 = 1000, selected: UInt64? = nil,
        _ turns: ServerTurn...
    ) -> ServerTree {
        ServerTree(
            conversation: line(number, title: title, at: milliseconds), turns: turns, selected: selected.map(answer))
    }

    /// A line of the server's list.
    static func line(
        _ number: UInt64, title: String = "", at milliseconds: Int64 = 1000, isPinned: Bool = false
    ) -> ServerConversation {
        ServerConversation(id: conversation(number), title: title, updatedAt: time(milliseconds), isPinned: isPinned)
    }

    /// Runs a body with a folder that is removed afterwards.
    static func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rejoin-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder.path)
    }

    /// Runs a body with a store in a file, closed afterwards.
    static func withStore<Result>(_ body: (LocalStore) async throws -> Result) async throws -> Result {
        try await withFolder { folder in
            let store = try await LocalStore.open(folder: folder, account: account)
            let result = try await body(store)
            await store.close()
            return result
        }
    }
}

extension LocalStore {
    /// Begins a turn of the sample with the answer of the same number.
    @discardableResult
    func begin(_ turn: StoredTurn, isTemporary: Bool = false) async throws -> Begun {
        try await begin(
            turn: turn, answer: StoreSample.answer(turn.id.low), draftCleared: true, isTemporary: isTemporary)
    }

    /// The text of an answer as it is shown.
    func text(_ answer: UInt64) async throws -> String? {
        try await self.answer(StoreSample.answer(answer))?.answer.text
    }
}
