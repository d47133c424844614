import Observation
import RejoinClient
import RejoinCore
import RejoinTestKit
import Testing

/// A front without a display: models over a server in memory, in frames and time that the test moves.
@MainActor final class ModelScreen {
    let server: ScriptedServer
    let network: FaultTransport
    let clock: RejoinTestKit.ManualClock
    let ticker = ManualTicker()
    let reachability = ManualReachability()
    let chat: ConversationClient
    var options = ModelOptions()
    private var tasks: [Task<Void, Never>] = []

    private init(
        pace: ScriptedServer.Pace, script: @escaping @Sendable (String) -> [Event],
        configure: (inout ConversationClient.Configuration) -> Void
    ) {
        let clock = RejoinTestKit.ManualClock()
        self.clock = clock
        server = ScriptedServer(pace: pace, script: script, now: { clock.wall })
        network = FaultTransport(server)
        var configuration = ConversationClient.Configuration()
        configuration.retry = RetryPolicy(
            firstDelay: .milliseconds(200), maximumDelay: .seconds(2), silenceLimit: .seconds(1_000_000))
        configure(&configuration)
        chat = ConversationClient(
            client: server.client(through: network, clock: clock), store: .temporary(), reachability: reachability,
            configuration: configuration)
        options.ticker = ticker
    }

    static func open(
        pace: ScriptedServer.Pace = .whenTold,
        script: @escaping @Sendable (String) -> [Event] = ScriptedServer.echo,
        configure: (inout ConversationClient.Configuration) -> Void = { _ in },
        _ body: @MainActor (ModelScreen) async throws -> Void
    ) async throws {
        let screen = ModelScreen(pace: pace, script: script, configure: configure)
        let chat = screen.chat
        screen.run { await chat.run() }
        do {
            try await body(screen)
        } catch {
            await screen.close()
            throw error
        }
        await screen.close()
        #expect(chat.diagnostics == ConversationClient.Diagnostics(), "nothing of a closed screen goes on")
    }

    private func close() async {
        for task in tasks.reversed() { task.cancel() }
        for task in tasks.reversed() { await task.value }
        await chat.store.close()
    }

    /// Runs a part of the screen until it closes.
    func run(_ body: @escaping @MainActor @Sendable () async -> Void) { tasks.append(Task { await body() }) }

    /// A conversation with its composer, both running.
    func conversation(_ id: ConversationID? = nil) -> (ConversationModel, ComposerModel) {
        let model = ConversationModel(client: chat, conversation: id, options: options)
        let composer = ComposerModel(model)
        run { await model.run() }
        run { await composer.run() }
        return (model, composer)
    }

    /// Lets frames come, and time pass if it is to, until something is on the screen.
    func shows(_ what: String, by step: Duration = .zero, _ condition: () async throws -> Bool) async throws {
        try await RejoinTestKit.eventually(what) {
            if step > .zero { clock.advance(by: step) }
            ticker.tick()
            return try await condition()
        }
    }

    /// Lets frames come until nothing wants one any more.
    func rests(_ model: ConversationModel) async throws {
        var (frames, quiet) = (model.frames, 0)
        try await shows("the screen rests") {
            quiet = frames == model.frames && ticker.waiting == 0 ? quiet + 1 : 0
            frames = model.frames
            return quiet == 100
        }
    }

    /// Sends words, and waits until the server works on them and the screen shows it.
    func ask(_ text: String, _ composer: ComposerModel) async throws -> AnswerModel {
        let count = server.runs.count
        composer.text = text
        await composer.act()
        try await shows("the server works") { server.runs.count == count + 1 }
        let answer = try #require(composer.conversation.exchanges.last?.answer)
        try await shows("it is taken") { answer.phase == .working(.init(.starting)) || answer.answer.seq > 0 }
        return answer
    }
}

/// Counts how often what a body reads is changed.
@MainActor final class ChangeCounter {
    private(set) var count = 0
    private let body: @MainActor () -> Void

    init(_ body: @escaping @MainActor () -> Void) {
        self.body = body
        watch()
    }

    private func watch() {
        withObservationTracking(body) { [weak self] in
            MainActor.assumeIsolated {
                self?.count += 1
                self?.watch()
            }
        }
    }
}
