import Foundation
import RejoinCore
import SeededRandom

@testable import RejoinServer

/// Short words for tests of archives.
extension StoreScenario {
    /// The account's archive, as the bytes of its lines.
    func archive(of account: AccountID? = nil) async throws -> [UInt8] {
        guard let record = try await store.account(account ?? ann) else { return [] }
        var bytes: [UInt8] = []
        try await Exporter(store: store, account: record, now: 1000).run {
            bytes += $0
        } progress: { _, _ in
        }
        return bytes
    }

    /// Imports bytes as one file, in pieces of a size.
    @discardableResult
    func take(_ bytes: [UInt8], by size: Int = 1 << 16, for account: AccountID? = nil) async throws -> ImportReport {
        try await take([bytes], by: size, for: account)
    }

    @discardableResult
    func take(_ files: [[UInt8]], by size: Int = 1 << 16, for account: AccountID? = nil) async throws -> ImportReport {
        var importer = Importer(store: store, account: account ?? ann, now: 2000)
        for bytes in files {
            for start in stride(from: 0, to: bytes.count, by: size) {
                try await importer.take(Array(bytes[start..<min(bytes.count, start + size)]))
            }
            try await importer.endFile()
        }
        return importer.report
    }

    /// All conversations of an account, whole.
    func everything(of account: AccountID? = nil) async throws -> [ConversationContents] {
        var all: [ConversationContents] = []
        for id in try await store.conversationIDs(of: account ?? ann) {
            if let contents = try await store.contents(of: id, account: account ?? ann).value { all.append(contents) }
        }
        return all
    }

    /// A few conversations with branches, siblings, a running answer, and every kind of end.
    func fill(seed: UInt64, conversations: Int = 4) async throws {
        var random = SeededGenerator(seed: seed)
        var next: UInt64 = 1
        for conversation in 1...UInt64(conversations) {
            var answers: [(AnswerID, TurnID)] = []
            for number in 1...Int.random(in: 1...8, using: &random) {
                let time = Timestamp(milliseconds: Int64(number) * 1000 + Int64(conversation))
                let answer = AnswerID(high: 7, low: next)
                let turn: TurnID
                if let old = answers.randomElement(using: &random), Int.random(in: 0..<3, using: &random) == 0 {
                    turn = old.1
                    _ = try await again(answer, to: turn, model: "small", at: time)
                } else {
                    turn = TurnID(high: 7, low: next)
                    let parent = number == 1 ? nil : answers.randomElement(using: &random)?.0
                    _ = try await say(
                        "prompt \(next) é \"\n東京", turn: turn, answer: answer, in: .init(high: 7, low: conversation),
                        after: parent, at: time)
                }
                answers.append((answer, turn))
                next += 1
                var script = LogScript(answer, of: turn)
                try await write(&script, .model(.init("m", placement: .server)), .text("answer \(next)"), at: time)
                guard number % 5 != 4 else { continue }
                let state = EndState.allCases.randomElement(using: &random) ?? .done
                try await write(
                    &script, .usage(.init(inputTokens: 3, outputTokens: 4, isEstimated: false)),
                    .end(.init(state, reason: "complete", resetsAt: state == .refused ? 99_000 : nil)), at: time)
            }
            let patch = ConversationPatch(
                title: conversation % 2 == 0 ? "Title \(conversation)" : nil, isPinned: conversation == 1,
                isArchived: conversation == 3, selected: answers.randomElement(using: &random)?.0)
            _ = try await store.patchConversation(.init(high: 7, low: conversation), of: ann, patch, now: 30)
        }
    }
}

extension ConversationContents {
    /// The conversation as another account, or a later life, has it: what was under way is interrupted.
    func ended(for account: AccountID) -> ConversationContents {
        var ended = self
        for index in answers.indices {
            ended.answers[index].account = account
            guard answers[index].end == nil else { continue }
            ended.answers[index].end = .init(.interrupted, reason: nil)
            ended.answers[index].endedAt = answers[index].startedAt
        }
        return ended
    }

    /// The tree without ids: what is said where, in the order of admission.
    var shape: [String] {
        let turnNumbers = Dictionary(uniqueKeysWithValues: turns.enumerated().map { ($1.id, $0) })
        let answerNumbers = Dictionary(uniqueKeysWithValues: answers.enumerated().map { ($1.id, $0) })
        func place(_ id: AnswerID?) -> String { id.flatMap { answerNumbers[$0] }.map(String.init) ?? "-" }
        var lines = [
            "\(conversation.title ?? "-") \(conversation.isPinned) \(conversation.isArchived) "
                + place(conversation.selected)
        ]
        lines += turns.map { "prompt after \(place($0.parent)): \($0.content) \($0.createdAt)" }
        lines += answers.map {
            "answer to \(turnNumbers[$0.turn] ?? -1): \($0.content) \($0.end?.state.rawValue ?? "none") "
                + "\($0.model?.model ?? "-") \($0.usage?.outputTokens ?? -1)"
        }
        return lines
    }
}
