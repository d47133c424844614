import RejoinCore
import Testing

@testable import RejoinClient

private typealias Sample = StoreSample

@Suite struct LocalStoreSyncTests {
    @Test("A34 turns arrive by id, and unsent work survives the merge") func merges() async throws {
        try await Sample.withStore { store in
            try await store.begin(Sample.prompt(1, "mine"))
            try await store.deliver(Sample.turn(1))
            try await store.append(Sample.answer(1), events: Sample.pieces("an", "swer") + [Sample.end(3)])
            try await store.begin(Sample.prompt(2, after: 1, "unsent", at: 3000))
            let tree = Sample.serverTree(
                1, title: "Made", at: 2000, selected: 3,
                Sample.serverTurn(1, "mine", answers: [Sample.serverAnswer(1, turn: 1, "answer", seq: 3)]),
                Sample.serverTurn(3, after: 1, "theirs", answers: [Sample.serverAnswer(3, turn: 3, "other")]))
            #expect(try await store.merge(tree) == .merged)
            let held = try #require(try await store.conversation(Sample.conversation(1)))
            #expect(held.turns.map(\.id) == [Sample.turn(1), Sample.turn(3), Sample.turn(2)])
            #expect(held.turn(Sample.turn(2))?.delivery == .sending)
            // The person's own prompt stays in sight while it is on its way.
            #expect(held.conversation.selected == Sample.answer(2))
            #expect(held.conversation.title == .server("Made"))
            #expect(held.conversation.updatedAt == Sample.time(3000))
            #expect(held.conversation.unsent == 1)
            #expect(held.answers[Sample.answer(3)]?.answer.text == "other")
            // What the server shows is asked for once the prompt got through, by whichever process.
            #expect(
                try await store.outbox().map(\.kind)
                    == [.turn(Sample.turn(2), answer: Sample.answer(2)), .askForPath])

            try await store.deliver(Sample.turn(2))
            #expect(try await store.merge(tree) == .merged)
            #expect(try await store.line(Sample.conversation(1))?.selected == Sample.answer(3))
            #expect(try await store.line(Sample.conversation(1))?.updatedAt == Sample.time(2000))
        }
    }

    @Test("A34 the same merge again changes and reports nothing") func mergesOnce() async throws {
        try await Sample.withStore { store in
            let tree = Sample.serverTree(
                1, title: "Made", selected: 1,
                Sample.serverTurn(1, answers: [Sample.serverAnswer(1, turn: 1, "answer")]))
            try await store.merge(tree)
            let before = try await store.conversation(Sample.conversation(1))
            var changes = store.changes.makeAsyncIterator()
            try await store.merge(tree)
            try await store.merge([tree.conversation])
            #expect(try await store.conversation(Sample.conversation(1)) == before)
            try await store.saveLimits(LimitsSnapshot(items: [], asOf: Sample.time(1)))
            var expected = StoreChange()
            expected.limits = true
            #expect(await changes.next() == expected)
        }
    }

    @Test("A34 A23 a turn that the server shows was sent, whatever this device thought") func findsDelivered()
        async throws
    {
        try await Sample.withStore { store in
            try await store.begin(Sample.prompt(1, "mine", delivery: .waiting(since: Sample.time(1), expires: nil)))
            let tree = Sample.serverTree(
                1, Sample.serverTurn(1, "mine", answers: [Sample.serverAnswer(1, turn: 1, "answer")]))
            try await store.merge(tree)
            #expect(try await store.turn(Sample.turn(1))?.delivery == .delivered)
            #expect(try await store.outbox().isEmpty)
            #expect(try await store.text(1) == "answer")
            #expect(try await store.answer(Sample.answer(1))?.local == LocalState.none)
        }
    }

    @Test func `a merge never shortens what is shown`() async throws {
        try await Sample.withStore { store in
            try await store.begin(Sample.prompt(1))
            try await store.deliver(Sample.turn(1))
            try await store.append(Sample.answer(1), events: Sample.pieces("one ", "two ", "three"))
            let late = Sample.serverAnswer(1, turn: 1, "one ", seq: 1, state: .streaming)
            try await store.merge(Sample.serverTree(1, Sample.serverTurn(1, answers: [late])))
            #expect(try await store.text(1) == "one two three")
            #expect(try await store.append(Sample.answer(1), events: Sample.pieces("!", from: 4)) == .appended(4))
        }
    }

    @Test func `what the server tells of another's ids is not mixed in`() async throws {
        try await Sample.withStore { store in
            try await store.begin(Sample.prompt(1, in: 1))
            let foreign = Sample.serverTree(
                2, Sample.serverTurn(1, "stolen", answers: [Sample.serverAnswer(1, turn: 1, "stolen")]),
                Sample.serverTurn(5, answers: [Sample.serverAnswer(1, turn: 5, "stolen")]))
            try await store.merge(foreign)
            #expect(try await store.conversation(Sample.conversation(1))?.turns.count == 1)
            #expect(try await store.text(1) == "")
            #expect(try await store.conversation(Sample.conversation(2))?.turns.map(\.id) == [Sample.turn(5)])
        }
    }

    @Test("A37 a stronger title stays, a person's above all") func titles() async throws {
        try await Sample.withStore { store in
            let id = Sample.conversation(1)
            func title() async throws -> Title? { try await store.line(id)?.title }
            try await store.begin(Sample.prompt(1, "What is  it?\nTell."))
            #expect(try await title() == .firstWords("What is it?"))
            try await store.begin(Sample.prompt(2, after: 1, "And then?"))
            #expect(try await title() == .firstWords("What is it?"))
            try await store.merge([Sample.line(1, title: "")])
            #expect(try await title() == .firstWords("What is it?"))
            try await store.merge([Sample.line(1, title: "A question")])
            #expect(try await title() == .server("A question"))
            #expect(try await store.rename(id, to: "Mine", at: Sample.time(9)))
            try await store.merge([Sample.line(1, title: "A question")])
            #expect(try await title() == .person("Mine"))
            #expect(try await !store.retitle(id, .server("Late"), at: Sample.time(9)))
            #expect(try await title() == .person("Mine"))
            // Told, and renamed on another device since then.
            let entry = try #require(try await store.outbox().last)
            #expect(entry.kind == .rename("Mine"))
            try await store.finish(entry.number)
            try await store.merge([Sample.line(1, title: "Theirs")])
            #expect(try await title() == .person("Theirs"))
            #expect(try await !store.retitle(id, .server("Late"), at: Sample.time(9)))
            #expect(try await store.search("theirs").map(\.title) == ["Theirs"])
            #expect(try await store.search("mine").isEmpty)
        }
    }

    @Test("A38 what was deleted here stays away, whatever comes late") func deletes() async throws {
        try await Sample.withStore { store in
            let id = Sample.conversation(1)
            try await store.begin(Sample.prompt(1, "secret"))
            try await store.deliver(Sample.turn(1))
            try await store.append(Sample.answer(1), events: Sample.pieces("secret too"))
            try await store.saveDraft(Draft(conversation: id, text: "secret draft", updatedAt: Sample.time(1)))
            try await store.rename(id, to: "secret title", at: Sample.time(1))
            #expect(try await store.delete(id, at: Sample.time(5)))
            #expect(try await !store.delete(id, at: Sample.time(5)))

            #expect(try await store.isDeleted(id))
            #expect(try await store.list().isEmpty)
            #expect(try await store.conversation(id) == nil)
            #expect(try await store.search("secret").isEmpty)
            #expect(try await store.draft(for: id) == nil)
            #expect(try await store.outbox().map(\.kind) == [.delete])
            // Late.
            #expect(try await store.append(Sample.answer(1), events: Sample.pieces("x", from: 2)) == .unknown)
            #expect(try await store.replace(Sample.serverAnswer(1, turn: 1, "x")) == .unknown)
            try await store.merge([Sample.line(1, title: "back")])
            let tree = Sample.serverTree(1, Sample.serverTurn(1, answers: [Sample.serverAnswer(1, turn: 1, "back")]))
            #expect(try await store.merge(tree) == .deleted)
            #expect(try await store.begin(Sample.prompt(2)) == .deleted)
            try await store.saveDraft(Draft(conversation: id, text: "back", updatedAt: Sample.time(1)))
            #expect(try await store.list().isEmpty)
            #expect(try await store.draft(for: id) == nil)
        }
    }

    @Test("A38 deleting all takes everything and tells the server once") func deletesAll() async throws {
        try await Sample.withStore { store in
            for number in UInt64(1)...3 { try await store.begin(Sample.prompt(number, in: number, "secret")) }
            try await store.saveDraft(Draft(conversation: nil, text: "kept", updatedAt: Sample.time(1)))
            try await store.deleteAll(at: Sample.time(5))
            #expect(try await store.list().isEmpty)
            #expect(try await store.search("secret").isEmpty)
            #expect(try await store.outbox().map(\.kind) == [.deleteAll])
            #expect(try await store.isDeleted(Sample.conversation(2)))
            #expect(try await store.draft(for: nil)?.text == "kept")
            #expect(try await store.begin(Sample.prompt(9, in: 9, "later")) == .begun)
            #expect(try await store.search("later").count == 2)
        }
    }

    @Test("A40 tombstones go after the retention, but not before the server was told") func tombstones() async throws {
        try await Sample.withStore { store in
            try await store.begin(Sample.prompt(1, in: 1))
            try await store.begin(Sample.prompt(2, in: 2))
            try await store.delete(Sample.conversation(1), at: Sample.time(10))
            try await store.applyDeletion(Sample.conversation(2), at: Sample.time(20))
            try await store.applyDeletion(Sample.conversation(3), at: Sample.time(30))
            #expect(try await store.list().isEmpty)
            #expect(try await store.purgeTombstones(olderThan: Sample.time(25)) == 1)
            #expect(try await store.isDeleted(Sample.conversation(1)))
            #expect(try await !store.isDeleted(Sample.conversation(2)))
            #expect(try await store.isDeleted(Sample.conversation(3)))
            let entry = try #require(try await store.nextOutbox())
            try await store.finish(entry.number)
            #expect(try await store.purgeTombstones(olderThan: Sample.time(25)) == 1)
            #expect(try await store.merge(Sample.serverTree(2)) == .merged)
        }
    }

    @Test("A40 a lost cursor removes what is no longer listed and keeps what was not sent") func resets() async throws {
        try await Sample.withStore { store in
            for number in UInt64(1)...5 {
                try await store.merge(
                    Sample.serverTree(
                        number, Sample.serverTurn(number, answers: [Sample.serverAnswer(number, turn: number, "x")])))
            }
            try await store.begin(Sample.prompt(12, in: 2, after: 2))
            try await store.rename(Sample.conversation(3), to: "Mine", at: Sample.time(5))
            try await store.merge([Sample.line(4, at: 9000)])
            try await store.begin(Sample.prompt(16, in: 6, at: 9000))
            try await store.deliver(Sample.turn(16))
            let gone = try await store.resetForCursorExpired(
                keeping: [Sample.conversation(1)], listedAt: Sample.time(5000))
            #expect(gone == [Sample.conversation(5)])
            let kept = try await store.list()
            #expect(Set(kept.map(\.id.low)) == [1, 2, 3, 4, 6])
            #expect(kept.allSatisfy { !$0.isComplete })
            #expect(try await !store.isDeleted(Sample.conversation(5)))
            #expect(try await store.outbox().count == 2)
        }
    }

    @Test func `pins and archives of this device count until the server knows them`() async throws {
        try await Sample.withStore { store in
            let id = Sample.conversation(1)
            try await store.merge([Sample.line(1, at: 10), Sample.line(2, at: 20)])
            #expect(try await store.list().map(\.id.low) == [2, 1])
            try await store.setPinned(true, id, at: Sample.time(1))
            try await store.setArchived(true, Sample.conversation(2), at: Sample.time(1))
            try await store.merge([Sample.line(1, at: 10), Sample.line(2, at: 20)])
            #expect(try await store.list().map(\.id.low) == [1])
            #expect(try await store.list(includeArchived: true).map(\.id.low) == [1, 2])
            #expect(try await store.outbox().map(\.kind) == [.pin(true), .archive(true)])
            for entry in try await store.outbox() { try await store.finish(entry.number) }
            try await store.merge([Sample.line(1, at: 10), Sample.line(2, at: 20)])
            #expect(try await store.list().map(\.id.low) == [2, 1])
        }
    }

    @Test func `the list is read in pages without a gap or a repeat`() async throws {
        try await Sample.withStore { store in
            let lines = (UInt64(1)...25).map { Sample.line($0, at: Int64($0 / 3), isPinned: $0 % 7 == 0) }
            try await store.merge(lines)
            let all = try await store.list(limit: 100)
            #expect(all.count == 25)
            #expect(zip(all, all.dropFirst()).allSatisfy { $0.position.precedes($1.position) })
            var paged: [StoredConversation] = []
            while true {
                let page = try await store.list(limit: 4, before: paged.last?.position)
                if page.isEmpty { break }
                paged += page
            }
            #expect(paged == all)
        }
    }

    @Test func `the outbox holds what still matters, in order`() async throws {
        try await Sample.withStore { store in
            let id = Sample.conversation(1)
            try await store.begin(Sample.prompt(1))
            try await store.rename(id, to: "One", at: Sample.time(1))
            try await store.begin(Sample.prompt(2, after: 1))
            try await store.rename(id, to: "Two", at: Sample.time(2))
            try await store.setPinned(true, id, at: Sample.time(3))
            try await store.setPinned(false, id, at: Sample.time(4))
            try await store.begin(Sample.prompt(3, in: 2))
            #expect(
                try await store.outbox().map(\.kind) == [
                    .turn(Sample.turn(1), answer: Sample.answer(1)), .turn(Sample.turn(2), answer: Sample.answer(2)),
                    .rename("Two"), .pin(false), .turn(Sample.turn(3), answer: Sample.answer(3)),
                ])
            let first = try #require(try await store.nextOutbox())
            try await store.fail(first.number)
            #expect(try await store.nextOutbox()?.attempts == 1)
            try await store.finish(first.number)
            try await store.finish(first.number)
            #expect(try await store.outbox().count == 4)
            try await store.delete(id, at: Sample.time(5))
            #expect(
                try await store.outbox().map(\.kind) == [.turn(Sample.turn(3), answer: Sample.answer(3)), .delete])
        }
    }

    @Test func `what was read of the feed and of limits is kept`() async throws {
        try await Sample.withFolder { folder in
            let limits = LimitsSnapshot(
                items: [
                    Limit(
                        capability: "turns", plan: "free", limit: 10, remaining: 3, resetsAt: Sample.time(7),
                        asOf: Sample.time(6)),
                    Limit(capability: "voice"),
                ], asOf: Sample.time(8))
            var store = try await LocalStore.open(folder: folder, account: Sample.account)
            #expect(try await store.syncState() == SyncState())
            #expect(try await store.limits() == nil)
            try await store.setSyncState(SyncState(cursor: 41, listedAt: Sample.time(5)))
            try await store.saveLimits(limits)
            await store.close()
            store = try await LocalStore.open(folder: folder, account: Sample.account)
            #expect(try await store.syncState() == SyncState(cursor: 41, listedAt: Sample.time(5)))
            #expect(try await store.limits() == limits)
            await store.close()
        }
    }

    @Test func `several listeners each hear of everything, and a busy one all at once`() async throws {
        let store = LocalStore.temporary()
        var first = store.changes.makeAsyncIterator()
        var second = store.changes.makeAsyncIterator()
        try await store.begin(Sample.prompt(1))
        let heard = try #require(await first.next())
        #expect(heard.conversations == [Sample.conversation(1)])
        #expect(heard.list && heard.outbox)
        try await store.deliver(Sample.turn(1))
        try await store.append(Sample.answer(1), events: Sample.pieces("a"))
        _ = await first.next()
        try await store.append(Sample.answer(1), events: Sample.pieces("b", from: 2))
        var grown = StoreChange()
        grown.answers = [Sample.answer(1)]
        #expect(await first.next() == grown)
        try await store.begin(Sample.prompt(2, in: 2))
        let all = try #require(await second.next())
        #expect(all.conversations == [Sample.conversation(1), Sample.conversation(2)])
        #expect(all.answers == [Sample.answer(1)])
        await store.close()
        // What was not heard yet is still told.
        #expect(await first.next()?.conversations == [Sample.conversation(2)])
        #expect(await first.next() == nil)
        #expect(await second.next() == nil)
        var late = store.changes.makeAsyncIterator()
        #expect(await late.next() == nil)
    }

    @Test func `a listener that is cancelled stops waiting`() async throws {
        let store = LocalStore.temporary()
        let changes = store.changes
        let listener = Task {
            var count = 0
            for await _ in changes { count += 1 }
            return count
        }
        listener.cancel()
        #expect(await listener.value == 0)
        await store.close()
    }
}
