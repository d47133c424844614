import RejoinCore
import RejoinTestKit
import Testing

@testable import RejoinClient

/// What a person does, with something that goes wrong each time that it goes on after an `await`: also where no network
/// is asked, between two steps to the store or in the line of other acts.
@Suite(.timeLimit(.minutes(3))) struct AwaitTests {
    /// Something that a person does in a conversation with one whole answer.
    enum Act: CaseIterable {
        case send, edit, regenerate, rename, delete

        func run(_ chat: ConversationClient, _ first: ConversationClient.Sent) async throws {
            switch self {
            case .send: try await chat.send("four five", in: first.conversation)
            case .edit: try await chat.edit(first.turn, [.text("four five")])
            case .regenerate: try await chat.regenerate(first.turn)
            case .rename: try await chat.rename(first.conversation, to: "four five")
            case .delete: try await chat.delete(first.conversation)
            }
        }
    }

    /// A device that holds one answer and the draft of the next prompt.
    private static func begin(_ house: Household) async throws -> ConversationClient.Sent {
        let first = try await house.ask("one two")
        try await house.server.sayAll()
        try await house.end(of: first.answer)
        try await house.phone.chat.saveDraft("four five", for: first.conversation)
        try await house.settle()
        return first
    }

    @Test(
        "A91 whoever stops waiting for an act, at whichever await: it is done whole or not at all",
        arguments: Act.allCases)
    func cancelled(act: Act) async throws {
        var (step, isOver) = (0, false)
        while !isOver {
            step += 1
            let wanted = step
            isOver = try await Self.cancel(act, at: wanted)
            try #require(step < 500, "an act has an end")
        }
        #expect(step > 2, "there is something to await")
    }

    /// - Returns: whether the act was over before that await.
    private static func cancel(_ act: Act, at step: Int) async throws -> Bool {
        let counter = AwaitCounter()
        try await Household.open { house in
            let first = try await begin(house)
            let before = try await picture(house, first)
            let bell = WakeUp()
            let (chat, clock) = (house.phone.chat, house.clock)
            let task = Task(executorPreference: counter) {
                try? await bell.wait(beyond: 0, clock: clock)
                try await act.run(chat, first)
            }
            counter.set { if $0 == step { task.cancel() } }
            bell.call()
            let result = await task.result
            try await house.server.sayAll()
            try await eventually("rest after await \(step) of \(act)") {
                try await house.server.sayAll()
                return try await house.phone.store.outbox().isEmpty && house.server.unfinished.isEmpty
                    && chat.diagnostics.followed == 0
            }
            try await house.settle()
            let after = try await picture(house, first)
            if case .success = result { #expect(after != before, "\(act) was said to be done, await \(step)") }
            if after != before { #expect(after == expected(act, before), "\(act), await \(step)") }
            #expect(house.server.read { Set($0.runs).count == $0.runs.count })
            // The line of acts goes on.
            let next = try await house.ask("six")
            try await house.server.sayAll()
            try await house.end(of: next.answer)
        }
        return counter.count < step
    }

    /// What a person can see, and what the server was asked.
    private struct Picture: Equatable {
        var shown: [String]
        var title: String?
        var draft: String?
        var prompts: [String]
    }

    private static func picture(_ house: Household, _ first: ConversationClient.Sent) async throws -> Picture {
        let chat = house.phone.chat
        return Picture(
            shown: try await house.phone.shown(first.conversation),
            title: try await house.phone.store.line(first.conversation)?.title.text,
            draft: try await chat.draft(for: first.conversation)?.text, prompts: house.server.read { $0.prompts })
    }

    /// What an act that was done leaves.
    private static func expected(_ act: Act, _ before: Picture) -> Picture {
        var after = before
        switch act {
        case .send:
            after.shown += ["four five", "four five "]
            after.prompts.append("four five")
            after.draft = nil
        case .edit:
            after.shown = ["four five", "four five "]
            after.prompts.append("four five")
            after.draft = nil
            // The server names a conversation after its first prompt.
            after.title = "four five"
        case .regenerate: after.prompts.append("one two")
        case .rename: after.title = "four five"
        case .delete:
            after.shown = []
            after.title = nil
            after.draft = nil
        }
        return after
    }

    @Test("A91 A04 A08 the process may die at any await of sending: nothing is lost or asked twice", arguments: 0..<2)
    func killed(lane: Int) async throws {
        for step in stride(from: 1 + lane, through: Self.killedAwaits, by: 2) { try await Self.kill(at: step) }
    }

    /// More than a prompt and its answer take, so that the last runs go through undisturbed.
    private static let killedAwaits = 120

    private static func kill(at step: Int) async throws {
        let folder = try Folder()
        let clock = ManualClock()
        let server = try await AccountServer(now: { clock.wall })
        try await clock.running {
            let before = try await Device(server, clock: clock, seed: 1, folder: folder.path)
            let isDead = Flag()
            let counter = AwaitCounter()
            counter.set { [store = before.store, link = before.link] number in
                guard number == step, !isDead.isSet else { return }
                link.set { $0.isDead = true }
                await store.close()
                isDead.set()
            }
            before.start(on: counter)
            let chat = before.chat
            // What was said to be sent is kept, whatever happens afterwards.
            let sent = try? await Task(executorPreference: counter) { try await chat.send("one two", in: nil) }.value
            try await eventually("the answer ends, or the process") {
                try await server.sayAll()
                guard let sent, !isDead.isSet else { return true }
                // A store that is closed at this moment says nothing.
                return (try? await before.answer(sent.answer))??.answer.state.end != nil
            }
            isDead.set()
            await before.kill()
            let after = try await Device(server, clock: clock, seed: 2, folder: folder.path)
            after.start()
            try await eventually("rest after await \(step)") {
                try await server.sayAll()
                for line in try await after.chat.list() {
                    let answers = try await after.chat.tree(line.id)?.answers.values.map(\.answer) ?? []
                    if answers.contains(where: { $0.state.end == nil }) { return false }
                }
                let newest = try await server.newestCursor
                let sync = try await after.store.syncState()
                return try await after.store.outbox().isEmpty && server.unfinished.isEmpty && sync.listedAt != nil
                    && sync.cursor == newest && after.chat.diagnostics.followed == 0
            }
            let list = try await after.chat.list()
            #expect(list.count <= 1)
            if let sent { #expect(list.map(\.id) == [sent.conversation], "await \(step)") }
            for line in list { #expect(try await after.shown(line.id) == ["one two", "one two "], "await \(step)") }
            #expect(server.read { $0.prompts } == list.map { _ in "one two" }, "await \(step)")
            await after.close()
        }
    }
}
