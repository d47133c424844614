import RejoinAssist
import RejoinCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct ChunkedRunTests {
    private static let record = CapabilityRecord(capabilities: .text)

    @Test("R34 a batch of chunks tells its progress and keeps what came back", arguments: [true, false])
    func chunks(isLocal: Bool) async throws {
        let seen = Mutex<[Int]>([])
        let draft: [String]
        if isLocal {
            let engine = ScriptedEngine(availability: .ready(Self.record)) { task in
                task.prompt == "b" ? [.fail(.timeout)] : [.say(task.prompt)]
            }
            draft = try await LocalService(engine: engine).draft(batch: Letters.self, for: "abc") { progress in
                seen.withLock { $0.append(progress.done) }
            }
        } else {
            let transport = CountingTransport { request, _ in
                let body = String(decoding: request.body, as: UTF8.self)
                return .success(
                    body == #""b""# ? .problem(400, "invalid-request") : .output(String(body.dropFirst().dropLast())))
            }
            let executor = CloudExecutor(
                .example(CountingCredentials()), transport: transport,
                consent: ConsentGate(MemoryConsentLedger.ofEverything), attempts: MemoryAttemptStore(),
                surroundings: .none)
            draft = try await executor.draft(batch: Letters.self, for: "abc", attempt: AttemptID("x")) { progress in
                seen.withLock { $0.append(progress.done) }
            }
            #expect(Set(transport.requests.map(\.url)).count == 3)
        }
        #expect(draft == ["a", "-", "c"])
        #expect(seen.withLock { $0 } == [1, 2, 3])
    }

    @Test func `a batch of which nothing came back is a failure`() async {
        let engine = ScriptedEngine(availability: .ready(Self.record)) { _ in [.fail(.timeout)] }
        await #expect(throws: AssistantFailure.timeout) {
            try await LocalService(engine: engine).draft(batch: Letters.self, for: "abc")
        }
    }
}

extension CloudExecutor.Surroundings {
    /// Time that stands and chance that is none.
    static var none: Self {
        let last = Mutex<UInt64>(0)
        return Self(
            now: { Timestamp(milliseconds: 0) }, sleep: { _ in },
            random: {
                last.withLock { last in
                    last += 1
                    return last
                }
            })
    }
}

/// A batch of letters, each a chunk of its own.
private enum Letters: BatchOperation {
    static let profile = OperationProfile(
        id: "letters", budget: TokenBudget(input: 1, output: 1), dataClass: .minimised)
    static let kind = ResponseKind.actionable
    static let pipeline = ValidationPipeline<String, [String], [String]> { draft, _, _ throws(ValidationFailure) in
        draft
    }

    static func task(for input: String) -> ModelTask {
        ModelTask(instructions: "", prompt: input, maximumTokens: 1)
    }
    static func draft(from text: String, for input: String) throws(ValidationFailure) -> [String] { [text] }
    static func request(for input: String) -> JSONValue { .string(input) }
    static func chunks(of input: String) -> [String] { input.map(String.init) }
    static func merged(
        _ outcomes: [Result<[String], AssistantFailure>], of chunks: [String], for input: String
    ) throws(AssistantFailure) -> [String] {
        if case .failure(let failure)? = outcomes.first, outcomes.allSatisfy({ (try? $0.get()) == nil }) {
            throw failure
        }
        return outcomes.flatMap { (try? $0.get()) ?? ["-"] }
    }
}
