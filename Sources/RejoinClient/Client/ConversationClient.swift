import RejoinAssist
public import RejoinCore
import Synchronization

/// The client of one account on one device: everything a person does is kept first and delivered afterwards.
///
/// The local store is what a front shows. Network, synchronising and sending only move the store towards the server,
/// so that a kill at any moment loses nothing that was shown. Make one for an account, and let ``run()`` run for as
/// long as the app does.
public final class ConversationClient: Sendable {
    /// The calls to the server.
    public let client: RejoinClient
    /// What this device holds.
    public let store: LocalStore
    public let configuration: Configuration

    let reachability: any Reachability
    /// Where the store's file is, if signing out is to remove it.
    let location: Location?
    let hub: UpdateHub
    let live = LiveAnswers()
    let tracker: ConnectionTracker
    /// Called when there may be something to deliver.
    let outboxWake = WakeUp()
    /// Called when the store lacks words that are shown.
    let dirtyWake = WakeUp()
    /// Called when such words should not wait for the interval to pass.
    let fullWake = WakeUp()
    /// Called when the app goes to sleep, wakes up, or signs out, and when ``run()`` returns.
    let lifeWake = WakeUp()
    /// Called when the limits were read.
    let limitsWake = WakeUp()
    /// One act of a person at a time: two taps are a first and a second, never halves of each other.
    let actGate = Gate()
    /// One flush at a time, so that events reach the store in order.
    let flushGate = Gate()
    /// Held while this process answers by itself.
    let deviceLock: DeviceLock
    let state = Mutex(State())

    /// What is only known while the process lives.
    struct State {
        var isRunning = false
        var isAsleep = false
        var isSignedOut = false
        var open: Set<ConversationID> = []
        var follows: [AnswerID: Follow] = [:]
        var lastFollow = 0
        /// Prompts of this process, none of which can have reached the server so far.
        var unseen: Set<TurnID> = []
        /// Prompts that are on their way to the server, or about to be taken back.
        var claimed: Set<TurnID> = []
        /// What to tell the server about conversations that leave nothing behind, not even in the outbox.
        var errands: [OutboxEntry] = []
        /// What was being written in conversations that were deleted since, until the deletion is delivered.
        var stopsBeforeDeletion: [ConversationID: [AnswerID]] = [:]
        /// How often a request that chooses a path of a conversation began or ended; what the server says of it counts
        /// twice.
        var turnovers: [ConversationID: Int] = [:]
        /// Answers of which the server has yet to be asked how they ended, or go on.
        var unsettled: Set<AnswerID> = []
        /// Answers that this device is making, or is about to.
        var deviceRuns: [AnswerID: DeviceRun] = [:]
        /// All answers that this device was to make since the process began.
        var deviceAnswers: Set<AnswerID> = []
        /// What the person allows on this device.
        var mode = ExecutionMode.cloudAllowed
    }

    /// Where an account's store is kept.
    public struct Location: Equatable, Sendable {
        public let folder: String
        public let account: AccountID

        /// Names a store.
        public init(folder: String, account: AccountID) {
            self.folder = folder
            self.account = account
        }
    }

    /// Opens an account's store and makes its client; nothing is sent before ``run()``.
    ///
    /// - Throws: ``LocalStoreError``.
    public static func open(
        _ location: Location, client: RejoinClient, reachability: any Reachability = UnknownReachability(),
        configuration: Configuration = Configuration()
    ) async throws -> ConversationClient {
        let store = try await LocalStore.open(folder: location.folder, account: location.account)
        return ConversationClient(
            client: client, store: store, reachability: reachability, configuration: configuration,
            location: location)
    }

    /// Makes a client; nothing is sent before ``run()``.
    ///
    /// - Parameters:
    ///   - client: the server and the account's token; its clock and ids are used throughout.
    ///   - store: the account's own store.
    ///   - reachability: what the system believes about the network.
    ///   - location: where the store's file is, which ``signOut()`` removes; nil for one in memory.
    public init(
        client: RejoinClient, store: LocalStore, reachability: any Reachability = UnknownReachability(),
        configuration: Configuration = Configuration(), location: Location? = nil
    ) {
        self.client = client
        self.store = store
        self.reachability = reachability
        self.configuration = configuration
        self.location = location
        deviceLock = DeviceLock(path: store.path.map { $0 + "-device" })
        let hub = UpdateHub()
        self.hub = hub
        tracker = ConnectionTracker(now: client.ids.now) { _ in hub.post(.connection) }
        state.withLock { $0.mode = configuration.mode }
    }

    var clock: any Clock<Duration> { client.clock }
    var now: Timestamp { client.ids.now() }

    /// How this device stands with the server.
    public var connection: ConnectionState { tracker.state }

    /// What to read again, from now on; several fronts may listen, and a slow one is told once.
    public func updates() -> AsyncStream<ClientUpdate> { hub.updates() }

    /// What is open now.
    public var diagnostics: Diagnostics {
        var diagnostics = Diagnostics()
        diagnostics.followed = state.withLock { $0.follows.count + $0.deviceRuns.count }
        diagnostics.waiting =
            outboxWake.waiting + dirtyWake.waiting + fullWake.waiting + limitsWake.waiting + tracker.better.waiting
            + tracker.changed.waiting
        diagnostics.live = live.count
        diagnostics.listeners = hub.count
        return diagnostics
    }
}
