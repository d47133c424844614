import Foundation
import RejoinCore
import RejoinServer

/// What several suites begin with.
enum Fixture {
    /// An account with one admitted turn, its answer not begun.
    static func admit(
        in store: any Store, _ surroundings: Surroundings, prompt: String = "Hello", model: String = "auto"
    ) async throws -> AnswerRecord {
        let account = AccountRecord(
            id: surroundings.makeID(), name: "account \(surroundings.random().0)", passwordHash: nil,
            createdAt: surroundings.wall())
        _ = try await store.createAccount(account)
        return try await admit(in: store, surroundings, account: account.id, prompt: prompt, model: model)
    }

    /// Another turn of an account, in a conversation of its own.
    static func admit(
        in store: any Store, _ surroundings: Surroundings, account: AccountID, prompt: String, model: String = "auto"
    ) async throws -> AnswerRecord {
        let turn = TurnRecord(
            id: surroundings.makeID(), conversation: surroundings.makeID(), parent: nil, content: [.text(prompt)],
            model: model, options: RunOptions().encoded, createdAt: surroundings.wall())
        let admission = TurnAdmission(account: account, turn: turn, answer: surroundings.makeID())
        guard case .admitted(let answer) = try await store.admit(admission) else { throw NotAdmitted() }
        return answer
    }

    /// A file of `Tests/Fixtures`.
    static func bytes(_ path: String) throws -> [UInt8] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return [UInt8](try Data(contentsOf: tests.appending(path: "Fixtures/" + path)))
    }

    struct NotAdmitted: Error {}
}
