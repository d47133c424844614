import RejoinCore
import RejoinServer
import Testing

@Suite struct StoreLogTests {
    @Test("S03 from every cursor the log holds exactly what is missing", arguments: StoreKind.allCases)
    func everyCursor(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            _ = try await scenario.say(turn: 1, answer: 1, in: 1)
            var script = LogScript(1, of: 1)
            try await scenario.write(&script, .status(.init(.starting)), .text("a\n\nid:9\ndata:x\n\n"))
            try await scenario.write(&script, .text("b"))
            try await scenario.write(&script, .text("c\r\n"), .unknown(type: "later"), .text("é"))
            try await scenario.write(&script, .end(.init(.done, .complete)))
            let whole = try await scenario.store.log(of: 1, after: 0, maximumBytes: .max)
            let all = try #require(whole.numbered)
            #expect(all.map(\.seq) == Array(1...7))
            for cursor in 0...7 {
                for size in [-1, 0, 1, 60, 10_000] {
                    var events: [NumberedEvent] = []
                    var after = cursor
                    while true {
                        let page = try await scenario.store.log(of: 1, after: after, maximumBytes: size)
                        guard case .events(_, let lastSeq, let isLast, let isEnded) = page else {
                            Issue.record("no events: \(page)")
                            return
                        }
                        events += try #require(page.numbered)
                        #expect(isEnded == isLast)
                        try #require(lastSeq > after || isLast)
                        after = lastSeq
                        if isLast { break }
                    }
                    #expect(events == Array(all[cursor...]), "cursor \(cursor), \(size) bytes")
                    #expect(after == 7)
                }
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a running answer's number is its log's, and its page is last but not ended`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            _ = try await scenario.say(turn: 1, answer: 1, in: 1)
            let empty = LogPage.events(bytes: [], lastSeq: 0, isLast: true, isEnded: false)
            #expect(try await scenario.store.log(of: 1, after: 0, maximumBytes: 100) == empty)
            var script = LogScript(1, of: 1)
            let cursor = try await scenario.store.changeCursor(of: scenario.ann)
            try await scenario.write(&script, .text("a"), .text("b"))
            let record = try await scenario.store.answer(1, of: scenario.ann).value
            #expect(record?.seq == 2)
            #expect(record?.content == [])
            #expect(record?.end == nil)
            #expect(try await scenario.store.unfinishedAnswers() == [record])
            let rest = LogPage.events(bytes: [], lastSeq: 2, isLast: true, isEnded: false)
            #expect(try await scenario.store.log(of: 1, after: 2, maximumBytes: 100) == rest)
            #expect(try await scenario.store.log(of: 1, after: -5, maximumBytes: .max).numbered?.count == 2)
            #expect(try await scenario.store.log(of: 9, after: 0, maximumBytes: 100) == .notFound)
            // Pieces are no change: the feed says that an answer began and that it ended.
            #expect(try await scenario.store.changeCursor(of: scenario.ann) == cursor)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `the end is kept with content, model and cost, and reaches the feed`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            _ = try await scenario.say(turn: 1, answer: 1, in: 1)
            let cursor = try await scenario.store.changeCursor(of: scenario.ann)
            var script = LogScript(1, of: 1)
            let model = Event.Model("large", placement: .provider, reason: "asked for")
            let usage = Event.Usage(inputTokens: 5, outputTokens: 0, isEstimated: true)
            let end = Event.End(.refused, .limitReached, resetsAt: 99_000, retryAfter: 30)
            try await scenario.write(&script, .model(model), .text("Hi"), .usage(usage), .end(end), at: 40)
            let record = try #require(try await scenario.store.answer(1, of: scenario.ann).value)
            #expect(record.end == end)
            #expect(record.model == model)
            #expect(record.usage == usage)
            #expect(record.content == [.text("Hi")])
            #expect(record.seq == 4)
            #expect(record.endedAt == 40)
            #expect(try await scenario.store.unfinishedAnswers().isEmpty)
            #expect(try await scenario.feed(after: cursor) == ["put answer 1"])
            #expect(scenario.observed.cursors(of: scenario.ann).last == cursor + 1)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `numbers that do not follow are refused, and nothing of the batch is written`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            _ = try await scenario.say(turn: 1, answer: 1, in: 1)
            _ = try await scenario.say(turn: 2, answer: 2, in: 1)
            var script = LogScript(1, of: 1)
            try await scenario.write(&script, .text("a"), .text("b"))
            var other = LogScript(2, of: 2)
            let good = other.entry([.text("x")])
            for (first, last) in [(1, 1), (2, 2), (2, 3), (4, 4), (3, 2), (.min, .max), (.max, .max), (0, 0)] {
                let bad = LogEntry(answer: 1, firstSeq: first, lastSeq: last, bytes: [], ended: nil, at: 30)
                let failure = await #expect(throws: StoreFailure.self) {
                    _ = try await scenario.store.append([good, bad])
                }
                #expect(failure?.code == .outOfOrder)
            }
            #expect(try await scenario.store.answer(2, of: scenario.ann).value?.seq == 0)
            #expect(try await scenario.store.append([good, script.entry([.text("c")])]).isEmpty)
            #expect(try await scenario.store.answer(1, of: scenario.ann).value?.seq == 3)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `nothing follows an end, not even in the same batch`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            _ = try await scenario.say(turn: 1, answer: 1, in: 1)
            var script = LogScript(1, of: 1)
            let end = script.entry([.end(.init(.done, .complete))])
            let late = LogEntry(answer: 1, firstSeq: 2, lastSeq: 2, bytes: [], ended: nil, at: 30)
            await #expect(throws: StoreFailure.self) { _ = try await scenario.store.append([end, late]) }
            #expect(try await scenario.store.answer(1, of: scenario.ann).value?.end == nil)
            #expect(try await scenario.store.append([end]).isEmpty)
            await #expect(throws: StoreFailure.self) { _ = try await scenario.store.append([late]) }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `entries of deleted answers are left out and the others written`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            _ = try await scenario.say(turn: 1, answer: 1, in: 1)
            _ = try await scenario.say(turn: 2, answer: 2, in: 2)
            var (gone, kept) = (LogScript(1, of: 1), LogScript(2, of: 2))
            try await scenario.write(&gone, .text("a"))
            _ = try await scenario.store.deleteConversation(1, of: scenario.ann, now: 40)
            let entries = [gone.entry([.text("b")]), kept.entry([.text("c")]), gone.entry([.text("d")])]
            #expect(try await scenario.store.append(entries) == [1])
            #expect(try await scenario.store.answer(2, of: scenario.ann).value?.seq == 1)
        }
    }

    @Test("S12 an old log goes, its answer stays", arguments: StoreKind.allCases)
    func compacts(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            for (number, time) in [(1, 40), (2, 30), (3, 50)] as [(UInt64, Timestamp)] {
                let (turn, answer) = (TurnID(high: 0, low: number), AnswerID(high: 0, low: number))
                _ = try await scenario.say(turn: turn, answer: answer, in: 1)
                var script = LogScript(answer, of: turn)
                try await scenario.write(&script, .text("Hi \(number)"), .end(.init(.done, .complete)), at: time)
            }
            _ = try await scenario.say(turn: 4, answer: 4, in: 1)
            #expect(try await scenario.store.compactLogs(endedBefore: 50, limit: 1) == 1)
            let record = try #require(try await scenario.store.answer(2, of: scenario.ann).value)
            #expect(record.content == [.text("Hi 2")])
            #expect(record.seq == 2)
            #expect(try await scenario.store.log(of: 2, after: 1, maximumBytes: 100) == .compacted(record))
            #expect(try await scenario.store.log(of: 1, after: 0, maximumBytes: 100).numbered?.count == 2)
            #expect(try await scenario.store.compactLogs(endedBefore: 50, limit: 9) == 1)
            #expect(try await scenario.store.compactLogs(endedBefore: 50, limit: 9) == 0)
            #expect(try await scenario.store.log(of: 3, after: 0, maximumBytes: 100).numbered?.count == 2)
        }
    }

    @Test("S12 A26 that text was taken back outlives the log", arguments: StoreKind.allCases)
    func keepsWithdrawals(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            _ = try await scenario.say(turn: 1, answer: 1, in: 1)
            var script = LogScript(1, of: 1)
            try await scenario.write(
                &script, .text("secret"), .withdrawn(reason: "safety"), .end(.init(.refused, .contentFilter)))
            #expect(try await scenario.store.compactLogs(endedBefore: 50, limit: 9) == 1)
            let record = try #require(try await scenario.store.answer(1, of: scenario.ann).value)
            #expect(record.content.isEmpty)
            #expect(record.withdrawal == "safety")
        }
    }
}
