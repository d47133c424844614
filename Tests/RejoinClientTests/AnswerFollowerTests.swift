import RejoinClient
import RejoinCore
import RejoinTestKit
import SeededRandom
import Testing

@Suite(.timeLimit(.minutes(1))) struct AnswerFollowerTests {
    static let ids = IDSource(now: { Timestamp(milliseconds: 1_700_000_000_000) }, random: { 7 })
    static let answer: AnswerID = ID(high: 1, low: 2)
    static let turn: TurnID = ID(high: 1, low: 1)
    static let draft = TurnDraft(
        conversation: ID(high: 1, low: 0), turn: turn, answer: answer, parent: nil, content: [.text("hello")])
    static let log = numbered(
        [.status(.init(.thinking))]
            + "The quick brown fox jumps over the lazy dog — über 🦊!".split(separator: " ")
            .map { .text($0 + " ") } + [.end(.init(.done, .complete))])
    static let text = ContentPart.text(
        of: log.compactMap { if case .text(let text) = $0.event { .text(text) } else { nil } })

    static func client(_ transport: ScriptedTransport, clock: any Clock<Duration> = ContinuousClock()) -> RejoinClient {
        RejoinClient(address: "http://fake/", token: "t", transport: transport, clock: clock, ids: .system)
    }

    /// Pulls to the end.
    static func drain(_ follower: AnswerFollower) async throws -> (events: [NumberedEvent], waits: Int) {
        var events: [NumberedEvent] = []
        var waits = 0
        while let update = try await follower.next() {
            switch update {
            case .events(let batch): events += batch
            case .connected: break
            case .waiting: waits += 1
            }
        }
        return (events, waits)
    }

    static func cursor(_ request: TransportRequest) -> Int {
        request.url.split(separator: "=").last.flatMap { Int($0) } ?? 0
    }

    @Test func `one request carries a first turn and its answer`() async throws {
        let transport = ScriptedTransport { _, _ in .stream(ScriptedBody([wire(Self.log)], then: .success(()))) }
        let follower = Self.client(transport).send(Self.draft)
        let (events, waits) = try await Self.drain(follower)
        #expect(events == Self.log)
        #expect(waits == 0)
        #expect(follower.answer.text == Self.text)
        let request = try #require(transport.requests.first)
        #expect(transport.requests.count == 1)
        #expect(request.method == "PUT")
        #expect(
            request.url
                == "http://fake/v1/conversations/\(Self.draft.conversation)/turns/\(Self.draft.turn)")
        #expect(request.fields.contains { $0 == ("accept", "text/event-stream") })
        #expect(request.fields.contains { $0 == ("authorization", "Bearer t") })
        let body = try JSONReader.parse(request.body ?? []).object
        #expect(body?["parent"] == .null)
        #expect(body?["answer"]?.string == Self.answer.description)
        #expect(body?["model"]?.string == "auto")
        #expect(body?["content"]?.array?.first?.object?["text"]?.string == "hello")
    }

    @Test func `what one read brings is one batch`() async throws {
        let transport = ScriptedTransport { _, _ in
            .stream(ScriptedBody([wire(Array(Self.log[..<5])), wire(Array(Self.log[5...]))], then: .success(())))
        }
        let follower = Self.client(transport).send(Self.draft)
        var sizes: [Int] = []
        while let update = try await follower.next() {
            if case .events(let batch) = update { sizes.append(batch.count) }
        }
        #expect(sizes == [5, Self.log.count - 5])
    }

    @Test("A22 duplicate, out-of-order and overlapping events are applied once", arguments: 0..<40)
    func disorder(seed: UInt64) async throws {
        // Each connection says what a confused server might: old events again, a few in the wrong order, a hole.
        let transport = ScriptedTransport { request, number in
            var generator = SeededGenerator(seed: seed << 32 | UInt64(number))
            let after = Self.cursor(request)
            var events: [NumberedEvent] = []
            var next = Int.random(in: 0...after, using: &generator)
            for _ in 0..<Int.random(in: 4...20, using: &generator) where next < Self.log.count {
                events.append(Self.log[next])
                switch Int.random(in: 0..<8, using: &generator) {
                case 0: next = max(0, next - 2)
                case 1: next += 2
                case 2: break
                default: next += 1
                }
            }
            // Something new at least, or the client would rightly give up on this server.
            events.insert(Self.log[min(after, Self.log.count - 1)], at: 0)
            let bytes = wire(events)
            let middle = Int.random(in: 0...bytes.count, using: &generator)
            return .stream(ScriptedBody([Array(bytes[..<middle]), Array(bytes[middle...])], then: .success(())))
        }
        let follower = Self.client(transport).send(Self.draft, policy: .eager)
        let (events, _) = try await Self.drain(follower)
        #expect(events == Self.log)
        #expect(follower.answer.text == Self.text)
    }

    @Test("A18 any cut of the bytes, at any place, loses and repeats nothing")
    func cuts() async throws {
        let whole = wire(Self.log)
        for cut in 0...whole.count {
            let transport = ScriptedTransport { request, number in
                let rest = wire(Self.log.filter { $0.seq > Self.cursor(request) })
                if number > 1 { return .stream(ScriptedBody([rest], then: .success(()))) }
                return .stream(ScriptedBody([Array(rest[..<cut])], then: .failure(TransportFailure(.dropped, "cut"))))
            }
            let follower = Self.client(transport).send(Self.draft, policy: .eager)
            let (events, _) = try await Self.drain(follower)
            #expect(events == Self.log, "cut at \(cut)")
            guard events == Self.log else { return }
        }
    }

    @Test("A18 an answer that breaks after every event still comes whole")
    func breaksAfterEveryEvent() async throws {
        let transport = ScriptedTransport { request, _ in
            let next = Self.log.filter { $0.seq > Self.cursor(request) }.prefix(1)
            return .stream(ScriptedBody([wire(Array(next))], then: .failure(TransportFailure(.dropped, "cut"))))
        }
        let follower = Self.client(transport).send(Self.draft, policy: .eager)
        let (events, waits) = try await Self.drain(follower)
        #expect(events == Self.log)
        #expect(waits == Self.log.count - 1)
        let requests = transport.requests
        #expect(requests.first?.method == "PUT")
        #expect(requests.dropFirst().allSatisfy { $0.method == "GET" })
        #expect(
            requests.dropFirst().map(\.url)
                == (1..<Self.log.count).map { "http://fake/v1/answers/\(Self.answer)/events?after=\($0)" })
    }

    @Test("A23 a turn whose reply is lost is sent again as it was")
    func resend() async throws {
        let transport = ScriptedTransport { _, number in
            switch number {
            case 1: throw TransportFailure(.dropped, "no reply")
            case 2: throw TransportFailure(.unreachable, "refused")
            case 3: return .problem(Problem(.temporarilyUnavailable, "starting"))
            case 4: return .json("<html>", status: 502)
            default: return .stream(ScriptedBody([wire(Self.log)], then: .success(())))
            }
        }
        let follower = Self.client(transport).send(Self.draft, policy: .eager)
        let (events, waits) = try await Self.drain(follower)
        #expect(events == Self.log)
        #expect(waits == 4)
        #expect(transport.requests.count == 5)
        #expect(Set(transport.requests.map(\.url)).count == 1)
        #expect(Set(transport.requests.map(\.body)).count == 1)
    }

    @Test("A25 a restored answer starts from the shown text", arguments: 0..<log.count)
    func restored(held: Int) async throws {
        var shown = Answer(id: Self.answer, turn: Self.turn)
        for event in Self.log[..<held] { shown.apply(event) }
        let transport = ScriptedTransport { request, _ in
            .stream(ScriptedBody([wire(Self.log.filter { $0.seq > Self.cursor(request) })], then: .success(())))
        }
        let follower = Self.client(transport).follow(shown)
        #expect(follower.answer.text == shown.text)
        var texts: [String] = []
        var events: [NumberedEvent] = []
        while let update = try await follower.next() {
            texts.append(follower.answer.text)
            if case .events(let batch) = update { events += batch }
        }
        #expect(texts.allSatisfy { $0.hasPrefix(shown.text) })
        #expect(events == Array(Self.log[held...]))
        #expect(transport.requests.map(\.url) == ["http://fake/v1/answers/\(Self.answer)/events?after=\(held)"])
        #expect(follower.answer.text == Self.text)
    }

    @Test("A21 a snapshot for an old cursor replaces nothing that is shown")
    func snapshot() async throws {
        var shown = Answer(id: Self.answer, turn: Self.turn)
        for event in Self.log[..<3] { shown.apply(event) }
        let content: [ContentPart] = [.text(Self.text)]
        let end = Self.log[Self.log.count - 1]
        let late = [NumberedEvent(seq: end.seq - 1, event: .snapshot(.init(seq: end.seq - 1, content: content))), end]
        let transport = ScriptedTransport { _, _ in .stream(ScriptedBody([wire(late)], then: .success(()))) }
        let follower = Self.client(transport).follow(shown)
        var texts = [follower.answer.text]
        while try await follower.next() != nil { texts.append(follower.answer.text) }
        #expect(texts.allSatisfy { $0.hasPrefix(shown.text) })
        #expect(texts.last == Self.text)
    }

    @Test func `an answer that has ended is not asked for`() async throws {
        var shown = Answer(id: Self.answer, turn: Self.turn)
        for event in Self.log { shown.apply(event) }
        let transport = ScriptedTransport { _, _ in throw TransportFailure(.unreachable, "must not be called") }
        #expect(try await Self.client(transport).follow(shown).next() == nil)
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: Problem.Kind.allCases.filter { $0 != .temporarilyUnavailable && $0 != .internalError })
    func `a refusal is typed and final`(kind: Problem.Kind) async throws {
        let problem = Problem(kind, "because", retryAfter: 3)
        let transport = ScriptedTransport { _, _ in .problem(problem) }
        let error = await #expect(throws: ClientError.self) {
            try await Self.drain(Self.client(transport).send(Self.draft, policy: .eager))
        }
        #expect(error?.code == ClientError.Code(kind))
        #expect(error?.problem == problem)
        #expect(error?.status == kind.status)
        #expect(error?.retryAfter == 3)
        #expect(transport.requests.count == 1)
    }

    @Test func `a refusal of a newer server keeps its name`() async throws {
        let transport = ScriptedTransport { _, _ in .json(#"{"type":"/problems/full-moon","status":418}"#, status: 418)
        }
        let error = await #expect(throws: ClientError.self) {
            try await Self.drain(Self.client(transport).send(Self.draft))
        }
        #expect(error?.code == ClientError.Code("full-moon"))
        #expect(error?.problem == nil)
    }

    @Test(arguments: [
        "id:1\nevent:text\ndata:nonsense\n\n", "id:x\nevent:text\ndata:{\"text\":\"a\"}\n\n",
        "id:2\nevent:text\ndata:{\"text\":\"a\"}\n\n", "id:1\nevent:end\ndata:{\"state\":\"odd\"}\n\n",
    ])
    func `a server that goes on talking nonsense is given up`(stream: String) async throws {
        let transport = ScriptedTransport { _, _ in .stream(ScriptedBody([Array(stream.utf8)])) }
        let error = await #expect(throws: ClientError.self) {
            try await Self.drain(Self.client(transport).send(Self.draft, policy: .eager))
        }
        #expect(error?.code == .malformedReply)
        #expect(transport.requests.count == 3)
    }

    @Test func `events of unknown types keep their number and do no harm`() async throws {
        let stream = "id:1\nevent:hologram\ndata:{\"x\":1}\n\n:beat\n\nid:2\nevent:end\ndata:{\"state\":\"done\"}\n\n"
        let transport = ScriptedTransport { _, _ in .stream(ScriptedBody([Array(stream.utf8)], then: .success(()))) }
        let follower = Self.client(transport).send(Self.draft)
        #expect(try await Self.drain(follower).events.map(\.seq) == [1, 2])
        #expect(follower.answer.skipped == 1)
    }

    @Test("S09 a dead pipe is noticed within 25 s and the answer goes on")
    func deadPipe() async throws {
        let clock = ManualClock()
        let dead = ScriptedBody([wire(Array(Self.log[..<3]))])
        let transport = ScriptedTransport { request, number in
            if number == 1 { return .stream(dead) }
            return .stream(ScriptedBody([wire(Self.log.filter { $0.seq > Self.cursor(request) })], then: .success(())))
        }
        let client = Self.client(transport, clock: clock)
        async let result = Self.drain(client.send(Self.draft, policy: .eager))
        try await eventually("the wait for more") { dead.isAwaited && clock.sleepers == 1 }
        // Heartbeats keep it alive for as long as they come.
        for beat in 1...6 {
            clock.advance(by: .seconds(10))
            dead.push(Array(":beat\n\n".utf8))
            try await eventually("beat \(beat)") { dead.isAwaited && clock.sleepers == 1 }
            #expect(transport.requests.count == 1)
        }
        clock.advance(by: .milliseconds(24_999))
        try await eventually("the watch to sleep on") { clock.sleepers == 1 }
        #expect(!dead.isCancelled)
        clock.advance(by: .milliseconds(1))
        try await eventually("the line to be let go") { dead.isCancelled }
        try await eventually("the backoff") { clock.sleepers >= 1 }
        clock.advance(by: .milliseconds(1))
        #expect(try await result.events == Self.log)
        #expect(transport.requests.count == 2)
    }

    @Test func `a reply that never begins counts as silence`() async throws {
        let clock = ManualClock()
        let transport = ScriptedTransport { _, number in
            if number == 1 { try await clock.sleep(for: .seconds(3600)) }
            return .stream(ScriptedBody([wire(Self.log)], then: .success(())))
        }
        let follower = Self.client(transport, clock: clock).send(Self.draft, policy: .eager)
        async let first: Void = {
            try await eventually("both sleep") { clock.sleepers == 2 }
            clock.advance(by: .seconds(25))
        }()
        guard case .waiting(_, 1, let error)? = try await follower.next() else {
            Issue.record("no wait")
            return
        }
        try await first
        #expect(error.code == .silent)
    }

    @Test("A24 the wait between tries grows, is bounded, and never the same for all")
    func backoff() async throws {
        let transport = ScriptedTransport { _, _ in throw TransportFailure(.unreachable, "down") }
        let clock = ManualClock()
        let follower = Self.client(transport, clock: clock).send(Self.draft)
        var delays: [Duration] = []
        for attempt in 1...40 {
            async let pump: Void = {
                guard attempt > 1 else { return }
                try await eventually("the wait") { clock.sleepers > 0 }
                clock.advance(by: .seconds(8))
            }()
            guard case .waiting(let delay, attempt, _)? = try await follower.next() else {
                Issue.record("no wait")
                return
            }
            try await pump
            delays.append(delay)
            let ceiling = min(Duration.milliseconds(250) * (1 << min(attempt - 1, 10)), .seconds(8))
            #expect(delay <= ceiling)
            #expect(delay >= ceiling / 2)
        }
        #expect(Set(delays).count > 30)
    }

    @Test func `a server's own wish for a pause is granted up to two minutes`() async throws {
        for (asked, granted) in [(7, 7), (100_000, 120)] {
            let transport = ScriptedTransport { _, _ in
                .problem(Problem(.temporarilyUnavailable, "busy", retryAfter: asked))
            }
            let update = try await Self.client(transport).send(Self.draft).next()
            guard case .waiting(let delay, _, _)? = update else {
                Issue.record("no wait")
                return
            }
            #expect(delay == .seconds(granted))
        }
    }

    @Test func `patience ends, later for a server that has answered`() async throws {
        let policy = RetryPolicy(
            firstDelay: .microseconds(100), maximumDelay: .milliseconds(1), initialPatience: .milliseconds(5),
            patience: .milliseconds(50))
        let gone = ScriptedTransport { _, _ in throw TransportFailure(.unreachable, "down") }
        let error = await #expect(throws: ClientError.self) {
            try await Self.drain(Self.client(gone).send(Self.draft, policy: policy))
        }
        #expect(error?.code == .unreachable)
        let left = ScriptedTransport { _, number in
            guard number == 1 else { throw TransportFailure(.unreachable, "down") }
            return .stream(ScriptedBody([wire(Array(Self.log[..<2]))], then: .success(())))
        }
        let follower = Self.client(left).send(Self.draft, policy: policy)
        let started = ContinuousClock.now
        await #expect(throws: ClientError.self) { try await Self.drain(follower) }
        #expect(ContinuousClock.now - started > .milliseconds(40))
        #expect(follower.answer.seq == 2)
    }

    @Test func `a cancelled follower lets go of its line and says so`() async throws {
        let body = ScriptedBody([wire(Array(Self.log[..<2]))])
        let transport = ScriptedTransport { _, _ in .stream(body) }
        let client = Self.client(transport)
        let task = Task { try await Self.drain(client.send(Self.draft)).events }
        try await eventually("the wait for more") { body.isAwaited }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(body.isCancelled)
    }

    @Test func `a follower that is dropped closes its line`() async throws {
        let body = ScriptedBody([wire(Array(Self.log[..<2]))])
        let transport = ScriptedTransport { _, _ in .stream(body) }
        do {
            let follower = Self.client(transport).send(Self.draft)
            _ = try await follower.next()
            _ = try await follower.next()
            #expect(!body.isCancelled)
        }
        try await eventually("the line to close") { body.isCancelled }
    }
}
