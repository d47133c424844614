import RejoinCore

extension Configuration {
    /// Reads the configuration: defaults, then the file, then `REJOIN_…` variables, then options; the later wins.
    ///
    /// Every layer is checked, also where a later one wins.
    ///
    /// - Parameters:
    ///   - file: the path of a JSON5 file; the variable `REJOIN_CONFIG` names one where this is nil.
    ///   - environment: the whole environment: keys of providers and the home folder come from it too.
    /// - Throws: ``ConfigurationError`` for the first thing that is wrong, in the words to show.
    package static func load(
        file path: String?, environment: [String: String], flags: ConfigurationFlags
    ) throws(ConfigurationError) -> Configuration {
        let path = path ?? environment["REJOIN_CONFIG"]
        let file: ConfigurationFile? = if let path { try ConfigurationFile(path: path) } else { nil }
        return try read(file, environment: environment, flags: flags)
    }

    static func read(
        _ file: ConfigurationFile?, environment: [String: String], flags: ConfigurationFlags
    ) throws(ConfigurationError) -> Configuration {
        var draft = ConfigurationDraft(configuration: Configuration(dataFolder: ""), environment: environment)
        if let file { try draft.lay(file) }
        try draft.layEnvironment()
        for setting in flags.settings { try draft.set(setting) }
        if draft.configuration.dataFolder.isEmpty {
            draft.configuration.dataFolder = try standardDataFolder(environment)
        }
        return try draft.finished()
    }

    private static func standardDataFolder(_ environment: [String: String]) throws(ConfigurationError) -> String {
        // The XDG rules say to ignore a relative path.
        if let shared = environment["XDG_DATA_HOME"], shared.hasPrefix("/") { return shared + "/rejoinder" }
        if let home = environment["HOME"], !home.isEmpty { return home + "/.local/share/rejoinder" }
        throw ConfigurationError(at: "--data", "name a data folder: neither HOME nor XDG_DATA_HOME is set")
    }
}

extension ConfigurationDraft {
    /// The variables that belong to other commands, or to this one before it reads its configuration.
    static let otherVariables = ["REJOIN_CONFIG", "REJOIN_SERVER", "REJOIN_TOKEN", "REJOIN_TOKEN_FILE"]

    /// The variable that sets a key.
    static func variable(for key: String) -> String {
        "REJOIN_" + key.uppercased().replacing(".", with: "_")
    }

    /// Sets one scalar or limit by its key.
    mutating func set(_ setting: Setting) throws(ConfigurationError) {
        if let key = ConfigurationKey<ConfigurationDraft>.scalars.first(where: { $0.name == setting.key }) {
            try key.read(setting, into: &self)
        } else if let key = ConfigurationKey<Configuration.Limits>.limits.first(where: {
            "limits." + $0.name == setting.key
        }) {
            try key.read(setting, into: &configuration.limits)
        }
    }

    /// Lays the variables over what is there; one that is set to nothing counts as not set.
    mutating func layEnvironment() throws(ConfigurationError) {
        var keys: [String: String] = [:]
        for key in ConfigurationKey<ConfigurationDraft>.scalars { keys[Self.variable(for: key.name)] = key.name }
        for key in ConfigurationKey<Configuration.Limits>.limits {
            keys[Self.variable(for: "limits." + key.name)] = "limits." + key.name
        }
        let known = keys.keys.sorted() + Self.otherVariables
        for (variable, word) in environment.sorted(by: { $0.key < $1.key }) where variable.hasPrefix("REJOIN_") {
            if let key = keys[variable] {
                if !word.isEmpty { try set(Setting(key: key, word: word, place: variable)) }
            } else if !known.contains(variable) {
                // Other programs may share the prefix: only what looks like a slip is refused.
                let nearest = NearestName.of(
                    String(variable.dropFirst(7)), among: known.map { String($0.dropFirst(7)) })
                guard let nearest else { continue }
                throw ConfigurationError(at: variable, "unknown variable; did you mean REJOIN_\(nearest)?")
            }
        }
    }

    /// Lays a file over what is there.
    mutating func lay(_ file: ConfigurationFile) throws(ConfigurationError) {
        let document: JSON5
        do {
            document = try JSON5.parse(file.bytes)
        } catch {
            throw ConfigurationError(at: file.place(error.position), error.message)
        }
        let known = ConfigurationKey<ConfigurationDraft>.topNames
        for member in try members(of: document, key: "the configuration", in: file) {
            let setting = Setting(key: member.name, member.value, in: file)
            switch member.name {
            case "models": try layModels(member.value, in: file)
            case "limits": try layLimits(member.value, in: file)
            case "plans": try layPlans(member.value, in: file)
            case "oidc": try layOpenID(member.value, in: file)
            case _ where known.contains(member.name): try set(setting)
            default:
                throw ConfigurationKey<ConfigurationDraft>.unknown(
                    member.name, at: file.place(member.position), among: known)
            }
        }
    }

    private mutating func layLimits(_ node: JSON5, in file: ConfigurationFile) throws(ConfigurationError) {
        let keys = ConfigurationKey<Configuration.Limits>.limits
        for member in try members(of: node, key: "limits", in: file) {
            guard keys.contains(where: { $0.name == member.name }) else {
                throw ConfigurationKey<Configuration.Limits>.unknown(
                    member.name, at: file.place(member.position), among: keys.map(\.name))
            }
            try set(Setting(key: "limits." + member.name, member.value, in: file))
        }
    }

    private mutating func layModels(_ node: JSON5, in file: ConfigurationFile) throws(ConfigurationError) {
        guard case .array(let nodes) = node.value else {
            throw Setting(key: "models", node, in: file).expecting("a list of models").refusal
        }
        for (index, node) in nodes.enumerated() {
            let model = try model(node, key: "models[\(index)]", in: file)
            guard !configuration.models.contains(where: { $0.name == model.name }) else {
                throw ConfigurationError(at: file.place(node.position), "two models are called \"\(model.name)\"")
            }
            configuration.models.append(model)
        }
    }

    private func model(
        _ node: JSON5, key path: String, in file: ConfigurationFile
    ) throws(ConfigurationError) -> Configuration.Model {
        typealias Key = ConfigurationKey<ModelDraft>
        let members = try members(of: node, key: path, in: file)
        let kinds = Setting.list(Key.ModelKind.allCases.map(\.rawValue))
        guard let written = members.first(where: { $0.name == "kind" }) else {
            throw ConfigurationError(at: file.place(node.position), "\"\(path).kind\" is missing: \(kinds)")
        }
        let kind: Key.ModelKind = try Setting(key: path + ".kind", written.value, in: file).expecting(kinds).choice()
        let keys = Key.model(kind)
        var draft = ModelDraft(environment: environment)
        for member in members where member.name != "kind" {
            if let key = keys.first(where: { $0.name == member.name }) {
                try key.read(Setting(key: "\(path).\(member.name)", member.value, in: file), into: &draft)
            } else if member.name == "api_key" {
                throw ConfigurationError(
                    at: file.place(member.position),
                    "a key does not belong into the configuration; put it into an environment variable or a file "
                        + "and name that by \"api_key_env\" or \"api_key_file\"")
            } else {
                throw Key.unknown(
                    member.name, at: file.place(member.position), among: keys.map(\.name) + ["kind"])
            }
        }
        for key in keys where key.standard == nil && !members.contains(where: { $0.name == key.name }) {
            throw ConfigurationError(
                at: file.place(node.position), "\"\(path).\(key.name)\" is missing: \(key.expected)")
        }
        switch kind {
        case .llama: return Configuration.Model(name: draft.name, kind: .llama(draft.llama))
        case .openai: return Configuration.Model(name: draft.name, kind: .openAI(draft.openAI))
        }
    }

    func members(
        of node: JSON5, key: String, in file: ConfigurationFile
    ) throws(ConfigurationError) -> [JSON5.Member] {
        guard case .object(let members) = node.value else {
            throw Setting(key: key, node, in: file).expecting("an object in braces").refusal
        }
        return members
    }
}
