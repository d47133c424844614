import RejoinCore
import RejoinServer
import Testing

@Suite struct StoreAdmissionTests {
    @Test(arguments: StoreKind.allCases)
    func `a first turn makes its conversation, and all three reach the feed`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            let answer = try await scenario.say("Hi", turn: 2, answer: 3, in: 1, at: 10).admitted
            #expect(
                answer
                    == AnswerRecord(
                        id: 3, turn: 2, conversation: 1, account: scenario.ann, requestedModel: "auto",
                        options: Array("{}".utf8), startedAt: 10))
            let conversation = try await scenario.store.conversation(1, of: scenario.ann).value
            #expect(conversation?.createdAt == 10)
            #expect(conversation?.isTemporary == false)
            #expect(conversation?.titleSource == ConversationRecord.TitleSource.none)
            #expect(try await scenario.store.turn(2, of: scenario.ann).value?.content == [.text("Hi")])
            #expect(try await scenario.store.answer(3, of: scenario.ann).value == answer)
            #expect(try await scenario.feed() == ["put conversation 1", "put turn 2", "put answer 3"])
            #expect(scenario.observed.cursors(of: scenario.ann) == [3])
        }
    }

    @Test("S01 the same turn again is the same answer, for ever", arguments: StoreKind.allCases)
    func repeats(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            _ = try await scenario.say(turn: 1, answer: 1, in: 1, at: 10)
            let cursor = try await scenario.store.changeCursor(of: scenario.ann)
            // The proposed id and the time do not count.
            let repeated = try await scenario.say(turn: 1, answer: 2, in: 1, at: 99).repeated
            #expect(repeated?.id == 1)
            _ = try await scenario.again(5, to: 1)
            #expect(try await scenario.say(turn: 1, answer: 5, in: 1).repeated?.id == 1)

            var script = LogScript(1, of: 1)
            try await scenario.write(&script, .text("Hi"), .end(.init(.done, .complete)), at: 40)
            let ended = try await scenario.say(turn: 1, answer: 2, in: 1).repeated
            #expect(ended?.end?.state == .done)
            #expect(ended?.content == [.text("Hi")])
            #expect(try await scenario.store.answer(2, of: scenario.ann) == .notFound)
            #expect(try await scenario.feed(after: cursor) == ["put answer 5", "put answer 1"])
        }
    }

    @Test("S01 the same turn with other content is a conflict and changes nothing", arguments: StoreKind.allCases)
    func conflicts(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            _ = try await scenario.say("caf\u{E9}", turn: 1, answer: 1, in: 1)
            _ = try await scenario.say(turn: 2, answer: 2, in: 2)
            let before = try await scenario.store.contents(of: 1, account: scenario.ann)
            let cursor = try await scenario.store.changeCursor(of: scenario.ann)

            #expect(try await scenario.say("tea", turn: 1, answer: 9, in: 1) == .conflict)
            #expect(try await scenario.say("cafe\u{301}", turn: 1, answer: 9, in: 1) == .conflict)
            #expect(try await scenario.say("caf\u{E9}", turn: 1, answer: 9, in: 2) == .conflict)
            #expect(try await scenario.say("caf\u{E9}", turn: 1, answer: 9, in: 1, after: 1) == .conflict)
            var turn = try #require(try await scenario.store.turn(1, of: scenario.ann).value)
            turn.model = "other"
            #expect(try await scenario.store.admit(.init(account: scenario.ann, turn: turn, answer: 9)) == .conflict)
            turn.model = "auto"
            turn.options = Array(#"{"temperature":1}"#.utf8)
            #expect(try await scenario.store.admit(.init(account: scenario.ann, turn: turn, answer: 9)) == .conflict)

            #expect(try await scenario.store.contents(of: 1, account: scenario.ann) == before)
            #expect(try await scenario.store.changeCursor(of: scenario.ann) == cursor)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a parent must be an answer of the same conversation`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            _ = try await scenario.say(turn: 1, answer: 1, in: 1)
            _ = try await scenario.say(turn: 2, answer: 2, in: 2)
            #expect(try await scenario.say(turn: 3, answer: 3, in: 1, after: 2) == .notFound)
            #expect(try await scenario.say(turn: 3, answer: 3, in: 1, after: 9) == .notFound)
            #expect(try await scenario.say(turn: 3, answer: 3, in: 3, after: 1) == .notFound)
            #expect(try await scenario.store.conversation(3, of: scenario.ann) == .notFound)
            #expect(try await scenario.say(turn: 3, answer: 3, in: 1, after: 1).admitted != nil)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `an answer's id that is taken is a conflict`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            _ = try await scenario.say(turn: 1, answer: 1, in: 1)
            _ = try await scenario.say(turn: 2, answer: 2, in: 1)
            #expect(try await scenario.say(turn: 3, answer: 1, in: 3) == .conflict)
            #expect(try await scenario.again(2, to: 1) == .conflict)
            #expect(try await scenario.store.conversation(3, of: scenario.ann) == .notFound)
            #expect(try await scenario.store.turn(3, of: scenario.ann) == .notFound)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `another answer is a sibling in the order of admission`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            _ = try await scenario.say(turn: 1, answer: 5, in: 1)
            let cursor = try await scenario.store.changeCursor(of: scenario.ann)
            #expect(try await scenario.again(4, to: 1, at: 20).admitted?.startedAt == 20)
            #expect(try await scenario.again(4, to: 1, at: 90).repeated?.startedAt == 20)
            #expect(try await scenario.again(4, to: 1, model: "other") == .conflict)
            #expect(try await scenario.again(5, to: 1).repeated?.id == 5)
            #expect(try await scenario.again(3, to: 1, model: "other").admitted?.requestedModel == "other")
            #expect(try await scenario.again(6, to: 9) == .notFound)
            let contents = try await scenario.store.contents(of: 1, account: scenario.ann).value
            #expect(contents?.answers.map(\.id) == [5, 4, 3])
            #expect(try await scenario.feed(after: cursor) == ["put answer 4", "put answer 3"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a path follows the answers that were looked at, running ones folded`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            _ = try await scenario.say("one", turn: 1, answer: 1, in: 1)
            _ = try await scenario.again(2, to: 1)
            var first = LogScript(2, of: 1)
            try await scenario.write(&first, .text("second "), .text("answer"), .end(.init(.done, .complete)))
            _ = try await scenario.say("two", turn: 2, answer: 3, in: 1, after: 2)
            var running = LogScript(3, of: 2)
            try await scenario.write(&running, .status(.init(.writing)), .text("so "))
            try await scenario.write(&running, .text("far"))
            _ = try await scenario.say("three", turn: 3, answer: 4, in: 1, after: 3)
            _ = try await scenario.say("branch", turn: 4, answer: 5, in: 1, after: 1)

            #expect(
                try await scenario.store.path(to: 3, of: scenario.ann) == [
                    PathStep(turn: 1, prompt: [.text("one")], answer: 2, reply: [.text("second answer")]),
                    PathStep(turn: 2, prompt: [.text("two")], answer: 3, reply: [.text("so far")]),
                    PathStep(turn: 3, prompt: [.text("three")], answer: nil, reply: []),
                ])
            #expect(
                try await scenario.store.path(to: 4, of: scenario.ann) == [
                    PathStep(turn: 1, prompt: [.text("one")], answer: 1, reply: []),
                    PathStep(turn: 4, prompt: [.text("branch")], answer: nil, reply: []),
                ])
            #expect(try await scenario.store.path(to: 9, of: scenario.ann).isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `keeps every part and every byte of a prompt`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            let attachment = Event.Attachment(upload: 77, mediaType: "image/png", name: "a \"b\"\n\u{0}.png")
            let content: [ContentPart] = [.text("line\r\n\u{0}\u{2028}é👩‍👩‍👧"), .attachment(attachment), .text("")]
            let turn = TurnRecord(
                id: 1, conversation: 1, parent: nil, content: content, model: "m/ö", options: [], createdAt: 10)
            _ = try await scenario.store.admit(.init(account: scenario.ann, turn: turn, answer: 1))
            #expect(try await scenario.store.turn(1, of: scenario.ann) == .found(turn))
        }
    }

    @Test("S17 concurrent writers never lose a turn", arguments: StoreKind.allCases)
    func concurrentWriters(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            try await withThrowingTaskGroup { group in
                for writer in 0..<8 as Range<UInt64> {
                    group.addTask {
                        // Each writer knows only its own answers: an old view makes a branch.
                        var parent: AnswerID?
                        for step in 1...25 as ClosedRange<UInt64> {
                            let number = writer * 100 + step
                            let answer = AnswerID(high: 0, low: number)
                            let turn = TurnID(high: 0, low: number)
                            let admission = try await scenario.say(
                                turn: turn, answer: answer, in: 1, after: parent)
                            #expect(admission.admitted != nil)
                            parent = answer
                        }
                    }
                }
                try await group.waitForAll()
            }
            let contents = try #require(try await scenario.store.contents(of: 1, account: scenario.ann).value)
            #expect(Set(contents.turns.map(\.id)).count == 200)
            #expect(contents.turns.count == 200)
            for turn in contents.turns where turn.id.low % 100 > 1 {
                #expect(turn.parent == AnswerID(high: 0, low: turn.id.low - 1))
            }
            #expect(try await scenario.store.changeCursor(of: scenario.ann) == 401)
            #expect(scenario.observed.cursors(of: scenario.ann).max() == 401)
        }
    }

    @Test("S20 twenty admissions of one turn at once admit one", arguments: StoreKind.allCases)
    func concurrentRepeats(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            let admissions = try await withThrowingTaskGroup { group in
                for number in 1...20 as ClosedRange<UInt64> {
                    group.addTask { try await scenario.say(turn: 1, answer: AnswerID(high: 0, low: number), in: 1) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let admitted = admissions.compactMap(\.admitted)
            #expect(admitted.count == 1)
            #expect(admissions.compactMap(\.repeated).map(\.id) == Array(repeating: admitted[0].id, count: 19))
        }
    }
}
