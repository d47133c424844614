/// Everything that an operator decides, read at the start; a reload takes some of it over.
///
/// Made by ``load(file:environment:flags:)``, which refuses what it does not understand; a value of this type is whole
/// and within its bounds.
package struct Configuration: Sendable, Equatable {
    /// Where connections are taken; port 0 lets the system pick one.
    package struct Address: Sendable, Equatable, CustomStringConvertible {
        /// A name or an address, an IPv6 one without its brackets.
        package var host: String
        package var port: UInt16

        package init(host: String, port: UInt16) {
            self.host = host
            self.port = port
        }

        package var description: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
    }

    /// Who may create accounts over the network.
    package enum Registration: String, Sendable, CaseIterable {
        /// Nobody: accounts are made by the `account add` command.
        case closed
        /// Who was invited by an owner.
        case invite
        /// Anybody who can reach the server.
        case open
    }

    /// What a shown event survives.
    package enum Durability: String, Sendable, CaseIterable {
        /// A crash of the process.
        case normal
        /// A loss of power.
        case full
    }

    /// How severe a line has to be to be logged.
    package enum LogLevel: String, Sendable, CaseIterable { case debug, info, warning, error }

    package var listen: Address
    /// The folder that keeps everything.
    package var dataFolder: String
    /// In the order they were written; names are unique.
    package var models: [Model]
    /// The model that answers where a request leaves the choice; nil only where there are no models.
    package var defaultModel: String?
    /// The model that writes titles; nil leaves them at the first words.
    package var titleModel: String?
    /// The model that proposes what to remember of people who want that.
    package var memoryModel: MemoryMaker.Choice
    package var registration: Registration
    /// Whose word counts about where a request comes from.
    package var trustedProxies: TrustedProxies
    /// Where people reach the server; nil for this machine alone.
    package var publicURL: PublicURL?
    /// The provider that people may sign in with.
    package var openID: OpenID?
    package var durability: Durability
    package var logLevel: LogLevel
    package var limits: Limits
    /// What accounts may use; without any, nothing is counted.
    package var plans: PlanBook
    /// What is switched off.
    package var off: KillSwitches.Off

    /// A configuration with every setting at its default.
    package init(dataFolder: String, models: [Model] = []) {
        self.listen = Address(host: "127.0.0.1", port: 8787)
        self.dataFolder = dataFolder
        self.models = models
        self.defaultModel = models.first?.name
        self.titleModel = models.first?.name
        self.memoryModel = .answering
        self.registration = .closed
        self.trustedProxies = TrustedProxies()
        self.durability = .normal
        self.logLevel = .info
        self.limits = Limits()
        self.plans = .unlimited
        self.off = KillSwitches.Off()
    }
}
