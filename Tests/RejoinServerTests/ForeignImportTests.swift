import Foundation
import RejoinCore
import TestSupport
import Testing

@testable import RejoinServer

@Suite(.serialized) struct ForeignImportTests {
    /// Imports a file of `Fixtures/Imports`, twice, and says what is there afterwards.
    private func imported(
        _ names: [String], _ check: (StoreScenario, ImportReport, [ConversationContents]) async throws -> Void
    ) async throws {
        let files = try names.map { try Fixture.bytes("Imports/" + $0) }
        for size in [1 << 16, 61] {
            try await StoreScenario.run(size > 100 ? .sqlite : .memory) { scenario in
                let report = try await scenario.take(files, by: size)
                let first = try await scenario.everything()
                let second = try await scenario.take(files)
                #expect(second.conversations == 0 && second.turns == 0 && second.answers == 0)
                #expect(second.faultCount == report.faultCount)
                #expect(try await scenario.everything() == first)
                try await check(scenario, report, first)
            }
        }
    }

    /// The words of the selected path: prompts and answers in turn.
    private func path(_ contents: ConversationContents, in scenario: StoreScenario) async throws -> [String] {
        let selected = try #require(contents.conversation.selected)
        let answer = try #require(contents.answers.first { $0.id == selected })
        let steps = try await scenario.store.path(to: answer.turn, of: scenario.ann)
        return steps.flatMap { [ContentPart.text(of: $0.prompt), ContentPart.text(of: $0.reply)] }.dropLast()
            + [ContentPart.text(of: answer.content)]
    }

    private func titled(_ title: String, _ all: [ConversationContents]) throws -> ConversationContents {
        try #require(all.first { $0.conversation.title == title })
    }

    @Test("S24 ChatGPT: trees with edits and regenerations, tools passed over, files referenced, broken parts named")
    func chatGPT() async throws {
        try await imported(["chatgpt.json"]) { scenario, report, all in
            #expect(all.count == 3)
            let garden = try titled("Garden plan", all)
            #expect(
                try await path(garden, in: scenario) == [
                    "What grows in shade?", "Ferns.", "And in the sun?", "Sage and thyme.",
                ])
            // The prompt that was edited, and the answer that was asked for again, are both there.
            #expect(garden.turns.map { ContentPart.text(of: $0.content) }.contains("And in clay?"))
            let first = try #require(garden.turns.first { $0.parent == nil })
            #expect(
                garden.answers.filter { $0.turn == first.id }.map { ContentPart.text(of: $0.content) } == [
                    "Hostas.", "Ferns.",
                ])
            #expect(garden.answers.allSatisfy { $0.model?.placement == .provider || $0.model == nil })
            #expect(garden.conversation.createdAt == Timestamp("2024-02-01T00:00:00Z"))

            let picture = try titled("With a tool", all)
            #expect(picture.turns.count == 1 && picture.answers.count == 1)
            #expect(ContentPart.text(of: picture.answers[0].content) == "Let me look.\n\nIt is a heron.")
            let files = picture.turns[0].content.compactMap { part in
                if case .attachment(let file) = part { file.name } else { nil }
            }
            #expect(files == ["file-abc", "bird.png"])

            let alone = try titled("Never answered", all)
            #expect(alone.answers.map(\.end?.state) == [.interrupted])
            let faults = report.faults.map { "\($0.value) \($0.reason.rawValue)" }
            #expect(faults == ["2 unknown-content", "4 unknown-shape", "5 empty", "6 not-json"])
        }
    }

    @Test("S24 ChatGPT: an export that is split into several files is the same as one that is not")
    func chatGPTSplit() async throws {
        try await imported(["chatgpt-000.json", "chatgpt-001.json"]) { _, report, all in
            #expect(all.map(\.conversation.title).compactMap { $0 }.sorted() == ["One", "Two"])
            #expect(report.faultCount == 0)
        }
    }

    @Test("S24 Claude: lists and trees, thinking left out, attachments referenced")
    func claude() async throws {
        try await imported(["claude.json"]) { scenario, report, all in
            #expect(all.count == 2)
            let list = try titled("A list", all)
            #expect(list.turns.map { ContentPart.text(of: $0.content) } == ["Hello", "Thanks"])
            #expect(list.answers.map { ContentPart.text(of: $0.content) } == ["Hi.", "Any time."])
            #expect(
                list.turns[0].content.contains {
                    if case .attachment(let file) = $0 { file.name == "notes.txt" } else { false }
                })
            let tree = try titled("A tree", all)
            #expect(tree.turns.count == 2 && tree.turns.allSatisfy { $0.parent == nil })
            #expect(try await path(tree, in: scenario) == ["Edited", "Better."])
            #expect(report.faults.map(\.reason) == [.unreadableMessage])
        }
    }

    @Test("S24 Open WebUI: the history is a tree, and several models' answers are siblings")
    func openWebUI() async throws {
        try await imported(["open-webui.json"]) { scenario, report, all in
            let chat = try titled("Tea", all)
            #expect(chat.conversation.isPinned && !chat.conversation.isArchived)
            #expect(chat.turns.count == 2 && chat.answers.count == 3)
            #expect(Set(chat.answers.compactMap(\.model?.model)) == ["small", "large"])
            #expect(try await path(chat, in: scenario) == ["Green or black?", "Green.", "Why?", "It is calmer."])
            #expect(report.faultCount == 0)
        }
    }

    @Test("S24 LibreChat: nested and flat messages give the same tree")
    func libreChat() async throws {
        try await imported(["librechat-flat.json"]) { (_, _, flat) async throws in
            try await imported(["librechat-nested.json"]) { (scenario, report, nested) async throws in
                #expect(nested.map(\.shape) == flat.map(\.shape))
                #expect(nested.count == 1 && nested[0].turns.count == 2 && nested[0].answers.count == 3)
                #expect(
                    try await path(nested[0], in: scenario) == ["Count to two", "One, two.", "And back", "Two, one."])
                #expect(report.faultCount == 0)
            }
        }
    }

    @Test("S24 two accounts that import one file each have their own")
    func accounts() async throws {
        let file = try Fixture.bytes("Imports/chatgpt.json")
        try await StoreScenario.run(.sqlite) { scenario in
            #expect(try await scenario.take(file).conversations == 3)
            #expect(try await scenario.take(file, for: scenario.ben).conversations == 3)
            let mine = Set(try await scenario.everything().map(\.conversation.id))
            #expect(mine.isDisjoint(with: try await scenario.everything(of: scenario.ben).map(\.conversation.id)))
        }
    }

    @Test func `messages in a ring, without a parent, and half characters are survived and named`() async throws {
        let ring = #"""
            [{"id":"r","title":"Ring","mapping":{
            "a":{"parent":"b","message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["in"]}}},
            "b":{"parent":"a","message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["a ring"]}}},
            "c":{"parent":"gone","message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["half \ud83d!"]}}},
            "d":{"parent":"c","message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["next"]}}},
            "e":{"parent":null,"message":{"author":{"role":"assistant"},"content":{"content_type":"text","parts":["first words"]}}}}},
            {"id":7,"mapping":{}},{"chat_messages":[],"uuid":"u"},{"chat":{"messages":[]}},{"conversationId":"l","messages":[3]}]
            """#
        try await StoreScenario.run(.sqlite) { scenario in
            let report = try await scenario.take(Array(ring.utf8))
            let reasons = report.faults.map(\.reason.rawValue)
            #expect(
                reasons == [
                    "missing-parent", "ring", "no-id", "empty", "no-id", "unreadable-message", "empty",
                ])
            let contents = try #require(try await scenario.everything().first)
            #expect(contents.turns.map { ContentPart.text(of: $0.content) } == ["half \u{FFFD}!", "next", ""])
            #expect(contents.answers.map(\.end?.state) == [.interrupted, .interrupted, .done])
            #expect(try await scenario.take(Array(ring.utf8)).conversations == 0)
        }
    }
}
