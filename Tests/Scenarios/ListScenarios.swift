import RejoinAssist
import RejoinCore
import Testing

/// Long lists, of which a part may come to nothing.
@Suite(.timeLimit(.minutes(1))) struct ListScenarios {
    private let items = (0..<30).map { ItemBrief(id: "item \($0)", title: "Thing \($0)") }
    private let groups = [GroupBrief(id: "a", title: "Apples"), GroupBrief(id: "b", title: "Bread")]

    private func sorted(_ task: ModelTask) -> [ScriptedEngine.Step] {
        let count = task.prompt.split(whereSeparator: \.isNewline).count { $0.contains("Thing") }
        return [.say("{" + (1...count).map { "\"\($0)\":\"Apples\"" }.joined(separator: ",") + "}")]
    }

    @Test("R45 given a list whose second part fails, when it is sorted, then the rest is kept and that part is pending")
    func partly() async throws {
        let stage = Stage(says: { task in task.prompt.contains("Thing 12") ? [.fail(.timeout)] : sorted(task) })
        let progress = Locked<[BatchProgress]>([])
        let proposal = try await stage.assistant.propose(
            Classify.self, for: .init(items: items, groups: groups),
            progress: { step in
                progress.withLock { $0.append(step) }
            })
        let batch = proposal.output.value
        #expect(batch.entries.map(\.id) == items.map(\.id))
        #expect(batch.pending.contains("item 12") && !batch.pending.contains("item 0"))
        #expect(batch.entries.filter { $0.decision == .change("a") }.count == 30 - batch.pending.count)
        #expect(!batch.isSettledWithoutChange)
        // R34: progress only grows.
        let done = progress.withLock { $0.map(\.done) }
        #expect(done == Array(1...done.count) && done.count == progress.withLock { $0.last?.total })
    }

    @Test("R45 given a list of which every part fails, when it is sorted, then that is an error and not 'no change'")
    func wholly() async throws {
        let stage = Stage(says: { _ in [.fail(.timeout)] })
        stage.world.withLock { $0.mode = .onDeviceOnly }
        await #expect(throws: NoProposal.failed(.timeout)) {
            try await stage.assistant.propose(
                Classify.self, for: .init(items: items, groups: groups), progress: { _ in })
        }
    }

    @Test("R43 given a model that names what was never there, when a list is sorted, then it stays as it is")
    func invented() async throws {
        let stage = Stage(says: { _ in
            [
                .say(
                    #"{"items":[{"id":"item 1","group":"Cars"},{"id":"nobody","group":"Bread"},{"id":"item 2","group":"Bread"}]}"#
                )
            ]
        })
        let few = Array(items.prefix(3))
        let proposal = try await stage.assistant.propose(Classify.self, for: .init(items: few, groups: groups))
        #expect(
            proposal.output.value.entries.map(\.decision) == [.keep(.missing), .keep(.unknownGroup), .change("b")])
    }
}
