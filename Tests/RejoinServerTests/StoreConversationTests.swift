import RejoinCore
import RejoinServer
import Testing

@Suite struct StoreConversationTests {
    private func conversation(_ id: ConversationID, updatedAt: Timestamp = 5) -> ConversationRecord {
        ConversationRecord(id: id, title: nil, titleSource: .none, createdAt: 5, updatedAt: updatedAt)
    }

    @Test(arguments: StoreKind.allCases)
    func `puts a conversation once and leaves it as it is afterwards`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { (scenario) async throws in
            var first = conversation(1)
            first.title = "Trip"
            first.titleSource = .person
            first.isPinned = true
            #expect(try await scenario.store.putConversation(first, of: scenario.ann) == .created(first))
            let second = conversation(1, updatedAt: 9)
            #expect(try await scenario.store.putConversation(second, of: scenario.ann) == .existing(first))
            #expect(try await scenario.store.conversation(1, of: scenario.ann) == .found(first))
            #expect(try await scenario.feed() == ["put conversation 1"])
        }
    }

    @Test("S19 another account's conversation is as if it did not exist", arguments: StoreKind.allCases)
    func hidesConversations(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            let (store, ben) = (scenario.store, scenario.ben)
            _ = try await scenario.say(turn: 1, answer: 1, in: 1)
            #expect(try await store.conversation(1, of: ben) == .notFound)
            #expect(try await store.putConversation(conversation(1), of: ben) == .notFound)
            #expect(try await store.contents(of: 1, account: ben) == .notFound)
            #expect(try await store.patchConversation(1, of: ben, .init(title: "Mine"), now: 20) == .notFound)
            #expect(try await store.deleteConversation(1, of: ben, now: 20) == .notFound)
            #expect(try await !store.setTitle("Mine", source: .model, of: 1, account: ben, now: 20))
            #expect(try await store.turn(1, of: ben) == .notFound)
            #expect(try await store.answer(1, of: ben) == .notFound)
            #expect(try await store.path(to: 1, of: ben).isEmpty)
            #expect(try await scenario.say(turn: 1, answer: 1, in: 1, by: ben) == .notFound)
            #expect(try await scenario.say(turn: 2, answer: 2, in: 1, by: ben) == .notFound)
            #expect(try await scenario.say(turn: 2, answer: 2, in: 2, after: 1, by: ben) == .notFound)
            #expect(try await scenario.say(turn: 2, answer: 1, in: 2, by: ben) == .notFound)
            #expect(try await scenario.again(2, to: 1, by: ben) == .notFound)
            #expect(try await store.conversations(of: ben, limit: 10, before: nil).isEmpty)
            #expect(try await scenario.feed(of: ben).isEmpty)

            // And so it stays after it was deleted.
            _ = try await store.deleteConversation(1, of: scenario.ann, now: 30)
            #expect(try await store.conversation(1, of: ben) == .notFound)
            #expect(try await store.putConversation(conversation(1), of: ben) == .notFound)
            #expect(try await store.answer(1, of: ben) == .notFound)
            #expect(try await scenario.say(turn: 1, answer: 3, in: 3, by: ben) == .notFound)
            #expect(try await scenario.say(turn: 3, answer: 1, in: 3, by: ben) == .notFound)
            #expect(try await scenario.say(turn: 3, answer: 3, in: 1, by: ben) == .notFound)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `pages newest first, ties broken by id, temporary ones left out`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            for (id, time) in [(1, 5), (2, 7), (3, 7), (4, 7), (5, 6)] as [(ConversationID, Timestamp)] {
                _ = try await scenario.store.putConversation(conversation(id, updatedAt: time), of: scenario.ann)
            }
            var temporary = conversation(6, updatedAt: 9)
            temporary.isTemporary = true
            _ = try await scenario.store.putConversation(temporary, of: scenario.ann)
            _ = try await scenario.store.putConversation(conversation(7, updatedAt: 9), of: scenario.ben)

            var seen: [ConversationID] = []
            var position: ConversationPosition?
            while true {
                let page = try await scenario.store.conversations(of: scenario.ann, limit: 2, before: position)
                guard let last = page.last else { break }
                seen += page.map(\.id)
                position = ConversationPosition(updatedAt: last.updatedAt, id: last.id)
            }
            #expect(seen == [4, 3, 2, 5, 1])
            #expect(try await scenario.store.conversations(of: scenario.ann, limit: 0, before: nil).isEmpty)
            #expect(try await scenario.store.conversation(6, of: scenario.ann) == .found(temporary))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `words move a conversation up the list, and a clock that went back does not move it down`(
        kind: StoreKind
    ) async throws {
        try await StoreScenario.run(kind) { scenario in
            func updatedAt() async throws -> Timestamp? {
                try await scenario.store.conversation(1, of: scenario.ann).value?.updatedAt
            }
            _ = try await scenario.say(turn: 1, answer: 1, in: 1, at: 10)
            #expect(try await updatedAt() == 10)
            _ = try await scenario.again(2, to: 1, at: 20)
            #expect(try await updatedAt() == 20)
            var script = LogScript(1, of: 1)
            try await scenario.write(&script, .text("Hi"), at: 25)
            #expect(try await updatedAt() == 20)
            try await scenario.write(&script, .end(.init(.done, .complete)), at: 30)
            #expect(try await updatedAt() == 30)
            _ = try await scenario.say(turn: 2, answer: 3, in: 1, after: 1, at: 15)
            #expect(try await updatedAt() == 30)
            _ = try await scenario.store.patchConversation(1, of: scenario.ann, .init(isPinned: true), now: 90)
            #expect(try await updatedAt() == 30)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a patch changes what it names`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            _ = try await scenario.say(turn: 1, answer: 1, in: 1)
            let patch = ConversationPatch(isPinned: true, selected: 1)
            let patched = try await scenario.store.patchConversation(1, of: scenario.ann, patch, now: 20).value
            #expect(patched?.isPinned == true)
            #expect(patched?.isArchived == false)
            #expect(patched?.selected == 1)
            #expect(patched?.title == nil)
            #expect(try await scenario.store.conversation(1, of: scenario.ann).value == patched)
            let cursor = try await scenario.store.changeCursor(of: scenario.ann)
            #expect(try await scenario.feed(after: cursor - 1) == ["put conversation 1"])

            // The same once more is no change.
            _ = try await scenario.store.patchConversation(1, of: scenario.ann, patch, now: 21)
            _ = try await scenario.store.patchConversation(1, of: scenario.ann, .init(), now: 21)
            #expect(try await scenario.store.changeCursor(of: scenario.ann) == cursor)
        }
    }

    @Test("A48 a path that was chosen leads to what is asked next, on every device", arguments: StoreKind.allCases)
    func selectionFollowsQuestions(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            func selected() async throws -> AnswerID? {
                try await scenario.store.conversation(1, of: scenario.ann).value?.selected
            }
            _ = try await scenario.say(turn: 1, answer: 1, in: 1)
            #expect(try await selected() == nil)
            _ = try await scenario.store.patchConversation(1, of: scenario.ann, .init(selected: 1), now: 20)
            _ = try await scenario.say(turn: 2, answer: 2, in: 1, after: 1)
            #expect(try await selected() == 2)
            let another = AnswerAdmission(
                account: scenario.ann, turn: 2, answer: 3, model: "auto", options: [], at: 30)
            _ = try await scenario.store.admit(another)
            #expect(try await selected() == 3)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `selects only answers of the conversation`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            _ = try await scenario.say(turn: 1, answer: 1, in: 1)
            _ = try await scenario.say(turn: 2, answer: 2, in: 2)
            for selected in [2, 3] as [AnswerID] {
                let patch = ConversationPatch(isPinned: true, selected: selected)
                #expect(try await scenario.store.patchConversation(1, of: scenario.ann, patch, now: 20) == .notFound)
            }
            #expect(try await scenario.store.conversation(1, of: scenario.ann).value?.isPinned == false)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a person's title stays, and a model's beats first words`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            _ = try await scenario.say(turn: 1, answer: 1, in: 1)
            func set(_ title: String, _ source: ConversationRecord.TitleSource) async throws -> Bool {
                try await scenario.store.setTitle(title, source: source, of: 1, account: scenario.ann, now: 20)
            }
            func title() async throws -> String? {
                try await scenario.store.conversation(1, of: scenario.ann).value?.title
            }
            #expect(try await set("first", .firstWords))
            #expect(try await set("by a model", .model))
            #expect(try await !set("first again", .firstWords))
            #expect(try await title() == "by a model")
            #expect(try await set("by a better model", .model))
            #expect(try await !set("nobody's", .none))
            #expect(try await !set("pretended", .person))
            #expect(try await title() == "by a better model")
            _ = try await scenario.store.patchConversation(1, of: scenario.ann, .init(title: "mine"), now: 30)
            #expect(try await !set("too late", .model))
            #expect(try await title() == "mine")
            let titles = try await scenario.feed().filter { $0 == "put title 1" }
            #expect(titles.count == 3)
        }
    }

    @Test("S18 a deleted conversation leaves nothing but its tombstone", arguments: StoreKind.allCases)
    func deletes(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            let (store, ann) = (scenario.store, scenario.ann)
            _ = try await scenario.say(turn: 1, answer: 1, in: 1)
            var ended = LogScript(1, of: 1)
            try await scenario.write(&ended, .text("Hi"), .end(.init(.done, .complete)))
            _ = try await scenario.say(turn: 2, answer: 2, in: 1, after: 1)
            _ = try await scenario.again(3, to: 2)
            var running = LogScript(2, of: 2)
            try await scenario.write(&running, .text("Hel"))

            #expect(try await store.deleteConversation(1, of: ann, now: 50) == .found([2, 3]))

            #expect(try await store.deleteConversation(1, of: ann, now: 51) == .deleted)
            #expect(try await store.conversation(1, of: ann) == .deleted)
            #expect(try await store.contents(of: 1, account: ann) == .deleted)
            #expect(try await store.putConversation(conversation(1), of: ann) == .deleted)
            #expect(try await store.patchConversation(1, of: ann, .init(title: "Back"), now: 60) == .deleted)
            #expect(try await !store.setTitle("Back", source: .model, of: 1, account: ann, now: 60))
            #expect(try await store.conversations(of: ann, limit: 10, before: nil).isEmpty)
            #expect(try await store.turn(1, of: ann) == .deleted)
            #expect(try await store.answer(1, of: ann) == .deleted)
            #expect(try await store.log(of: 1, after: 0, maximumBytes: .max) == .deleted)
            #expect(try await store.path(to: 2, of: ann).isEmpty)
            #expect(try await store.unfinishedAnswers().isEmpty)
            // Late writes are refused, and the run is told to stop.
            #expect(try await scenario.say(turn: 1, answer: 1, in: 1) == .deleted)
            #expect(try await scenario.say(turn: 9, answer: 9, in: 1) == .deleted)
            #expect(try await scenario.again(9, to: 1) == .deleted)
            #expect(try await scenario.say(turn: 9, answer: 1, in: 9) == .conflict)
            #expect(try await store.append([running.entry([.text("lo")])]) == [2])
            #expect(try await scenario.feed().last == "delete conversation 1")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `deletes all conversations of one account alone`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            _ = try await scenario.say(turn: 1, answer: 1, in: 1)
            _ = try await scenario.say(turn: 2, answer: 2, in: 2, isTemporary: true)
            _ = try await scenario.say(turn: 3, answer: 3, in: 3, by: scenario.ben)
            let cursor = try await scenario.store.changeCursor(of: scenario.ann)
            #expect(try await scenario.store.deleteConversations(of: scenario.ann, now: 50) == [1, 2])
            #expect(
                try await scenario.feed(after: cursor) == ["delete conversation 1", "delete conversation 2"])
            #expect(try await scenario.store.deleteConversations(of: scenario.ann, now: 50).isEmpty)
            #expect(try await scenario.store.conversation(3, of: scenario.ben).value != nil)
        }
    }
}
