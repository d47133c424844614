import RejoinCore
import Testing

@testable import RejoinClient

private typealias Sample = StoreSample

@Suite struct LocalStoreAnswerTests {
    /// Runs a body with a store in which the first answer is awaited.
    private func withAnswer(_ body: (LocalStore) async throws -> Void) async throws {
        try await Sample.withStore { store in
            try await store.begin(Sample.prompt(1))
            try await store.deliver(Sample.turn(1))
            try await body(store)
        }
    }

    @Test("A04 A12 what was appended is there after the process ended, closed or not") func survives() async throws {
        try await Sample.withFolder { folder in
            let store = try await LocalStore.open(folder: folder, account: Sample.account)
            try await store.begin(Sample.prompt(1))
            try await store.deliver(Sample.turn(1))
            #expect(try await store.append(Sample.answer(1), events: Sample.pieces("Hel", "lo")) == .appended(2))
            // Never closed: what a killed process leaves behind.
            let second = try await LocalStore.open(folder: folder, account: Sample.account)
            #expect(try await second.text(1) == "Hello")
            #expect(try await second.append(Sample.answer(1), events: Sample.pieces("!", from: 3)) == .appended(3))
            await second.close()
            await store.close()
            let third = try await LocalStore.open(folder: folder, account: Sample.account)
            #expect(try await third.text(1) == "Hello!")
            await third.close()
        }
    }

    @Test("A22 repeats, disorder and overlaps count once") func appliesOnce() async throws {
        try await withAnswer { store in
            let all = Sample.pieces("a", "b", "c", "d", "e")
            let answer = Sample.answer(1)
            try await store.append(answer, events: [])
            #expect(try await store.append(answer, events: [all[1], all[0], all[1]]) == .appended(2))
            #expect(try await store.append(answer, events: Array(all[0...2])) == .appended(3))
            #expect(try await store.append(answer, events: [all[4]]) == .gap(after: 3))
            #expect(try await store.append(answer, events: [all[4], all[3]]) == .appended(5))
            #expect(try await store.append(answer, events: all) == .appended(5))
            #expect(try await store.append(answer, events: []) == .appended(5))
            #expect(try await store.text(1) == "abcde")
            #expect(try await store.append(Sample.answer(9), events: all) == .unknown)
        }
    }

    @Test func `all that the fold knows comes back, before the end and after it`() async throws {
        try await withAnswer { store in
            let upload = UploadID(high: 5, low: 5)
            let events: [Event] = [
                .status(.init(.queued, position: 2)), .model(.init("small", placement: .server, reason: "limit")),
                .compaction(droppedTurns: 3, summary: nil), .reasoning("hm"), .text("He\u{1}llo\n"),
                .source(.init(title: "A page", url: "https://example.org", upload: nil)),
                .source(.init(title: "A file", url: nil, upload: upload)),
                .attachment(.init(upload: upload, mediaType: "image/png", name: "x.png")), .text("wörld"),
                .unknown(type: "later"), .usage(.init(inputTokens: 1, outputTokens: 2, isEstimated: true)),
                .end(.init(.refused, .limitReached, resetsAt: Sample.time(7), retryAfter: 8)),
            ]
            let answer = Sample.answer(1)
            var fold = Answer(id: answer, turn: Sample.turn(1))
            for (index, event) in events.enumerated() {
                let numbered = NumberedEvent(seq: index + 1, event: event)
                fold.apply(numbered)
                try await store.append(answer, events: [numbered])
                let stored = try #require(try await store.answer(answer))
                #expect(stored.answer == fold)
                #expect(stored.local == (index == events.count - 1 ? .none : .streaming))
            }
        }
    }

    @Test("A08 what streamed when the process ended is interrupted once, with its text") func interrupts() async throws
    {
        try await Sample.withFolder { folder in
            let store = try await LocalStore.open(folder: folder, account: Sample.account)
            for number in UInt64(1)...3 {
                try await store.begin(Sample.prompt(number, in: number))
                try await store.append(Sample.answer(number), events: Sample.pieces("text \(number)"))
            }
            try await store.append(Sample.answer(2), events: [Sample.end(2)])
            try await store.begin(Sample.prompt(4, in: 4))
            await store.close()

            let again = try await LocalStore.open(folder: folder, account: Sample.account)
            #expect(try await again.interruptLeftovers() == [Sample.answer(1), Sample.answer(3)])
            #expect(try await again.interruptLeftovers().isEmpty)
            let interrupted = try await again.interruptedAnswers()
            #expect(interrupted.map(\.answer.text) == ["text 1", "text 3"])
            #expect(interrupted.map(\.answer.seq) == [1, 1])
            // What is yet to be sent is the outbox's business.
            #expect(try await again.answer(Sample.answer(4))?.local == .sending)
            // It goes on from where it stands.
            #expect(try await again.append(Sample.answer(1), events: Sample.pieces(" and on", from: 2)) == .appended(2))
            #expect(try await again.text(1) == "text 1 and on")
            #expect(try await again.answer(Sample.answer(1))?.local == .streaming)
            #expect(try await again.search("text").count == 3)
            await again.close()
        }
    }

    @Test("A13 A14 after a stop nothing grows, until a fetch brings the end as a continuation") func stops()
        async throws
    {
        try await withAnswer { store in
            let answer = Sample.answer(1)
            try await store.append(answer, events: Sample.pieces("Hello"))
            #expect(try await store.requestStop(answer, at: Sample.time(2)))
            #expect(try await store.requestStop(answer, at: Sample.time(3)))
            #expect(try await store.outbox().map(\.kind) == [.stop(answer)])
            #expect(try await store.append(answer, events: Sample.pieces(" world", from: 2)) == .dropped)
            #expect(try await store.text(1) == "Hello")
            let running = Sample.serverAnswer(1, turn: 1, "Hello wor", seq: 3, state: .streaming)
            #expect(try await store.replace(running) == .unchanged)
            #expect(try await !store.mark(answer, .interrupted))
            let late = Sample.pieces("ld", from: 3) + [Sample.end(4, .stopped, .stoppedByPerson)]
            #expect(try await store.append(answer, events: late) == .dropped)
            // The words before that end are not here: it is no end of what is.
            var stopped = try #require(try await store.answer(answer))
            #expect(stopped.answer.state.end == nil)
            #expect(stopped.answer.text == "Hello")
            #expect(stopped.local == .stopRequested)

            let foreign = Sample.serverAnswer(
                1, turn: 1, "Other", seq: 5, state: .ended(.init(.stopped, .stoppedByPerson)))
            #expect(try await store.replace(foreign) == .replaced)
            stopped = try #require(try await store.answer(answer))
            #expect(stopped.answer.state.end?.state == .stopped)
            #expect(stopped.answer.text == "Hello")
            #expect(stopped.local == .none)
            let longer = Sample.serverAnswer(
                1, turn: 1, "Hello world", seq: 6, state: .ended(.init(.stopped, .stoppedByPerson)))
            #expect(try await store.replace(longer) == .replaced)
            #expect(try await store.text(1) == "Hello world")
        }
    }

    @Test("A16 a stop after the end changes nothing") func stopsLate() async throws {
        try await withAnswer { store in
            try await store.append(Sample.answer(1), events: Sample.pieces("Hello") + [Sample.end(2)])
            let before = try await store.answer(Sample.answer(1))
            #expect(try await !store.requestStop(Sample.answer(1), at: Sample.time(2)))
            #expect(try await !store.mark(Sample.answer(1), .interrupted))
            #expect(try await store.append(Sample.answer(1), events: Sample.pieces("x", from: 3)) == .dropped)
            #expect(try await store.answer(Sample.answer(1)) == before)
            #expect(try await store.outbox().isEmpty)
        }
    }

    @Test("A21 a snapshot takes the place of what is shown only as its continuation") func snapshots() async throws {
        try await withAnswer { store in
            let answer = Sample.answer(1)
            try await store.append(answer, events: Sample.pieces("Hel", "lo"))
            let snapshot = NumberedEvent(seq: 9, event: .snapshot(.init(seq: 9, content: [.text("Hello wor")])))
            #expect(
                try await store.append(answer, events: [snapshot] + Sample.pieces("ld", from: 10)) == .appended(10))
            #expect(try await store.text(1) == "Hello world")
            let other = NumberedEvent(seq: 20, event: .snapshot(.init(seq: 20, content: [.text("Other")])))
            #expect(try await store.append(answer, events: [other]) == .gap(after: 10))
            let blank = NumberedEvent(seq: 21, event: .snapshot(.init(seq: 21, content: [])))
            #expect(try await store.append(answer, events: [blank]) == .gap(after: 10))
            #expect(
                try await store.replace(Sample.serverAnswer(1, turn: 1, "", seq: 30, state: .streaming)) == .refused)
            #expect(
                try await store.replace(Sample.serverAnswer(1, turn: 1, "Hel", seq: 1, state: .streaming)) == .unchanged
            )
            #expect(try await store.text(1) == "Hello world")
            #expect(try await store.append(answer, events: [Sample.end(11)]) == .appended(11))
        }
    }

    @Test("A05 an end that is an error keeps the text") func keepsTextAtFailure() async throws {
        try await withAnswer { store in
            try await store.append(Sample.answer(1), events: Sample.pieces("Half an ans"))
            let failed = Sample.serverAnswer(1, turn: 1, "", seq: 2, state: .ended(.init(.failed, .upstreamFailed)))
            #expect(try await store.replace(failed) == .replaced)
            let stored = try #require(try await store.answer(Sample.answer(1)))
            #expect(stored.answer.text == "Half an ans")
            #expect(stored.answer.state.end?.state == .failed)
        }
    }

    @Test("A26 text that was withdrawn is gone, and nothing older brings it back") func withdraws() async throws {
        try await withAnswer { store in
            let answer = Sample.answer(1)
            try await store.append(answer, events: Sample.pieces("forbidden ", "words"))
            try await store.mark(answer, .interrupted)
            #expect(try await store.search("forbidden").count == 1)
            let withdrawn = NumberedEvent(seq: 3, event: .withdrawn(reason: "safety"))
            #expect(try await store.append(answer, events: [withdrawn]) == .appended(3))
            var stored = try #require(try await store.answer(answer))
            #expect(stored.local == .withdrawn(reason: "safety"))
            #expect(stored.answer.withdrawal == "safety")
            #expect(stored.answer.content.isEmpty)
            #expect(try await store.search("forbidden").isEmpty)
            let old = Sample.serverAnswer(1, turn: 1, "forbidden words", seq: 2, state: .streaming)
            #expect(try await store.replace(old) == .unchanged)
            #expect(try await !store.mark(answer, .streaming))
            try await store.append(answer, events: [Sample.end(4, .refused, .contentFilter)])
            stored = try #require(try await store.answer(answer))
            #expect(stored.local == .withdrawn(reason: "safety"))
            #expect(stored.answer.state.end?.state == .refused)
            #expect(stored.answer.content.isEmpty)
        }
    }

    @Test("A26 a withdrawal counts after a stop, and when only the fetched end tells of it") func withdrawsLate()
        async throws
    {
        try await withAnswer { store in
            try await store.append(Sample.answer(1), events: Sample.pieces("forbidden"))
            try await store.requestStop(Sample.answer(1), at: Sample.time(1))
            let withdrawn = NumberedEvent(seq: 5, event: .withdrawn(reason: "safety"))
            let end = Sample.end(6, .refused, .contentFilter)
            #expect(try await store.append(Sample.answer(1), events: [withdrawn, end]) == .dropped)
            #expect(try await store.text(1) == "")
            #expect(try await store.answer(Sample.answer(1))?.local == .withdrawn(reason: "safety"))
            #expect(try await store.answer(Sample.answer(1))?.answer.state.end?.state == .refused)

            try await store.beginAnswer(to: Sample.turn(1), answer: Sample.answer(2), at: Sample.time(2))
            try await store.append(Sample.answer(2), events: Sample.pieces("forbidden too"))
            let fetched = Sample.serverAnswer(2, turn: 1, "", seq: 3, state: .ended(.init(.refused, .contentFilter)))
            #expect(try await store.replace(fetched) == .replaced)
            let stored = try #require(try await store.answer(Sample.answer(2)))
            #expect(stored.answer.content.isEmpty)
            #expect(stored.answer.state.end?.state == .refused)
            #expect(try await store.search("forbidden").isEmpty)
        }
    }

    @Test("A07 an answer that the server declined to begin ends as refused, with its time") func refusesAnswer()
        async throws
    {
        try await withAnswer { store in
            try await store.beginAnswer(to: Sample.turn(1), answer: Sample.answer(2), at: Sample.time(2))
            let end = Event.End(.refused, .limitReached, resetsAt: Sample.time(50))
            #expect(try await store.refuse(Sample.answer(2), end))
            #expect(try await store.answer(Sample.answer(2))?.answer.state == .ended(end))
            #expect(try await store.outbox().isEmpty)
            #expect(try await !store.refuse(Sample.answer(2), end))
        }
    }

    @Test func `an answer that grew by a thousand flushes reads as one of one flush`() async throws {
        try await withAnswer { store in
            var text = ""
            for number in 1...1000 {
                let piece = "word \(number) "
                text += piece
                try await store.append(Sample.answer(1), events: Sample.pieces(piece, from: number))
            }
            #expect(try await store.text(1) == text)
            try await store.append(Sample.answer(1), events: [Sample.end(1001)])
            #expect(try await store.text(1) == text)
            #expect(try await store.search("word 777").count == 1)
        }
    }
}
