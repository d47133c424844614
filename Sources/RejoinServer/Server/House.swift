import HTTPServer
import RejoinCore

/// The rooms of one running server, put together once.
package final class House: Sendable {
    let runs: RunSupervisor
    let api: API
    private let store: any Store
    private let accounts: Accounts
    private let eventLog: EventLog
    private let titles: TitleMaker
    private let memory: MemoryMaker
    private let tasks: TaskRunner
    private let indexer: SearchIndexer
    private let titleModel: String?
    private let limits: Configuration.Limits
    /// What the operator switches off and on again while the server runs.
    let switches: KillSwitches
    /// Where people reach the server; it has to be told the port.
    let publicAddress: PublicAddress
    /// What accounts may use; a reload changes it.
    let plans: Reloadable<PlanBook>
    private let surroundings: Surroundings
    private let logger: Logger

    init(
        _ configuration: Configuration, providers: [any ModelProvider], store: any Store, feed: ChangeFeed,
        surroundings: Surroundings, logger: Logger, assists: AssistRegistry = .standard
    ) {
        self.store = store
        self.surroundings = surroundings
        self.logger = logger
        limits = configuration.limits
        titleModel = configuration.titleModel
        let metrics = Metrics()
        let switches = KillSwitches(configuration.off)
        self.switches = switches
        let plans = Reloadable(configuration.plans)
        self.plans = plans
        accounts = Accounts(store: store, surroundings: surroundings)
        eventLog = EventLog(store: store, surroundings: surroundings) { failure in
            logger.log(.error, "commit", ["code": failure.code.name])
        }
        let titles = TitleMaker(
            store: store, provider: providers.first { $0.name == configuration.titleModel }, surroundings: surroundings,
            switches: switches)
        let memory = MemoryMaker(
            store: store, choice: configuration.memoryModel, providers: providers, surroundings: surroundings,
            switches: switches)
        runs = RunSupervisor(
            models: ModelRegistry(providers, defaultName: configuration.defaultModel ?? ""),
            limits: .init(
                running: limits.runningAnswers, waiting: limits.queueLength,
                waitingPerAccount: limits.queuePerAccount, answerBytes: limits.answerBytes),
            store: store, eventLog: eventLog, surroundings: surroundings, metrics: metrics, switches: switches
        ) { record, answer in
            titles.answered(record, answer)
            memory.answered(record, answer)
        }
        self.titles = titles
        self.memory = memory
        var bounds = API.Limits()
        bounds.bodyBytes = limits.bodyBytes
        bounds.promptBytes = limits.promptBytes
        tasks = TaskRunner(
            store: store, folder: DataFolder.archives(in: configuration.dataFolder), surroundings: surroundings,
            logger: logger)
        let ways = SignInWays(
            configuration, store: store, accounts: accounts, surroundings: surroundings, logger: logger)
        publicAddress = ways.address
        let indexer = SearchIndexer(store: store, surroundings: surroundings, logger: logger)
        self.indexer = indexer
        // The store holds the feed: held in turn, the indexer would keep both alive for ever.
        feed.observe { [weak indexer] in indexer?.changed() }
        api = API(
            store: store, accounts: accounts, eventLog: eventLog, runs: runs, feed: feed, tasks: tasks,
            metrics: metrics, files: WebFiles(compress: Gzip.compress), limits: bounds, plans: plans,
            surroundings: surroundings, logger: logger, ways: ways, assists: assists,
            people: PeoplePolicy(
                registration: configuration.registration, trustedProxies: configuration.trustedProxies))
    }

    /// Creates the owner on an empty store, and makes ready how the owner gets in: a link, and a terminal's token.
    ///
    /// - Returns: the link.
    func welcome(address: String, folder: DataFolder) async throws -> String {
        let owner = try await owner()
        try await handOver(address: address, folder: folder, to: owner.id)
        let code = try await accounts.makeSignInCode(for: owner.id, validFor: .seconds(86_400))
        return "\(address)/sign-in?code=\(code)"
    }

    /// The oldest owner: the account that the first start creates, or one that was added before it.
    private func owner() async throws -> AccountRecord {
        if let oldest = try await store.accounts().first(where: { $0.role == .owner }) { return oldest }
        return try await accounts.create(name: Server.owner, password: nil)
    }

    /// Writes the address and a token where a terminal of the same user finds them.
    private func handOver(address: String, folder: DataFolder, to owner: AccountID) async throws {
        var token = ClientFile.token(in: folder.clientFile)
        if let known = token, try await accounts.session(token: known)?.account != owner { token = nil }
        if token == nil { token = try await accounts.openSession(of: owner, device: "Terminal on this machine").token }
        guard let token else { return }
        try folder.writePrivately(ClientFile.encode(address: address, token: token), to: folder.clientFile)
    }

    /// Adds what works in the background until it is cancelled.
    func addServices(to group: inout TaskGroup<Void>, providers: [any ModelProvider]) {
        let (eventLog, titles, memory, runs, titleModel) = (eventLog, titles, memory, runs, titleModel)
        group.addTask { await eventLog.run() }
        group.addTask {
            await titles.run {
                let load = titleModel.map { runs.load(of: $0) }
                return (load?.running ?? 0) + (load?.waiting ?? 0) > 0
            }
        }
        group.addTask {
            await memory.run { model in
                let load = runs.load(of: model)
                return load.running + load.waiting > 0
            }
        }
        group.addTask { await self.maintain() }
        group.addTask { await self.watchDevices() }
        group.addTask { await self.indexer.run() }
        group.addTask { await self.tasks.run() }
        for provider in providers { group.addTask { await provider.prepare() } }
    }

    /// Ends the streams of devices that another process signed out, and writes down which ones were seen.
    private func watchDevices() async {
        var round = 0
        while true {
            do { try await surroundings.sleep(.seconds(10)) } catch { return }
            round += 1
            do {
                try await accounts.recheck()
                if round.isMultiple(of: 6) { try await accounts.writeSeen() }
            } catch let failure as StoreFailure {
                logger.log(.error, "devices", ["code": failure.code.name])
            } catch {
                return
            }
        }
    }

    /// Drops what has outlived its time, once a minute.
    private func maintain() async {
        while true {
            do { try await surroundings.sleep(.seconds(60)) } catch { return }
            let now = surroundings.wall()
            func ago(_ duration: Duration) -> Timestamp {
                now.advanced(byMilliseconds: -Int64(duration.inSeconds * 1000))
            }
            do {
                // In small steps, so that no step keeps the writer from the answers for long.
                while try await store.compactLogs(endedBefore: ago(limits.logRetention), limit: 100) == 100 {
                    try await surroundings.sleep(.milliseconds(50))
                }
                try await store.expireChanges(before: ago(limits.feedRetention))
                try await store.expirePeople(now: now)
                try await tasks.expire(before: ago(.seconds(86_400)))
                // Those of compatible clients too, which never come back to theirs.
                while try await store.deleteTemporaryConversations(
                    idleSince: ago(limits.temporaryRetention), now: now) >= 200
                {
                    try await surroundings.sleep(.milliseconds(50))
                }
                let days = max(1, Int(limits.historyRetention.inSeconds / 86_400))
                while try await store.deleteOutlived(maximumDays: days, now: now) >= 200 {
                    try await surroundings.sleep(.milliseconds(50))
                }
                // Longer than any window: nothing that still counts is forgotten.
                try await store.expireLedger(before: ago(.seconds(400 * 86_400)))
            } catch let failure as StoreFailure {
                logger.log(.error, "maintenance", ["code": failure.code.name])
            } catch {
                return
            }
        }
    }
}
