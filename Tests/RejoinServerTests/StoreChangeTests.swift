import RejoinCore
import RejoinServer
import Testing

@Suite struct StoreChangeTests {
    @Test(arguments: StoreKind.allCases)
    func `each account has its own cursors, and pages meet without a gap`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            _ = try await scenario.say(turn: 1, answer: 1, in: 1)
            _ = try await scenario.say(turn: 2, answer: 2, in: 2, by: scenario.ben)
            _ = try await scenario.again(3, to: 1)
            var cursors: [Int] = []
            var cursor = 0
            while true {
                let page = try await scenario.store.changes(of: scenario.ann, after: cursor, limit: 3)
                guard case .changes(let changes, let next, let more) = page else {
                    Issue.record("expired")
                    return
                }
                cursors += changes.map(\.cursor)
                #expect(next == cursors.last)
                #expect(changes.allSatisfy { $0.conversation == 1 })
                cursor = next
                if !more { break }
            }
            #expect(cursors == [1, 2, 3, 4])
            #expect(try await scenario.store.changeCursor(of: scenario.ben) == 3)
            let rest = ChangePage.changes([], cursor: 4, more: false)
            #expect(try await scenario.store.changes(of: scenario.ann, after: 4, limit: 3) == rest)
            let fresh = ChangePage.changes([], cursor: 0, more: false)
            #expect(try await scenario.store.changes(of: 99, after: 0, limit: 3) == fresh)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a cursor older than the feed, or from another life of it, has expired`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            _ = try await scenario.say(turn: 1, answer: 1, in: 1, at: 10)
            _ = try await scenario.say(turn: 2, answer: 2, in: 1, at: 20)
            try await scenario.store.expireChanges(before: 20)
            #expect(try await scenario.store.changes(of: scenario.ann, after: 2, limit: 9) == .expired)
            #expect(try await scenario.feed(after: 3) == ["put turn 2", "put answer 2"])
            #expect(try await scenario.store.changes(of: scenario.ann, after: 6, limit: 9) == .expired)
            // Everything may expire; the next change still gets the next number.
            try await scenario.store.expireChanges(before: 99)
            _ = try await scenario.again(3, to: 1, at: 30)
            #expect(try await scenario.feed(after: 5) == ["put answer 3"])
            #expect(try await scenario.store.changeCursor(of: scenario.ann) == 6)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `tombstones go with the feed's retention`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            _ = try await scenario.say(turn: 1, answer: 1, in: 1, at: 10)
            _ = try await scenario.store.deleteConversation(1, of: scenario.ann, now: 50)
            try await scenario.store.expireChanges(before: 50)
            #expect(try await scenario.store.conversation(1, of: scenario.ann) == .deleted)
            #expect(try await scenario.feed(after: 3) == ["delete conversation 1"])
            try await scenario.store.expireChanges(before: 51)
            #expect(try await scenario.store.conversation(1, of: scenario.ann) == .notFound)
            #expect(try await scenario.store.turn(1, of: scenario.ann) == .notFound)
            #expect(try await scenario.store.log(of: 1, after: 0, maximumBytes: 9) == .notFound)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a clock that jumped leaves no hole in the feed`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            _ = try await scenario.say(turn: 1, answer: 1, in: 1, at: 9000)
            _ = try await scenario.again(2, to: 1, at: 10)
            _ = try await scenario.again(3, to: 1, at: 9000)
            try await scenario.store.expireChanges(before: 100)
            #expect(try await scenario.feed(after: 3) == ["expired"])
            #expect(try await scenario.feed(after: 4) == ["put answer 3"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a store that was closed says so`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            try await scenario.store.close()
            let failure = await #expect(throws: StoreFailure.self) { _ = try await scenario.store.accountCount() }
            #expect(failure?.code == .closed)
            await #expect(throws: StoreFailure.self) { _ = try await scenario.say(turn: 1, answer: 1, in: 1) }
        }
    }
}
