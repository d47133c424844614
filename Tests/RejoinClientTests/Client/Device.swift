import RejoinCore
import RejoinTestKit
import SeededRandom
import Synchronization
import Testing

@testable import RejoinClient

/// The network of one device, which does what a test says.
final class DeviceLink: Transport {
    struct Faults {
        /// No connection comes about.
        var isDown = false
        /// Nothing comes or goes any more, as in a process that was killed.
        var isDead = false
        /// How many of the next replies are lost after the server did what was asked.
        var repliesToLose = 0
        /// One in so many operations goes wrong; 0 for none.
        var oneIn = 0
        var generator = SeededGenerator(seed: 1)
        /// Called before each operation, with its number.
        var onOperation: (@Sendable (Int) async -> Void)?
        var operations = 0
        /// Lines older than this are broken.
        var epoch = 0
    }

    private let server: AccountServer
    private let state = Mutex(Faults())
    /// Called when lines break.
    let bell = WakeUp()

    init(_ server: AccountServer) { self.server = server }

    var operations: Int { state.withLock { $0.operations } }

    func set(_ body: (inout Faults) -> Void) {
        state.withLock { body(&$0) }
        bell.call()
    }

    /// Breaks every open line.
    func breakLines() { set { $0.epoch += 1 } }

    /// Takes the network away, or gives it back.
    func setDown(_ isDown: Bool) {
        set {
            $0.isDown = isDown
            if isDown { $0.epoch += 1 }
        }
    }

    fileprivate enum Weather { case fine, down, lost, dead }

    /// What befalls one operation.
    fileprivate func weather(ofRequest: Bool) async -> Weather {
        let (number, hook) = state.withLock { state in
            state.operations += 1
            return (state.operations, state.onOperation)
        }
        await hook?(number)
        return state.withLock { state in
            if state.isDead { return .dead }
            if state.isDown { return .down }
            if ofRequest, state.repliesToLose > 0 {
                state.repliesToLose -= 1
                return .lost
            }
            guard state.oneIn > 0, Int.random(in: 0..<state.oneIn, using: &state.generator) == 0 else { return .fine }
            return Bool.random(using: &state.generator) ? .lost : .down
        }
    }

    fileprivate var epoch: Int { state.withLock { $0.epoch } }

    /// What a dead process feels: nothing, until it is put away.
    fileprivate func linger() async throws -> Never {
        while true {
            let seen = bell.count
            try await bell.wait(beyond: seen, clock: ContinuousClock())
        }
    }

    func send(_ request: TransportRequest) async throws -> TransportReply {
        let weather = await weather(ofRequest: true)
        switch weather {
        case .dead: try await linger()
        case .down: throw TransportFailure(.unreachable, "down")
        case .fine, .lost: break
        }
        let epoch = epoch
        let reply = try await server.handle(request)
        if weather == .lost {
            reply.body.cancel()
            throw TransportFailure(.dropped, "the reply was lost")
        }
        return TransportReply(status: reply.status, body: LinkBody(reply.body, self, epoch)) { reply.field($0) }
    }
}

private final class LinkBody: TransportBody {
    private let body: any TransportBody
    private let link: DeviceLink
    private let epoch: Int

    init(_ body: any TransportBody, _ link: DeviceLink, _ epoch: Int) {
        self.body = body
        self.link = link
        self.epoch = epoch
    }

    func next() async throws -> ArraySlice<UInt8>? {
        let body = body
        let (link, epoch) = (link, epoch)
        let piece = try await withThrowingTaskGroup(of: ArraySlice<UInt8>??.self) { group in
            group.addTask { .some(try await body.next()) }
            group.addTask {
                while true {
                    let seen = link.bell.count
                    if link.epoch != epoch { return nil }
                    try await link.bell.wait(beyond: seen, clock: ContinuousClock())
                }
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        switch await link.weather(ofRequest: false) {
        case .dead: try await link.linger()
        case .down, .lost: throw TransportFailure(.dropped, "the line broke")
        case .fine: break
        }
        guard let piece else { throw TransportFailure(.dropped, "the line broke") }
        return piece
    }

    func cancel() { body.cancel() }
}

/// One device of a person: a client over a store, on a network of its own.
final class Device: Sendable {
    let link: DeviceLink
    let store: LocalStore
    let chat: ConversationClient
    let reachability = ManualReachability()
    private let task: Mutex<Task<Void, Never>?> = Mutex(nil)

    static let account: AccountID = ID(high: 9, low: 9)

    /// Time and ids of a device in a test.
    static func ids(_ clock: ManualClock, seed: UInt64) -> IDSource {
        let generator = Mutex(SeededGenerator(seed: seed))
        return IDSource(now: { clock.wall }, random: { generator.withLock { $0.next() } })
    }

    /// - Parameter folder: where the store's file is; nil for one in memory.
    init(
        _ server: AccountServer, clock: ManualClock, seed: UInt64 = 1, folder: String? = nil,
        configure: (inout ConversationClient.Configuration) -> Void = { _ in }
    ) async throws {
        link = DeviceLink(server)
        let client = RejoinClient(
            address: "http://fake", token: "t\(seed)", transport: link, clock: clock,
            ids: Self.ids(clock, seed: seed))
        var configuration = ConversationClient.Configuration()
        configuration.retry = RetryPolicy(
            firstDelay: .milliseconds(200), maximumDelay: .seconds(2), silenceLimit: .seconds(1_000_000))
        configure(&configuration)
        let location = folder.map { ConversationClient.Location(folder: $0, account: Self.account) }
        if let location {
            store = try await LocalStore.open(folder: location.folder, account: location.account)
        } else {
            store = .temporary()
        }
        chat = ConversationClient(
            client: client, store: store, reachability: reachability, configuration: configuration,
            location: location)
    }

    /// - Parameter executor: what runs the client; nil for the usual threads.
    func start(on executor: (any TaskExecutor)? = nil) {
        let chat = chat
        task.withLock { $0 = Task(executorPreference: executor) { await chat.run() } }
    }

    /// Lets the client finish in order.
    func close() async {
        await stop()
        await store.close()
    }

    /// Ends run() and leaves the store open.
    func stop() async {
        let task = task.withLock { $0.take() }
        task?.cancel()
        await task?.value
    }

    /// Ends the process as a kill does: nothing is written any more from this moment on.
    func kill() async {
        link.set { $0.isDead = true }
        await store.close()
        await stop()
    }

    /// What a person sees of a conversation: each prompt and the text of its answer.
    func shown(_ conversation: ConversationID) async throws -> [String] {
        guard let tree = try await chat.tree(conversation) else { return [] }
        return tree.path.flatMap { step -> [String] in
            let prompt = tree.tree[step.turn].map { ContentPart.text(of: $0.content) } ?? "?"
            return [prompt, step.answer.flatMap { tree.answers[$0]?.answer.text } ?? "?"]
        }
    }

    func answer(_ id: AnswerID) async throws -> StoredAnswer? { try await store.answer(id) }
}

extension ManualClock {
    /// Lets time pass, in steps of so much, for as long as a body runs.
    func running<Result: Sendable>(
        by step: Duration = .milliseconds(50), _ body: () async throws -> Result
    ) async throws -> Result {
        let pump = Task.detached {
            while !Task.isCancelled {
                self.advance(by: step)
                try? await Task.sleep(for: .microseconds(200))
            }
        }
        defer { pump.cancel() }
        return try await body()
    }
}
