/// What an operation needs, as data; routing reads this and nothing else of an operation.
public struct OperationProfile: Sendable, Hashable {
    /// The operation's name.
    public var id: OperationID
    /// What the runner must be able to do.
    public var requires: Capability
    /// Which languages the runner must know.
    public var languages: LanguageNeed
    /// How much the runner must read and write, in tokens.
    public var budget: TokenBudget
    /// What a wrong result would cost the person.
    public var risk: DomainRisk
    /// Who may use a route that leaves the device.
    public var cost: CostClass
    /// Who may run it on this device; everybody, unless the app sells that too.
    public var deviceCost: CostClass
    /// Whether the person is waiting.
    public var urgency: Urgency
    /// What kind of data would leave the device.
    public var dataClass: DataClass
    /// Which of the cloud's models fits.
    public var cloudTier: CloudTier

    /// Declares an operation's needs.
    public init(
        id: OperationID, requires: Capability = .text, languages: LanguageNeed = .any, budget: TokenBudget,
        risk: DomainRisk = .low, cost: CostClass = .free, deviceCost: CostClass = .free,
        urgency: Urgency = .now, dataClass: DataClass, cloudTier: CloudTier = .small
    ) {
        self.id = id
        self.requires = requires
        self.languages = languages
        self.budget = budget
        self.risk = risk
        self.cost = cost
        self.deviceCost = deviceCost
        self.urgency = urgency
        self.dataClass = dataClass
        self.cloudTier = cloudTier
    }
}

/// Which languages a runner must know for an operation.
public enum LanguageNeed: Sendable, Hashable {
    /// The operation has no language.
    case any
    /// These, as BCP 47 tags such as `de` or `pt-BR`; a runner that knows `pt` knows `pt-BR`.
    case these(Set<String>)
}

/// How much a runner must read and write, in tokens.
public struct TokenBudget: Sendable, Hashable {
    /// The prompt with everything in it.
    public var input: Int
    /// The longest useful answer.
    public var output: Int

    /// Names a budget in tokens.
    public init(input: Int, output: Int) {
        self.input = input
        self.output = output
    }

    /// What both take of a model's context.
    public var total: Int {
        let (sum, isTooLarge) = input.addingReportingOverflow(output)
        return isTooLarge ? .max : sum
    }
}

/// What a wrong result would cost the person.
public enum DomainRisk: String, Sendable, Hashable, Codable, CaseIterable { case low, medium, high }

/// Who may use a route that costs.
public enum CostClass: String, Sendable, Hashable, Codable, CaseIterable { case free, metered, premium }

/// Whether the person is waiting for the result.
public enum Urgency: String, Sendable, Hashable, Codable, CaseIterable { case now, canWait }

/// What kind of data an operation would send, least private first.
public enum DataClass: String, Sendable, Hashable, Codable, CaseIterable { case none, minimised, freeForm, sensitive }

/// Which of the cloud's models an operation asks for.
public enum CloudTier: String, Sendable, Hashable, Codable, CaseIterable { case small, large }
