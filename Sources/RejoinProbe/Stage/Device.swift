import RejoinClient
import RejoinCore
import Synchronization

/// Somebody with an account.
struct Person: Sendable {
    let token: String
    /// What this person's store is called on a device.
    let account: AccountID
}

/// One device of a person: the real client over a store of its own, on a network of its own, and a screen.
final class Device: Sendable {
    /// What was asked of an app that is not open.
    struct NotOpen: Error, CustomStringConvertible {
        let description = "the app is not open"
    }

    /// A look at the screen that was waited for.
    struct Sighting: Sendable {
        let screen: Screen
        /// Whether it came to be what was waited for.
        let came: Bool
        let after: Duration
    }

    private struct State {
        var client: ConversationClient?
        var task: Task<Void, Never>?
    }

    let network: Network
    /// What the system tells the app about the network.
    let reachability = ManualReachability()
    private let location: ConversationClient.Location?
    private let person: Person
    private let transport: any Transport
    private let configuration: ConversationClient.Configuration
    private let state = Mutex(State())

    /// Puts a device down; the app is not open yet.
    ///
    /// - Parameter location: where the store is; nil for a client that keeps nothing.
    init(
        _ person: Person, network: Network, transport: any Transport, location: ConversationClient.Location?,
        configuration: ConversationClient.Configuration
    ) {
        self.person = person
        self.network = network
        self.transport = transport
        self.location = location
        self.configuration = configuration
    }

    /// The open app.
    var app: ConversationClient {
        get throws { if let client = state.withLock({ $0.client }) { client } else { throw NotOpen() } }
    }

    /// Opens the app, as a person does.
    func start() async throws {
        let client = RejoinClient(address: network.address, token: person.token, transport: transport)
        let app: ConversationClient
        if let location {
            app = try await ConversationClient.open(
                location, client: client, reachability: reachability, configuration: configuration)
        } else {
            app = ConversationClient(
                client: client, store: .temporary(), reachability: reachability, configuration: configuration)
        }
        let task = Task { await app.run() }
        state.withLock { $0 = State(client: app, task: task) }
    }

    /// Ends the app between two moments: what is not in its store by now is lost to it.
    func kill() async {
        let open = state.withLock { state in
            defer { state = State() }
            return state
        }
        // The store goes first, so that nothing of an orderly end reaches it.
        await open.client?.store.close()
        open.task?.cancel()
        await open.task?.value
    }

    /// Ends the app and the network.
    func close() async {
        await kill()
        network.close()
    }

    /// What the person sees now.
    ///
    /// - Parameter conversation: the one that is open; nil for the list alone.
    func look(at conversation: ConversationID? = nil) async -> Screen {
        guard let app = try? app else { return Screen(connection: "closed") }
        var screen = Screen(connection: app.connection.words)
        let list = (try? await app.list(limit: 200)) ?? []
        screen.list = list.map { Screen.Line(id: $0.id, title: $0.title.text) }
        if let conversation, let tree = try? await app.tree(conversation) {
            screen.entries = tree.path.map { Screen.Entry($0, in: tree) }
        }
        return screen
    }

    /// Lets the time pass that a person takes from seeing something to a finger on the button.
    func reach() async throws { try await ContinuousClock().sleep(for: .milliseconds(250)) }

    /// Watches the screen until it shows something, for a bounded time.
    func watch(
        _ conversation: ConversationID? = nil, atMost limit: Duration = .seconds(10),
        until holds: (Screen) -> Bool
    ) async -> Sighting {
        let start = ContinuousClock.now
        while true {
            let screen = await look(at: conversation)
            let after = start.duration(to: .now)
            if holds(screen) { return Sighting(screen: screen, came: true, after: after) }
            if after >= limit || Task.isCancelled { return Sighting(screen: screen, came: false, after: after) }
            // A person looks; nobody tells.
            try? await ContinuousClock().sleep(for: .milliseconds(10))
        }
    }
}
