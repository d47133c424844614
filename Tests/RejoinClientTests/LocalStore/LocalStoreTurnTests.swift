import RejoinCore
import Testing

@testable import RejoinClient

private typealias Sample = StoreSample

@Suite struct LocalStoreTurnTests {
    @Test("A01 A03 a prompt is there with its answer, its place in the list and its errand, in one step")
    func beginsAtOnce() async throws {
        try await Sample.withStore { store in
            try await store.saveDraft(Draft(conversation: nil, text: "Where to?", updatedAt: Sample.time(1)))
            let prompt = Sample.prompt(1, "Where to?\nOn foot.", at: 5)
            #expect(try await store.begin(prompt) == .begun)

            let tree = try #require(try await store.conversation(Sample.conversation(1)))
            #expect(tree.turns == [prompt])
            #expect(tree.answers[Sample.answer(1)]?.local == .sending)
            #expect(tree.answers[Sample.answer(1)]?.answer.seq == 0)
            #expect(tree.path == [.init(turn: Sample.turn(1), answer: Sample.answer(1))])
            #expect(tree.conversation.title == .firstWords("Where to?"))
            #expect(tree.conversation.isComplete)
            #expect(tree.conversation.unsent == 1)
            #expect(try await store.list().map(\.id) == [Sample.conversation(1)])
            #expect(try await store.draft(for: nil) == nil)
            let entry = try #require(try await store.nextOutbox())
            #expect(entry.kind == .turn(Sample.turn(1), answer: Sample.answer(1)))
            #expect(entry.conversation == Sample.conversation(1))
            #expect(entry.createdAt == Sample.time(5))
        }
    }

    @Test("A03 the same turn again changes nothing") func repeats() async throws {
        try await Sample.withStore { store in
            try await store.begin(Sample.prompt(1))
            #expect(try await store.begin(Sample.prompt(1, "Other")) == .repeated)
            #expect(try await store.turn(Sample.turn(1))?.content == [.text("Hello")])
            #expect(try await store.outbox().count == 1)
        }
    }

    @Test func `a prompt that follows an answer of elsewhere is not taken`() async throws {
        try await Sample.withStore { store in
            try await store.begin(Sample.prompt(1, in: 1))
            #expect(try await store.begin(Sample.prompt(2, in: 2, after: 1)) == .unknownParent)
            #expect(try await store.begin(Sample.prompt(3, in: 1, after: 9)) == .unknownParent)
            #expect(try await store.list().count == 1)
            #expect(try await store.outbox().count == 1)
        }
    }

    @Test func `a delivered turn leaves the outbox and its answer is awaited`() async throws {
        try await Sample.withStore { store in
            try await store.begin(Sample.prompt(1))
            #expect(try await store.deliver(Sample.turn(1)))
            #expect(try await store.turn(Sample.turn(1))?.delivery == .delivered)
            #expect(try await store.streamingAnswers().map(\.answer.id) == [Sample.answer(1)])
            #expect(try await store.nextOutbox() == nil)
            #expect(try await store.list().first?.unsent == 0)
            #expect(try await !store.deliver(Sample.turn(1)))
        }
    }

    @Test("A34 turns stand in the order that the feed tells, whatever order their replies came in")
    func arrivals() async throws {
        try await Sample.withStore { store in
            for number in 1...3 as ClosedRange<UInt64> { try await store.begin(Sample.prompt(number, in: 1)) }
            for number in [1, 3, 2] as [UInt64] { try await store.deliver(Sample.turn(number)) }
            try await store.noteArrivals(of: [Sample.turn(2), Sample.turn(3)])
            try await store.noteArrivals(of: [Sample.turn(1), Sample.turn(2)])
            let tree = try #require(try await store.conversation(Sample.conversation(1)))
            #expect(tree.turns.map(\.id) == [Sample.turn(2), Sample.turn(3), Sample.turn(1)])
        }
    }

    @Test("A60 a refused turn says why, and its words are in the draft again") func refuses() async throws {
        try await Sample.withStore { store in
            try await store.begin(Sample.prompt(1, "first"))
            try await store.deliver(Sample.turn(1))
            try await store.append(Sample.answer(1), events: [Sample.end(1)])
            try await store.begin(Sample.prompt(2, after: 1, "second"))
            try await store.begin(
                Sample.prompt(3, after: 2, "third", delivery: .waiting(since: Sample.time(2), expires: nil)))
            let refusal = ClientRefusal(.limitReached, capability: "turns", resetsAt: Sample.time(99))
            #expect(try await store.refuse(Sample.turn(2), refusal, at: Sample.time(9)))

            let tree = try #require(try await store.conversation(Sample.conversation(1)))
            #expect(tree.turn(Sample.turn(2))?.delivery == .refused(refusal))
            #expect(tree.turn(Sample.turn(3))?.delivery == .refused(ClientRefusal(.parentUnsent)))
            #expect(try await store.draft(for: Sample.conversation(1))?.text == "second")
            #expect(try await store.outbox().isEmpty)
            // What is asked next follows what the server has.
            #expect(tree.parentOfNextTurn == Sample.answer(1))

            let again = try await store.resend(Sample.turn(2), as: .sending, at: Sample.time(10))
            #expect(again == Sample.answer(2))
            #expect(try await store.answer(Sample.answer(2))?.local == .sending)
            #expect(try await store.nextOutbox()?.kind == .turn(Sample.turn(2), answer: Sample.answer(2)))
        }
    }

    @Test func `a refusal does not write over what is being written`() async throws {
        try await Sample.withStore { store in
            try await store.begin(Sample.prompt(1, "first"))
            let other = Draft(conversation: Sample.conversation(1), text: "other", updatedAt: Sample.time(3))
            try await store.saveDraft(other)
            try await store.refuse(Sample.turn(1), ClientRefusal(.offline), at: Sample.time(9))
            #expect(try await store.draft(for: Sample.conversation(1)) == other)
        }
    }

    @Test("A29 waiting turns keep their order and can be taken back") func waits() async throws {
        try await Sample.withStore { store in
            let waiting = Delivery.waiting(since: Sample.time(1), expires: Sample.time(100))
            try await store.begin(Sample.prompt(1, "one", delivery: waiting))
            try await store.begin(Sample.prompt(2, after: 1, "two", delivery: waiting))
            try await store.begin(Sample.prompt(3, after: 2, "three", delivery: waiting))
            #expect(try await store.answer(Sample.answer(2))?.local == .waiting)
            #expect(try await store.outbox().map(\.number) == [1, 2, 3])

            #expect(try await store.cancelWaiting(Sample.turn(2), at: Sample.time(5)))
            let tree = try #require(try await store.conversation(Sample.conversation(1)))
            #expect(tree.turns.map(\.id) == [Sample.turn(1), Sample.turn(3)])
            #expect(tree.turns.last?.parent == Sample.answer(1))
            #expect(tree.path.map(\.turn) == [Sample.turn(1), Sample.turn(3)])
            #expect(try await store.draft(for: Sample.conversation(1))?.text == "two")
            #expect(try await store.outbox().map(\.number) == [1, 3])
            #expect(try await store.search("two").isEmpty)

            #expect(try await store.startSending(Sample.turn(1)))
            #expect(try await !store.cancelWaiting(Sample.turn(1), at: Sample.time(6)))
            #expect(try await store.postpone(Sample.turn(1), since: Sample.time(7), expires: nil))
            #expect(try await store.turn(Sample.turn(1))?.delivery == .waiting(since: Sample.time(7), expires: nil))
        }
    }

    @Test func `taking back the only prompt takes back the conversation`() async throws {
        try await Sample.withStore { store in
            try await store.begin(Sample.prompt(1, "one", delivery: .waiting(since: Sample.time(1), expires: nil)))
            #expect(try await store.cancelWaiting(Sample.turn(1), at: Sample.time(5)))
            #expect(try await store.list().isEmpty)
            #expect(try await store.draft(for: nil)?.text == "one")
            #expect(try await store.outbox().isEmpty)
            #expect(try await !store.isDeleted(Sample.conversation(1)))
        }
    }

    @Test func `a refused prompt that is taken back leaves its words where they are`() async throws {
        try await Sample.withStore { store in
            try await store.begin(Sample.prompt(1, "one"))
            try await store.refuse(Sample.turn(1), ClientRefusal(.offline), at: Sample.time(2))
            #expect(try await store.draft(for: Sample.conversation(1))?.text == "one")
            #expect(try await store.cancelWaiting(Sample.turn(1), at: Sample.time(3)))
            // Its conversation never began, so they are where the next one is written.
            #expect(try await store.draft(for: nil)?.text == "one")
            #expect(try await store.list().isEmpty)

            try await store.begin(Sample.prompt(2, in: 2))
            try await store.begin(Sample.prompt(3, in: 2, after: 2, "three"))
            try await store.refuse(Sample.turn(3), ClientRefusal(.offline), at: Sample.time(4))
            let emptied = Draft(conversation: Sample.conversation(2), text: "", updatedAt: Sample.time(5))
            try await store.saveDraft(emptied)
            #expect(try await store.cancelWaiting(Sample.turn(3), at: Sample.time(6)))
            #expect(try await store.draft(for: Sample.conversation(2)) == nil)
        }
    }

    @Test("A30 a turn that waited too long expires with what follows it, and can be sent after all")
    func expires() async throws {
        try await Sample.withStore { store in
            let waiting = Delivery.waiting(since: Sample.time(1), expires: Sample.time(100))
            try await store.begin(Sample.prompt(1, delivery: waiting))
            try await store.begin(Sample.prompt(2, after: 1, delivery: waiting))
            #expect(try await store.expire(Sample.turn(1)))
            let tree = try #require(try await store.conversation(Sample.conversation(1)))
            #expect(tree.turns.map(\.delivery) == [.expired, .expired])
            #expect(try await store.outbox().isEmpty)
            #expect(try await store.resend(Sample.turn(1), as: waiting, at: Sample.time(200)) == Sample.answer(1))
            #expect(try await store.nextOutbox()?.kind == .turn(Sample.turn(1), answer: Sample.answer(1)))
        }
    }

    @Test("A45 A46 another answer stands beside the first, which stays") func regenerates() async throws {
        try await Sample.withStore { store in
            try await store.begin(Sample.prompt(1))
            try await store.deliver(Sample.turn(1))
            try await store.append(Sample.answer(1), events: Sample.pieces("One") + [Sample.end(2)])
            #expect(
                try await store.beginAnswer(to: Sample.turn(1), answer: Sample.answer(2), at: Sample.time(2)) == .begun)
            #expect(
                try await store.nextOutbox()?.kind == .regenerate(Sample.turn(1), Sample.answer(2)))
            #expect(try await store.deliver(Sample.answer(2)))
            try await store.append(Sample.answer(2), events: Sample.pieces("Two") + [Sample.end(2)])

            let tree = try #require(try await store.conversation(Sample.conversation(1)))
            #expect(tree.tree[Sample.turn(1)]?.answers == [Sample.answer(1), Sample.answer(2)])
            #expect(tree.conversation.selected == Sample.answer(2))
            #expect(tree.answers[Sample.answer(1)]?.answer.text == "One")
            #expect(try await store.outbox().isEmpty)
        }
    }

    @Test("A47 A48 a branch is chosen, and the choice is there after reopening") func branches() async throws {
        try await Sample.withFolder { folder in
            var store = try await LocalStore.open(folder: folder, account: Sample.account)
            try await store.begin(Sample.prompt(1, "root"))
            try await store.begin(Sample.prompt(2, after: 1, "left"))
            try await store.begin(Sample.prompt(3, after: 1, "right"))
            #expect(try await store.path(Sample.conversation(1)).map(\.turn.id) == [Sample.turn(1), Sample.turn(3)])
            #expect(try await store.select(Sample.answer(2), at: Sample.time(9)))
            #expect(try await !store.select(Sample.answer(9), at: Sample.time(9)))
            await store.close()

            store = try await LocalStore.open(folder: folder, account: Sample.account)
            let path = try await store.path(Sample.conversation(1))
            #expect(path.map(\.turn.content) == [[.text("root")], [.text("left")]])
            #expect(try await store.path(Sample.conversation(1), limit: 1).map(\.turn.id) == [Sample.turn(2)])
            let tree = try #require(try await store.conversation(Sample.conversation(1)))
            #expect(tree.parentOfNextTurn == Sample.answer(2))
            #expect(tree.turns.count == 3)
            #expect(try await store.outbox().last?.kind == .select(Sample.answer(2)))
            await store.close()
        }
    }

    @Test func `drafts are kept for each conversation and for the next one`() async throws {
        try await Sample.withFolder { folder in
            var store = try await LocalStore.open(folder: folder, account: Sample.account)
            try await store.begin(Sample.prompt(1))
            let drafts = [
                Draft(conversation: nil, text: "new", updatedAt: Sample.time(1)),
                Draft(
                    conversation: Sample.conversation(1), text: "old", editing: Sample.turn(1),
                    updatedAt: Sample.time(2)),
            ]
            for draft in drafts { try await store.saveDraft(draft) }
            await store.close()
            store = try await LocalStore.open(folder: folder, account: Sample.account)
            #expect(try await store.draft(for: nil) == drafts[0])
            #expect(try await store.draft(for: Sample.conversation(1)) == drafts[1])
            try await store.saveDraft(Draft(conversation: nil, text: "", updatedAt: Sample.time(3)))
            #expect(try await store.draft(for: nil) == nil)
            await store.close()
        }
    }
}
