import RejoinCore
import SeededRandom
import Testing

@testable import RejoinClient

private typealias Sample = StoreSample

@Suite struct LocalStoreModelTests {
    @Test("A44 A48 whatever is done in whatever order, the store holds what the plain model holds", arguments: 1...24)
    func agreesWithModel(seed: Int) async throws {
        let store = LocalStore.temporary()
        var script = StoreScript(seed: UInt64(seed) &* 0x9E37_79B9)
        var model = ReferenceStore()
        for step in 1...250 {
            let verb = script.next()
            let said = try await verb.run(on: store)
            let expected = model.run(verb)
            try #require(said == expected, "step \(step): \(verb)")
            // What came of a verb is compared at once, all that can be seen now and then.
            if step % 5 != 0 { continue }
            let view = try await StoreView(store)
            if view != model.view {
                Issue.record("by step \(step): \(verb)\n\(view.difference(from: model.view) ?? "")")
                break
            }
        }
        await store.close()
    }

    /// Reports of one kind commute: whichever order they come in, the device ends up the same.
    @Test("A34 merges commute with unsent work and with each other", arguments: 1...20)
    func commutes(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        // The server's conversation grows; the device fetched it at several moments and takes the copies in any order.
        var turns: [ServerTurn] = []
        for number in UInt64(1)...8 {
            let parent = number == 1 ? nil : UInt64.random(in: 1..<number, using: &random)
            turns.append(
                Sample.serverTurn(
                    number, after: parent, "prompt \(number)",
                    answers: [Sample.serverAnswer(number, turn: number, "answer \(number)", seq: 5)]))
        }
        var copies: [ServerTree] = (1...8).map { count in
            var copy = Array(turns.prefix(count))
            // The last answer was under way when the copy was made.
            copy[count - 1].answers = [
                Sample.serverAnswer(UInt64(count), turn: UInt64(count), "ans", seq: 2, state: .streaming)
            ]
            return ServerTree(conversation: Sample.line(1, title: "T"), turns: copy, selected: nil)
        }
        copies.append(ServerTree(conversation: Sample.line(1, title: "T"), turns: turns, selected: nil))
        let mine = [
            Sample.prompt(21, "mine", at: 500), Sample.prompt(22, after: 21, "mine too", at: 600),
        ]
        var views: [StoreView] = []
        for _ in 1...3 {
            let store = LocalStore.temporary()
            var order = Array(0..<copies.count + 1)
            order.shuffle(using: &random)
            for index in order {
                if index < copies.count {
                    try await store.merge(copies[index])
                } else {
                    for prompt in mine { try await store.begin(prompt) }
                }
            }
            let view = try await StoreView(store)
            #expect(view.trees[Sample.conversation(1)]?.conversation.unsent == 2)
            #expect(view.outbox.count == 2)
            views.append(view)
            await store.close()
        }
        for view in views.dropFirst() { #expect(view == views[0], "\(view.difference(from: views[0]) ?? "")") }
    }
}
