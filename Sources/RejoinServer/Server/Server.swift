import HTTPServer

/// The assistant's server: puts the rooms together, starts them in order and stops them in order.
package struct Server: Sendable {
    private let configuration: Configuration
    private let surroundings: Surroundings
    private let logger: Logger
    private let providers: [any ModelProvider]

    /// What the person who started the server needs to know.
    package struct Announcement: Sendable {
        /// The address, with its port.
        package let address: String
        /// A link that signs a browser in as the owner, once.
        package let signInLink: String
        /// Names of the models that are configured.
        package let models: [String]
        /// The message that a model which cannot be loaded came with, by name.
        package let unavailable: [String: String]
    }

    /// - Parameter providers: the models, in the order of the configuration.
    package init(
        _ configuration: Configuration, providers: [any ModelProvider], surroundings: Surroundings = .system,
        logger: Logger
    ) {
        self.configuration = configuration
        self.providers = providers
        self.surroundings = surroundings
        self.logger = logger
    }

    /// The name of the account that the first start creates.
    package static let owner = "owner"

    /// Serves until `stopped` returns; then lets running answers finish, within the time for it, and closes.
    ///
    /// - Parameters:
    ///   - announce: called once, when requests are taken.
    ///   - reloads: the configuration, each time that it is read again; what needs a restart is logged and waits.
    ///   - stopped: returns when the server is to stop.
    /// - Throws: ``StartFailure`` when it cannot start.
    package func run(
        announce: @escaping @Sendable (Announcement) -> Void, reloads: AsyncStream<Configuration>? = nil,
        until stopped: @escaping @Sendable () async -> Void
    ) async throws {
        let folder = try DataFolder(configuration.dataFolder)
        let feed = ChangeFeed()
        let store: SQLiteStore
        do {
            let durability: SQLiteStore.Durability = configuration.durability == .full ? .full : .normal
            store = try SQLiteStore(path: folder.database, durability: durability) { account, cursor in
                feed.advanced(account, to: cursor)
            }
        } catch {
            logger.log(.error, "store", ["code": error.code.name])
            throw StartFailure(error, database: folder.database)
        }
        let interrupted = try await Recovery.interruptUnfinished(in: store, at: surroundings.wall())
        if interrupted > 0 { logger.log(.notice, "recovered", ["interrupted": String(interrupted)]) }

        let house = House(
            configuration, providers: providers, store: store, feed: feed, surroundings: surroundings, logger: logger)
        let server = HTTPServer(Self.httpConfiguration(configuration)) { exchange in
            await house.api.handle(exchange)
        }
        let port: Int
        do {
            port = try server.start()
        } catch {
            throw StartFailure(.address, "\(configuration.listen): \(error)")
        }
        house.publicAddress.listens(on: port)
        let address = Self.address(configuration.listen.host, port)
        let link = try await house.welcome(address: address, folder: folder)
        await withTaskGroup(of: Void.self) { group in
            house.addServices(to: &group, providers: providers)
            announce(
                Announcement(
                    address: address, signInLink: link, models: providers.map(\.name),
                    unavailable: Self.unavailable(providers)))
            if let reloads {
                group.addTask { for await configuration in reloads { reload(configuration, in: house) } }
            }
            await stopped()
            logger.log(.notice, "stopping")
            async let closed: Void = server.drain(within: configuration.limits.drain + .seconds(2))
            await house.runs.drain(within: configuration.limits.drain)
            feed.close()
            await closed
            group.cancelAll()
        }
        try await store.close()
        logger.log(.notice, "stopped")
    }

    private func reload(_ new: Configuration, in house: House) {
        house.switches.replace(new.off)
        house.plans.replace(new.plans)
        logger.least.replace(new.logLevel.least)
        let waiting = new.waitingForRestart(since: configuration)
        logger.log(
            .notice, "reloaded",
            [
                "off": new.off.parts.map(\.rawValue).sorted().joined(separator: ","),
                "off-models": new.off.models.sorted().joined(separator: ","),
                "needs-restart": waiting.joined(separator: ","),
            ])
    }

    private static func unavailable(_ providers: [any ModelProvider]) -> [String: String] {
        var words: [String: String] = [:]
        for provider in providers {
            if case .unavailable(let why) = provider.availability { words[provider.name] = why }
        }
        return words
    }

    private static func address(_ host: String, _ port: Int) -> String {
        // An address that means all of them is not one to go to.
        let shown = host == "0.0.0.0" || host == "::" ? "127.0.0.1" : host
        return "http://" + (shown.contains(":") ? "[\(shown)]" : shown) + ":\(port)"
    }

    private static func httpConfiguration(_ configuration: Configuration) -> HTTPServer.Configuration {
        var http = HTTPServer.Configuration()
        http.host = configuration.listen.host
        http.port = Int(configuration.listen.port)
        let limits = configuration.limits
        http.headTimeout = limits.headTimeout
        http.idleTimeout = limits.idleTimeout
        http.bodyIdleTimeout = limits.bodyIdleTimeout
        http.bodyTimeout = limits.bodyTimeout
        http.stalledWriteTimeout = limits.stalledWriteTimeout
        http.maximumConnections = limits.connections
        http.maximumConnectionsPerAddress = limits.connectionsPerAddress
        return http
    }
}
