/// What a model says that it can do.
public struct CapabilityRecord: Sendable, Hashable {
    /// What it can do.
    public var capabilities: Capability
    /// Which languages it knows.
    public var languages: LanguageSupport
    /// How much it reads and writes together, in tokens; nothing above zero means that nobody knows.
    public var contextSize: Int
    /// Which model it is, for telemetry.
    public var model: VersionLabel?

    /// Describes a model.
    public init(
        capabilities: Capability, languages: LanguageSupport = .all, contextSize: Int = 0, model: VersionLabel? = nil
    ) {
        self.capabilities = capabilities
        self.languages = languages
        self.contextSize = contextSize
        self.model = model
    }

    /// What keeps this model from running an operation, each thing by itself; empty where nothing does.
    ///
    /// A context of unknown size is no reason: the model itself will say if the request does not fit.
    func shortcomings(for profile: OperationProfile) -> [Ineligibility] {
        var reasons = profile.requires.subtracting(capabilities).single.map(Ineligibility.missing)
        if !languages.meets(profile.languages) { reasons.append(.languageUnsupported) }
        let needed = profile.budget.total
        if contextSize > 0, needed > contextSize {
            reasons.append(.contextTooSmall(needed: needed, available: contextSize))
        }
        return reasons
    }
}

/// Which languages a model knows.
public enum LanguageSupport: Sendable, Hashable {
    /// All that an operation may ask for.
    case all
    /// These, as BCP 47 tags such as `de` or `pt-BR`.
    case these(Set<String>)

    /// Whether a model with these languages can serve the need: it must know every one of them.
    ///
    /// A model that knows `pt` knows `pt-BR`, and one that knows `pt-BR` can serve a need for `pt`, which does not say
    /// whose. One that knows `pt-BR` does not know `pt-PT`.
    public func meets(_ need: LanguageNeed) -> Bool {
        guard case .these(let needed) = need, case .these(let known) = self else { return true }
        return needed.allSatisfy { tag in
            known.contains(tag) || known.contains { Self.covers($0, tag) }
        }
    }

    private static func covers(_ known: String, _ needed: String) -> Bool {
        let known = subtags(known)
        let needed = subtags(needed)
        guard !known.isEmpty, !needed.isEmpty else { return false }
        return zip(known, needed).allSatisfy(==)
    }

    /// The parts of a tag, in small letters; systems also write it with underscores.
    private static func subtags(_ tag: String) -> [String] {
        tag.lowercased().split { $0 == "-" || $0 == "_" }.map(String.init)
    }
}
