import Foundation
import RejoinAssist
import RejoinCore
import SeededRandom
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct CloudExecutorTests {
    private static let attempt = AttemptID("tap 1")

    /// An executor with its transport, whose waits are noted and take no time.
    private struct House {
        let executor: CloudExecutor
        let waits = Mutexed<[Duration]>([])

        init(
            _ transport: CountingTransport, credentials: CountingCredentials = CountingCredentials(),
            attempts: any AttemptStore = MemoryAttemptStore(), attestation: (any Attestation)? = nil,
            policy: AttestationPolicy = .sendWithout, seed: UInt64 = 1,
            consent: any ConsentLedger = MemoryConsentLedger.ofEverything
        ) {
            let waits = waits
            let generator = Mutexed(SeededGenerator(seed: seed))
            executor = CloudExecutor(
                .example(credentials, policy: policy), transport: transport, consent: ConsentGate(consent),
                attempts: attempts, attestation: attestation,
                surroundings: CloudExecutor.Surroundings(
                    now: { Timestamp(milliseconds: 1_800_000_000_000) },
                    sleep: { wait in waits.withLock { $0.append(wait) } },
                    random: { generator.withLock { $0.next() } }))
        }

        func run(_ text: String = "hello", _ attempt: AttemptID = CloudExecutorTests.attempt) async throws
            -> CloudAnswer
        {
            try await executor.run(EchoOperation.self, for: text, attempt: attempt)
        }
    }

    @Test("R35 the request is the operation's own body under the attempt's key, and nothing else")
    func body() async throws {
        let transport = CountingTransport(.output("hi"))
        let answer = try await House(transport).run("héllo \"x\"")
        let request = try #require(transport.requests.first)
        #expect(transport.requests.count == 1)
        #expect(String(decoding: request.body, as: UTF8.self) == #"{"text":"héllo \"x\""}"#)
        #expect(request.method == "PUT")
        let prefix = "https://rejoin.example/v1/assist/echo/"
        #expect(request.url.hasPrefix(prefix))
        #expect(IdempotencyKey(request.url.dropFirst(prefix.count)) != nil)
        #expect(request.fields.map(\.name) == ["Authorization", "Content-Type", "Accept"])
        #expect(request.field("authorization") == "Bearer first")
        #expect(answer.text == "hi")
        #expect(answer.usage == CloudUsage(inputTokens: 3, outputTokens: 4))
        #expect(answer.sends == 1)
    }

    @Test("R38 a request is attested where the device can, and otherwise the policy decides and shows")
    func attestation() async throws {
        func outcome(_ attestation: FixedAttestation?, _ policy: AttestationPolicy) async throws -> String {
            let transport = CountingTransport(.output("hi"))
            let answer = try await House(transport, attestation: attestation, policy: policy).run()
            return "\(answer.attestation) \(transport.requests.first?.field("X-Rejoin-Attestation") ?? "-")"
        }
        #expect(try await outcome(FixedAttestation(isSupported: true, value: "proof"), .refuse) == "attested proof")
        #expect(try await outcome(FixedAttestation(isSupported: false, value: "x"), .sendWithout) == "unsupported -")
        #expect(try await outcome(FixedAttestation(isSupported: true, value: nil), .sendWithout) == "failed -")
        #expect(try await outcome(nil, .sendWithout) == "notConfigured -")
        for attestation in [
            FixedAttestation(isSupported: false, value: "x"), .init(isSupported: true, value: nil), nil,
        ] {
            let transport = CountingTransport(.output("hi"))
            let house = House(transport, attestation: attestation, policy: .refuse)
            await #expect(throws: AssistantFailure.capabilityMissing) { try await house.run() }
            #expect(transport.requests.isEmpty)
        }
    }

    @Test("R39 after an unauthenticated reply the sign-in is refreshed once, and then it stops")
    func refreshOnce() async throws {
        let credentials = CountingCredentials()
        let transport = CountingTransport(.problem(401, "unauthenticated"))
        await #expect(throws: AssistantFailure.signedOut) {
            try await House(transport, credentials: credentials).run()
        }
        #expect(transport.requests.map { $0.field("Authorization") } == ["Bearer first", "Bearer second"])
        #expect(credentials.refreshes == 1)
        #expect(Set(transport.requests.map(\.url)).count == 1)
    }

    @Test("R39 a sign-in that an earlier refresh gave and that is refused since is refreshed once more")
    func refreshAgain() async throws {
        let credentials = CountingCredentials(isForgetful: true)
        let transport = CountingTransport { request, number in
            // The second one counts for the first call alone.
            let counts = number == 2 || request.field("Authorization") == "Bearer third"
            return .success(counts ? .output("ok") : .problem(401, "unauthenticated"))
        }
        let house = House(transport, credentials: credentials)
        _ = try await house.run("x", AttemptID("1"))
        credentials.next = "third"
        _ = try await house.run("x", AttemptID("2"))
        #expect(credentials.refreshes == 2)
        #expect(
            transport.requests.map { $0.field("Authorization") }
                == ["first", "second", "first", "second", "third"].map { "Bearer \($0)" })
    }

    @Test("R39 ten refused at once cause one refresh")
    func singleFlight() async throws {
        let gate = ScriptedGate()
        let credentials = CountingCredentials(gate: gate)
        let transport = CountingTransport { request, _ in
            request.field("Authorization") == "Bearer first"
                ? .success(.problem(401, "unauthenticated")) : .success(.output("ok"))
        }
        let house = House(transport, credentials: credentials)
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<10 { group.addTask { try await house.run("x", AttemptID("\(number)")).text } }
            group.addTask {
                _ = await eventually { transport.requests.count == 10 && gate.waiting == 1 }
                gate.open()
                return "ok"
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 11 && answers.allSatisfy { $0 == "ok" })
        #expect(credentials.refreshes == 1)
        #expect(transport.requests.count == 20)
    }

    @Test(
        "R39 no refusal but 408, 429 and the server's own trouble is sent again",
        arguments: [
            (400, "invalid-request"), (403, "forbidden"), (404, "not-found"), (409, "turn-conflict"), (410, "deleted"),
            (413, "payload-too-large"), (413, "context-too-large"), (415, "unsupported-media"),
            (503, "model-unavailable"), (422, "who-knows"), (500, "who-knows"),
        ])
    func notRepeated(status: Int, code: String) async throws {
        let transport = CountingTransport(.problem(status, code))
        await #expect(throws: AssistantFailure.self) { try await House(transport).run() }
        #expect(transport.requests.count == 1)
    }

    @Test(
        "R39 tries are bounded, wait longer each time, and all have the same key",
        arguments: [
            (408, ""), (429, "queue-full"), (503, "temporarily-unavailable"), (500, "internal-error"), (502, ""),
        ])
    func bounded(status: Int, code: String) async throws {
        let transport = CountingTransport(.problem(status, code))
        let house = House(transport)
        await #expect(throws: AssistantFailure.self) { try await house.run() }
        #expect(transport.requests.count == 4)
        #expect(Set(transport.requests.map(\.url)).count == 1)
        let waits = house.waits.withLock { $0 }
        #expect(waits.count == 3)
        for (index, wait) in waits.enumerated() {
            let longest = Duration.milliseconds(500 << index)
            #expect(wait >= longest / 2 && wait <= longest)
        }
    }

    @Test("R39 the server's Retry-After is waited for in full, or not at all where it is too long")
    func retryAfter() async throws {
        let transport = CountingTransport(.problem(429, "queue-full", retryAfter: "7"), .output("ok"))
        let house = House(transport)
        #expect(try await house.run().text == "ok")
        #expect(house.waits.withLock { $0 } == [.seconds(7)])

        let long = CountingTransport(.problem(429, "limit-reached", retryAfter: "3600"))
        await #expect(throws: AssistantFailure.quotaReached(resets: Timestamp(milliseconds: 1_800_003_600_000))) {
            try await House(long).run()
        }
        #expect(long.requests.count == 1)
    }

    @Test("R39 what was lost on the way is sent again with its key, and no network at all is said at once")
    func lost() async throws {
        let transport = CountingTransport { _, number in number < 3 ? .failure(.dropped) : .success(.output("ok")) }
        #expect(try await House(transport).run().text == "ok")
        #expect(Set(transport.requests.map(\.url)).count == 1)
        let offline = CountingTransport { _, _ in .failure(.offline) }
        await #expect(throws: AssistantFailure.offline) { try await House(offline).run() }
        #expect(offline.requests.count == 1)
    }

    @Test("R40 an attempt has one key until it is settled, also after a restart, and a new attempt another")
    func keys() async throws {
        let path = NSTemporaryDirectory() + "attempts-\(UInt64.random(in: 0 ... .max)).json"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let dropped = CountingTransport { _, _ in .failure(.dropped) }
        let before = House(dropped, attempts: FileAttemptStore(path: path))
        await #expect(throws: AssistantFailure.serviceDown) { try await before.run() }
        // A new process: a new store over the same file, and other random numbers.
        let transport = CountingTransport(.output("ok"))
        let after = House(transport, attempts: FileAttemptStore(path: path), seed: 2)
        _ = try await after.run()
        _ = try await after.run()
        let key = try #require(dropped.requests.first?.url)
        #expect(Set(dropped.requests.map(\.url)) == [key])
        #expect(transport.requests.map(\.url) == [key, key])
        await after.executor.settle(Self.attempt)
        _ = try await after.run()
        _ = try await after.run("hello", AttemptID("tap 2"))
        #expect(Set(transport.requests.map(\.url)).count == 3)
    }

    @Test("R40 a failure that only a new attempt can mend makes the next call one")
    func usedUp() async throws {
        let transport = CountingTransport(.problem(503, "model-unavailable"), .output("ok"))
        let house = House(transport)
        await #expect(throws: AssistantFailure.serviceDown) { try await house.run() }
        #expect(try await house.run().text == "ok")
        #expect(Set(transport.requests.map(\.url)).count == 2)
    }

    @Test(
        "R41 each code has its category, and one that nobody knows the generic one",
        arguments: [
            ("unauthenticated", 401, "signedOut"), ("forbidden", 403, "notEntitled"),
            ("limit-reached", 429, "quotaReached"), ("queue-full", 429, "busy"),
            ("context-too-large", 413, "contextTooLarge"), ("payload-too-large", 413, "contextTooLarge"),
            ("model-unavailable", 503, "serviceDown"), ("temporarily-unavailable", 503, "serviceDown"),
            ("internal-error", 500, "serviceDown"), ("invalid-request", 400, "invalidRequest"),
            ("turn-conflict", 409, "invalidRequest"), ("unsupported-media", 415, "capabilityMissing"),
            ("brand-new-code", 418, "unknown"), ("", 451, "unknown"),
        ])
    func categories(code: String, status: Int, category: String) async throws {
        let transport = CountingTransport(.problem(status, code))
        let house = House(transport, credentials: CountingCredentials(next: nil))
        let failure = await #expect(throws: AssistantFailure.self) { try await house.run() }
        let shown = try #require(failure)
        #expect("\(shown)".hasPrefix(category))
        // Not one word of the reply is in what comes out, however it is printed.
        #expect(!String(reflecting: shown).contains("CANARY"))
    }

    @Test(
        "R41 a body that is not what it should be is a failure to decode",
        arguments: ["", "{}", "[1]", "CANARY {", #"{"output":"CANARY","truncated":true}"#])
    func malformed(body: String) async throws {
        let transport = CountingTransport(CloudReply(status: 200, body: Array(body.utf8)))
        let failure = await #expect(throws: AssistantFailure.decoding) { try await House(transport).run() }
        #expect(!String(reflecting: try #require(failure)).contains("CANARY"))
    }

    @Test("R41 a model that declined at the server is a refusal, by code alone")
    func refused() async throws {
        func failure(_ reason: String) async -> AssistantFailure? {
            let transport = CountingTransport(CloudReply(status: 200, body: Array(#"{"refused":"\#(reason)"}"#.utf8)))
            return await #expect(throws: AssistantFailure.self) { try await House(transport).run() }
        }
        #expect(await failure("content-filter") == .guardrail)
        #expect(await failure("CANARY") == .refused)
    }

    @Test("R25 R26 without a consent that stands at that moment nothing is sent, and a resend neither")
    func consent() async throws {
        let transport = CountingTransport(.output("x"))
        await #expect(throws: AssistantFailure.consentMissing) {
            try await House(transport, consent: MemoryConsentLedger()).run()
        }
        #expect(transport.requests.isEmpty)
        // Taken back while the first try is under way.
        let ledger = MemoryConsentLedger.ofEverything
        let lost = CountingTransport { _, _ in
            await ledger.revoke(CloudConfiguration.exampleRecipient)
            return .failure(.dropped)
        }
        await #expect(throws: AssistantFailure.consentMissing) { try await House(lost, consent: ledger).run() }
        #expect(lost.requests.count == 1)
    }

    @Test func `an output that the operation cannot read uses the attempt up`() async throws {
        let transport = CountingTransport(.output(EchoOperation.undecodable), .output("fine"))
        let house = House(transport)
        await #expect(throws: AssistantFailure.decoding) {
            try await house.executor.draft(EchoOperation.self, for: "x", attempt: Self.attempt)
        }
        let (draft, _) = try await house.executor.draft(EchoOperation.self, for: "x", attempt: Self.attempt)
        #expect(draft == "fine")
        #expect(Set(transport.requests.map(\.url)).count == 2)
    }

    @Test func `nobody signed in means nothing is sent`() async throws {
        let transport = CountingTransport(.output("x"))
        await #expect(throws: AssistantFailure.signedOut) {
            try await House(transport, credentials: CountingCredentials(nil)).run()
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func `a credential shows nothing of itself`() {
        let credential = Credential(token: "CANARY")
        var dumped = ""
        dump(credential, to: &dumped)
        #expect(!"\(credential) \(String(reflecting: credential)) \(dumped)".contains("CANARY"))
    }
}

/// An attestation that says what a test wants.
private struct FixedAttestation: Attestation {
    let isSupported: Bool
    let value: String?

    func assertion(over body: [UInt8]) async -> String? { value }
}

/// A value that several tasks of a test change.
private final class Mutexed<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    func withLock<Result: Sendable>(_ body: (inout sending Value) -> sending Result) -> Result {
        value.withLock(body)
    }
}
