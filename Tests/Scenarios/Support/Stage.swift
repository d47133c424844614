import RejoinAssist
import RejoinCore
import Synchronization

/// A device, a server and a person, as a scenario needs them; everything that would leave the device is counted.
struct Stage: Sendable {
    static let server = Recipient.firstParty("Rejoin")

    let engine: ScriptedEngine
    let line: CountedLine
    let consents = MemoryConsentLedger()
    let telemetry = MemoryTelemetrySink()
    let world = Locked(World())
    let assistant: Assistant

    /// What can change while a scenario plays.
    struct World: Sendable {
        var mode = ExecutionMode.automatic
        var cloud = CloudAvailability.ready(CapabilityRecord(capabilities: [.text, .structuredOutput]))
        var entitlement = Entitlement.granted
        var cloudProbes = 0
        var entitlementProbes = 0
        /// What the person answers when asked for consent.
        var agrees = false
        var questions: [ConsentQuestion] = []
    }

    /// Sets the stage.
    ///
    /// - Parameters:
    ///   - local: what the device's model says of itself.
    ///   - says: what it says to each task.
    ///   - serverSays: the output of each reply of the server.
    init(
        local: LocalAvailability = .ready(
            CapabilityRecord(capabilities: [.text, .structuredOutput], contextSize: 4096)),
        says: @escaping @Sendable (ModelTask) -> [ScriptedEngine.Step] = { _ in [.fail(.assetsUnavailable)] },
        serverSays: @escaping @Sendable (CloudRequest) -> Result<CloudReply, CloudTransportFailure> = { _ in
            .failure(.unreachable)
        }
    ) {
        engine = ScriptedEngine(availability: local, script: says)
        line = CountedLine(serverSays)
        let (engine, line, consents, world) = (engine, line, consents, world)
        let time = Timestamp(milliseconds: 1_800_000_000_000)
        let random = Locked(UInt64(0))
        @Sendable func next() -> UInt64 {
            random.withLock { value in
                value += 1
                return value
            }
        }
        let executor = CloudExecutor(
            CloudConfiguration(
                server: "https://rejoin.example", recipient: Self.server, disclosureVersion: 1,
                credentials: Signed()),
            transport: line, consent: ConsentGate(consents), attempts: MemoryAttemptStore(),
            surroundings: CloudExecutor.Surroundings(now: { time }, sleep: { _ in }, random: next))
        assistant = Assistant(
            runners: Assistant.Runners(local: LocalService(engine: engine), cloud: executor),
            environment: {
                RouteEnvironment(
                    mode: world.withLock { $0.mode }, rules: { _ in true },
                    local: { await engine.availability },
                    cloud: CloudRoute(recipient: Self.server, disclosureVersion: 1) { _ in
                        world.withLock { world in
                            world.cloudProbes += 1
                            return world.cloud
                        }
                    },
                    entitlement: EntitlementSource(cached: { _ in .granted }) { _ in
                        world.withLock { world in
                            world.entitlementProbes += 1
                            return world.entitlement
                        }
                    }, consent: consents)
            }, telemetry: telemetry,
            surroundings: AssistantSurroundings(now: { time }, elapsed: { .zero }, random: next),
            ask: { question in
                world.withLock { world in
                    world.questions.append(question)
                    return world.agrees
                }
            })
    }

    /// The person lets the server have this kind of data.
    func consent(to data: DataClass) async {
        let request = ConsentRequest(recipient: Self.server, data: data, disclosureVersion: 1)
        await consents.record(ConsentGrant(request, at: Timestamp(milliseconds: 0)))
    }
}

/// State that closures of a scenario share.
final class Locked<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) { state = Mutex(value) }

    func withLock<Result>(_ body: (inout sending Value) -> sending Result) -> sending Result { state.withLock(body) }
}

/// A line to the server that counts everything that goes through it.
final class CountedLine: CloudTransport {
    private let sent = Mutex([CloudRequest]())
    private let answer: @Sendable (CloudRequest) -> Result<CloudReply, CloudTransportFailure>

    init(_ answer: @escaping @Sendable (CloudRequest) -> Result<CloudReply, CloudTransportFailure>) {
        self.answer = answer
    }

    var requests: [CloudRequest] { sent.withLock { $0 } }

    func send(_ request: CloudRequest) async throws(CloudTransportFailure) -> CloudReply {
        sent.withLock { $0.append(request) }
        return try answer(request).get()
    }
}

/// A person who is signed in.
struct Signed: CredentialSource {
    func credential() async -> Credential? { Credential(token: "token") }
    func refresh(_ refused: Credential) async -> Credential? { nil }
}

extension CloudReply {
    /// The server's output for an operation.
    static func output(_ text: String) -> CloudReply {
        var json = JSONWriter()
        json.beginObject()
        json.member("output", text)
        json.endObject()
        return CloudReply(status: 200, body: json.bytes)
    }
}
