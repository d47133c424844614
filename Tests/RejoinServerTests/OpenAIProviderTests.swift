import HTTPClient
import RejoinCore
import RejoinServer
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct OpenAIProviderTests {
    let upstream: ScriptedUpstream
    let client = HTTPClient()
    let clock = RecordingClock()

    init() throws { upstream = try ScriptedUpstream() }

    // MARK: Fixtures

    /// A clock whose sleeps are over at once and are written down; or never over.
    final class RecordingClock: Clock, Sendable {
        typealias Instant = ContinuousClock.Instant
        private let record = Mutex<[Duration]>([])
        private let blocks: Bool

        init(blocks: Bool = false) { self.blocks = blocks }

        var now: Instant { .now }
        var minimumResolution: Duration { .nanoseconds(1) }
        var sleeps: [Duration] { record.withLock { $0 } }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            record.withLock { $0.append(Instant.now.duration(to: deadline)) }
            if blocks { try await Task.sleep(for: .seconds(60)) }
        }
    }

    /// What a provider handed over.
    final class Log: Sendable {
        private let pieces = Mutex<[ModelPiece]>([])

        func add(_ piece: ModelPiece) { pieces.withLock { $0.append(piece) } }

        var all: [ModelPiece] { pieces.withLock { $0 } }
        var text: String {
            all.reduce(into: "") { text, piece in if case .text(let piece) = piece { text += piece } }
        }
        var usage: [Event.Usage] {
            all.compactMap { piece in if case .usage(let usage) = piece { usage } else { nil } }
        }
    }

    private static let wall = Timestamp(milliseconds: 1_000_000_000_000)

    private func provider(
        _ model: String = "scripted", key: @escaping @Sendable () -> String? = { "secret" },
        clock: (any Clock<Duration>)? = nil, limits: OpenAIProvider.Limits = .init()
    ) -> OpenAIProvider {
        OpenAIProvider(
            name: "test", baseURL: upstream.baseURL, model: model, apiKey: key, client: client,
            clock: clock ?? self.clock, wall: { Self.wall }, random: { 0x0123_4567_89AB_CDEF }, limits: limits)
    }

    private let prompt = ModelRequest(messages: [.init(.system, "Be brief."), .init(.user, "Hello?")])

    private func run(_ provider: OpenAIProvider, _ log: Log = Log()) async -> (end: ModelEnd, log: Log) {
        let end = await provider.generate(prompt) { log.add($0) }
        return (end, log)
    }

    // MARK: Answers

    @Test func `relays an answer and what the server counted`() async {
        let (end, log) = await run(provider())
        #expect(end == .finished(.complete))
        #expect(log.text == "This is a scripted answer.")
        #expect(log.usage == [.init(inputTokens: 7, outputTokens: 5, isEstimated: false)])
        #expect(upstream.started == 1)
    }

    @Test func `sends the messages, the options, the key and an idempotency key`() async throws {
        var request = prompt
        request.maximumOutputTokens = 50
        request.temperature = 0.5
        request.topP = 0.9
        request.seed = 3
        request.stop = ["END"]
        request.schema = Array(#"{"type":"object"}"#.utf8)
        _ = await provider("echo-path").generate(request) { _ in }
        let sent = try #require(upstream.requests.first)
        #expect(sent.target == "/v1/chat/completions")
        #expect(sent.field("authorization") == "Bearer secret")
        #expect(sent.field("idempotency-key")?.count == 36)
        let body = try #require(sent.json?.object)
        #expect(body["stream"] == .bool(true))
        #expect(body["stream_options"]?.object?["include_usage"] == .bool(true))
        #expect(body["max_tokens"] == .integer(50))
        #expect(body["temperature"] == .number(0.5))
        #expect(body["top_p"] == .number(0.9))
        #expect(body["seed"] == .integer(3))
        #expect(body["stop"] == .array([.string("END")]))
        let format = body["response_format"]?.object
        #expect(format?["json_schema"]?.object?["schema"]?.object?["type"] == .string("object"))
        let log = Log()
        _ = await provider("echo-path").generate(prompt) { log.add($0) }
        #expect(log.text == #"[{"role":"system","content":"Be brief."},{"role":"user","content":"Hello?"}]"#)
    }

    @Test func `tells reasoning from text`() async {
        let (end, log) = await run(provider("reasoning-2"))
        #expect(end == .finished(.complete))
        #expect(log.text == "So: yes.")
        #expect(log.all.contains { if case .reasoning = $0 { true } else { false } })
    }

    @Test("S08 a stream that comes byte by byte over a socket is the same answer")
    func takesDribble() async {
        let whole = ["Grüße ", "世界", " 👩‍👩‍👧", " \"end\"\n"].map(Script.Step.text) + [.finish("stop"), .done]
        var bytes: [UInt8] = []
        for case .bytes(let piece) in whole { bytes += piece }
        upstream.playNext(Script([.dribble(bytes, size: 1), .end]), Script([.dribble(bytes, size: 3), .close]))
        for _ in 0..<2 {
            let (end, log) = await run(provider())
            #expect(end == .finished(.complete))
            #expect(log.text == "Grüße 世界 👩‍👩‍👧 \"end\"\n")
        }
    }

    // MARK: Ends

    @Test("S07 a clean end or a cut without the marker is interrupted, with the text kept and an estimate")
    func interrupts() async {
        for (model, framing) in [("close-10", Script.Framing.chunked), ("cut-10", .chunked), ("", .untilClose)] {
            if model.isEmpty {
                upstream.playNext(Script((0..<10).map { .text("tok\($0) ") } + [.end], framing: framing))
            }
            let (end, log) = await run(provider(model))
            #expect(end == .interrupted(.upstreamClosed))
            // A reset may overtake bytes that were on their way.
            if model != "cut-10" { #expect(log.text == (0..<10).map { "tok\($0) " }.joined()) }
            #expect(log.usage.count == 1)
            #expect(log.usage.first?.isEstimated == true)
        }
        #expect(upstream.started == 3)
    }

    @Test("S07 a cut after the finish reason is done")
    func completesBeforeCut() async {
        upstream.playNext(
            Script([.text("all"), .finish("stop"), .wait(milliseconds: 50), .cut]),
            Script([.text("all"), .finish("length"), .wait(milliseconds: 50), .close]))
        #expect(await run(provider()).end == .finished(.complete))
        let (end, log) = await run(provider())
        #expect(end == .finished(.length))
        #expect(log.text == "all")
    }

    @Test("S07 an error inside the stream keeps the text and says nothing of the server's words")
    func keepsTextBeforeError() async {
        let (end, log) = await run(provider("error-after-5"))
        #expect(end == .failed(.upstreamFailed))
        #expect(log.text == "tok0 tok1 tok2 tok3 tok4 ")
        #expect(!"\(log.all)\(end)".contains("canary"))
        #expect(upstream.started == 1)
    }

    @Test("S07 a document with status 200, an empty stream, a filter and a limit have ends of their own")
    func endsApart() async {
        #expect(await run(provider("empty")).end == .failed(.emptyAnswer))
        #expect(await run(provider("filter-3")).end == .refused(.contentFilter))
        #expect(await run(provider("length-3")).end == .finished(.length))
        upstream.playNext(Script(status: 200, json: #"{"error":{"message":"canary"}}"#))
        #expect(await run(provider()).end == .failed(.upstreamFailed))
    }

    // MARK: Refusals and retries

    @Test("R39 a client error is asked once", arguments: [400, 403, 404, 409, 422])
    func asksOnce(status: Int) async {
        #expect(await run(provider("error-\(status)")).end == .failed(.upstreamRejected))
        #expect(upstream.started == 1)
        #expect(clock.sleeps.isEmpty)
    }

    @Test func `a context that is too large is told from other refusals`() async {
        for body in [
            #"{"error":{"code":"context_length_exceeded","message":"x"}}"#,
            #"{"error":{"code":400,"type":"exceed_context_size_error","message":"x"}}"#,
            #"{"error":{"message":"This model's maximum context length is 8192 tokens"}}"#,
            #"{"object":"error","message":"Prompt is too long","code":400}"#,
        ] {
            upstream.playNext(Script(status: 400, json: body))
            let (end, log) = await run(provider())
            #expect(end == .refused(.contextTooLarge), "\(body)")
            #expect(log.all.isEmpty)
        }
        upstream.playNext(Script(status: 400, json: #"{"error":{"code":"content_filter"}}"#))
        #expect(await run(provider()).end == .refused(.contentFilter))
    }

    @Test("R39 an unauthenticated reply causes one refresh of the key and one more request")
    func refreshesKeyOnce() async {
        let reads = Mutex(0)
        let provider = provider(
            "error-401",
            key: {
                reads.withLock {
                    $0 += 1; return "key\($0)"
                }
            })
        #expect(await run(provider).end == .failed(.upstreamUnauthorized))
        #expect(upstream.requests.map { $0.field("authorization") } == ["Bearer key1", "Bearer key2"])
        #expect(reads.withLock { $0 } == 2)
        upstream.reset()
        upstream.playNext(Script(status: 401, json: "{}"))
        let (end, log) = await run(self.provider())
        #expect(end == .finished(.complete))
        #expect(log.text == "This is a scripted answer.")
    }

    @Test("R39 ten concurrent unauthenticated replies cause one refresh")
    func refreshesKeyOnceForAll() async {
        let reads = Mutex(0)
        let key: @Sendable () -> String? = {
            reads.withLock {
                $0 += 1; return "key\($0)"
            }
        }
        // Refused together: none of the ten hears of it before all have asked.
        let refused = Script(
            [
                .hold("all"),
                .send("HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"), .close,
            ], framing: .raw)
        upstream.playNext(refused, refused, refused, refused, refused, refused, refused, refused, refused, refused)
        let provider = provider(key: key)
        let prompt = prompt
        let runs = Task {
            await withTaskGroup(of: ModelEnd.self) { group in
                for _ in 0..<10 { group.addTask { await provider.generate(prompt) { _ in } } }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(await upstream.wait { $0.started == 10 })
        for _ in 0..<10 { upstream.release("all") }
        #expect(await runs.value == [ModelEnd](repeating: .finished(.complete), count: 10))
        #expect(reads.withLock { $0 } == 2)
        #expect(upstream.requests.suffix(10).allSatisfy { $0.field("authorization") == "Bearer key2" })
    }

    @Test("R39 what may pass is tried again, with one key and growing pauses", arguments: [408, 429, 500, 503])
    func retries(status: Int) async {
        let (end, log) = await run(provider("flaky-2-\(status)"))
        #expect(end == .finished(.complete))
        #expect(log.text == "This is a scripted answer.")
        #expect(upstream.started == 3)
        #expect(Set(upstream.requests.map { $0.field("idempotency-key") }).count == 1)
        #expect(clock.sleeps.count == 2)
        #expect(clock.sleeps[0] > .milliseconds(370) && clock.sleeps[0] <= .milliseconds(500))
        #expect(clock.sleeps[1] > .milliseconds(740) && clock.sleeps[1] <= .seconds(1))
    }

    @Test("R39 attempts are bounded, and each kind of failure keeps its name")
    func boundsAttempts() async throws {
        #expect(await run(provider("error-500")).end == .failed(.upstreamFailed))
        #expect(upstream.started == 3)
        #expect(await run(provider("error-408")).end == .interrupted(.upstreamTimeout))
        #expect(await run(provider("error-429")).end == .refused(.upstreamLimit))
        #expect(upstream.started == 9)
        let port = upstream.port
        upstream.stop()
        let gone = OpenAIProvider(
            name: "gone", baseURL: "http://127.0.0.1:\(port)/v1", model: "m", apiKey: { nil }, client: client,
            clock: clock, wall: { Self.wall }, random: { 0 })
        try await Task.sleep(for: .milliseconds(50))
        #expect(await run(gone).end == .interrupted(.upstreamUnreachable))
        #expect(clock.sleeps.count == 8)
    }

    @Test("R39 a new answer gets a new idempotency key")
    func changesIdempotencyKey() async {
        let numbers = Mutex<UInt64>(1)
        let provider = OpenAIProvider(
            name: "test", baseURL: upstream.baseURL + "/", model: "m", apiKey: { nil }, client: client, clock: clock,
            wall: { Self.wall },
            random: {
                numbers.withLock {
                    $0 += 1; return $0
                }
            })
        _ = await run(provider)
        _ = await run(provider)
        #expect(Set(upstream.requests.map { $0.field("idempotency-key") }).count == 2)
        #expect(
            upstream.requests.allSatisfy { $0.target == "/v1/chat/completions" && $0.field("authorization") == nil })
    }

    @Test func `nothing is asked again after the first piece`() async {
        for end in [Script.Step.cut, .close, .event(#"{"error":{"code":503}}"#)] {
            upstream.reset()
            upstream.playNext(Script([.text("one"), .wait(milliseconds: 20), end, .end]))
            let (_, log) = await run(provider())
            #expect(log.text == "one")
            #expect(upstream.started == 1)
        }
        #expect(clock.sleeps.isEmpty)
    }

    @Test("S16 Retry-After is respected while it is short, in each of its forms")
    func respectsRetryAfter() async {
        let forms: [([(name: String, value: String)], Duration)] = [
            ([("Retry-After", "3")], .seconds(3)),
            ([("Retry-After", "0.25")], .milliseconds(250)),
            ([("retry-after-ms", "1500"), ("Retry-After", "9")], .milliseconds(1500)),
            // The wall clock stands at 2001-09-09T01:46:40Z.
            ([("Retry-After", "Sun, 09 Sep 2001 01:46:47 GMT")], .seconds(7)),
            ([("Retry-After", "Sun, 09 Sep 2001 01:46:00 GMT")], .zero),
            ([("x-ratelimit-remaining-tokens", "0"), ("x-ratelimit-reset-tokens", "1.5s")], .milliseconds(1500)),
        ]
        for (fields, wait) in forms {
            let clock = RecordingClock()
            upstream.playNext(Script(status: 429, json: "{}", fields: fields))
            #expect(await run(provider(clock: clock)).end == .finished(.complete))
            let slept = clock.sleeps.first ?? .seconds(-1)
            #expect(slept > wait - .milliseconds(100) && slept <= wait, "\(fields)")
        }
    }

    @Test("S16 a long Retry-After and a spent quota are refusals with a time, asked once")
    func refusesLongWait() async {
        upstream.playNext(Script(status: 429, json: "{}", fields: [("Retry-After", "3600")]))
        #expect(
            await run(provider()).end
                == .refused(
                    .upstreamLimit, resetsAt: Self.wall.advanced(byMilliseconds: 3_600_000), retryAfter: 3600))
        upstream.playNext(
            Script(
                status: 429, json: #"{"error":{"type":"insufficient_quota","message":"canary try again in 2h"}}"#))
        #expect(
            await run(provider()).end
                == .refused(
                    .upstreamLimit, resetsAt: Self.wall.advanced(byMilliseconds: 7_200_000), retryAfter: 7200))
        upstream.playNext(Script(status: 503, json: "{}", fields: [("Retry-After", "120")]))
        #expect(await run(provider()).end == .failed(.upstreamFailed, retryAfter: 120))
        upstream.playNext(Script(status: 500, json: "{}", fields: [("x-should-retry", "false")]))
        #expect(await run(provider()).end == .failed(.upstreamFailed))
        #expect(upstream.started == 4)
        #expect(clock.sleeps.isEmpty)
    }

    @Test("S16 a limit that does not pass is a refusal with the last time told")
    func refusesWithTime() async {
        let end = await run(provider("error-429-5")).end
        #expect(
            end == .refused(.upstreamLimit, resetsAt: Self.wall.advanced(byMilliseconds: 5000), retryAfter: 5))
        #expect(upstream.started == 3)
    }

    // MARK: Silence and stopping

    @Test func `silence beyond the limits is an upstream's timeout, and comments are no silence`() async {
        var limits = OpenAIProvider.Limits()
        limits.firstPiece = .milliseconds(100)
        limits.idle = .milliseconds(100)
        upstream.playNext(Script([.hold("never")]))
        #expect(await run(provider(limits: limits)).end == .interrupted(.upstreamTimeout))
        upstream.playNext(Script([.text("a"), .hold("never")]))
        let (end, log) = await run(provider(limits: limits))
        #expect(end == .interrupted(.upstreamTimeout))
        #expect(log.text == "a")
        let alive = (0..<6).flatMap { _ in [Script.Step.send(": still here\n\n"), .wait(milliseconds: 50)] }
        upstream.playNext(Script(alive + [.text("b"), .finish("stop"), .done, .end]))
        #expect(await run(provider(limits: limits)).end == .finished(.complete))
    }

    @Test("S05 a cancelled run closes the upstream at once and settles an estimate")
    func stops() async throws {
        let log = Log()
        let provider = provider("hold-4")
        let prompt = prompt
        let task = Task { await provider.generate(prompt) { log.add($0) } }
        #expect(await upstream.wait { _ in log.text == "tok0 tok1 tok2 tok3 " })
        let start = ContinuousClock.now
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(start.duration(to: .now) < .milliseconds(200))
        #expect(await upstream.wait { $0.aborted == 1 })
        let seen = try #require(upstream.requests.first?.abortedAt)
        #expect(start.duration(to: seen) < .milliseconds(200))
        #expect(log.usage == [.init(inputTokens: 4, outputTokens: 5, isEstimated: true)])
    }

    @Test("S05 a run cancelled while it waits for another try asks no more")
    func stopsBetweenTries() async {
        let clock = RecordingClock(blocks: true)
        let provider = provider("error-500", clock: clock)
        let prompt = prompt
        let task = Task { await provider.generate(prompt) { _ in } }
        #expect(await upstream.wait { _ in clock.sleeps.count == 1 })
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(upstream.started == 1)
    }

    @Test func `an upstream that lingers after the end does not hold the answer`() async {
        upstream.playNext(Script([.text("a"), .finish("stop"), .done, .hold("never")]))
        let start = ContinuousClock.now
        #expect(await run(provider()).end == .finished(.complete))
        #expect(start.duration(to: .now) < .seconds(2))
        #expect(await upstream.wait { $0.aborted == 1 })
    }

    // MARK: Fitting

    @Test func `says what fits, what must be dropped and what is too large`() async {
        var limits = OpenAIProvider.Limits()
        func fit(_ tokens: Int?, _ messages: [ModelMessage]) async -> ContextFit {
            limits.contextTokens = tokens
            return await provider(limits: limits).fit(.init(messages: messages, maximumOutputTokens: 100))
        }
        let long = String(repeating: "x", count: 350)
        let turns = (0..<4).flatMap { _ in [ModelMessage(.user, long), ModelMessage(.assistant, long)] }
        let path = [ModelMessage(.system, "s")] + turns + [ModelMessage(.user, "last")]
        #expect(await fit(nil, path) == .fits)
        #expect(await fit(2000, path) == .fits)
        #expect(await fit(800, path) == .cut(droppedTurns: 1))
        #expect(await fit(150, path) == .cut(droppedTurns: 4))
        #expect(await fit(105, path) == .tooLarge)
        #expect(await fit(150, [ModelMessage(.user, long)]) == .tooLarge)
        #expect(await fit(0, []) == .tooLarge)
    }

    @Test func `is not available at an address that is none`() {
        let provider = OpenAIProvider(
            name: "x", baseURL: "model.example", model: "m", apiKey: { nil }, client: client, clock: clock,
            wall: { Self.wall }, random: { 0 })
        #expect(provider.availability != .ready)
        #expect(self.provider().availability == .ready)
    }
}
