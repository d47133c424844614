extension ConfigurationKey where Target == ConfigurationDraft {
    /// The keys that hold one value; each can also be set by a variable.
    static let scalars: [ConfigurationKey] = common + signIn

    private static let common: [ConfigurationKey] = [
        ConfigurationKey(
            name: "listen", expected: "HOST:PORT, such as \"127.0.0.1:8787\"", standard: "\"127.0.0.1:8787\"",
            summary: "Where connections are taken. An IPv6 address stands in brackets; port 0 lets the system pick one."
        ) { setting, draft throws(ConfigurationError) in
            draft.configuration.listen = try address(setting)
        },
        ConfigurationKey(
            name: "data", expected: "the path of a folder", standard: "\"~/.local/share/rejoinder\"",
            summary: "The folder that keeps everything. By default it is below `XDG_DATA_HOME` where that is set."
        ) { setting, draft throws(ConfigurationError) in
            draft.configuration.dataFolder = try setting.path(environment: draft.environment)
        },
        ConfigurationKey(
            name: "default_model", expected: "the name of a model", standard: "the first of `models`",
            summary: "The model that answers where a request leaves the choice."
        ) { setting, draft throws(ConfigurationError) in
            draft.defaultModel = setting
        },
        ConfigurationKey(
            name: "titles", expected: "the name of a model, or \"off\"", standard: "the default model",
            summary: "The model that writes titles. With `\"off\"` a title is the first words of the conversation."
        ) { setting, draft throws(ConfigurationError) in
            draft.titles = setting
        },
        ConfigurationKey(
            name: "memory", expected: "the name of a model, or \"off\"", standard: "the model that answered",
            summary: "The model that proposes what to remember, for people who want that. With `\"off\"` none does."
        ) { setting, draft throws(ConfigurationError) in
            draft.memory = setting
        },
        ConfigurationKey(
            name: "registration", expected: names(Configuration.Registration.self), standard: "\"closed\"",
            summary: "Who may create accounts over the network. Closed: nobody; `rejoin account add` makes them. "
                + "Invite: whoever has an invitation of an owner. Open: anybody."
        ) { setting, draft throws(ConfigurationError) in
            draft.configuration.registration = try setting.choice()
        },
        ConfigurationKey(
            name: "trusted_proxies", expected: "a list of addresses or ranges, such as [\"127.0.0.1\", \"10.0.0.0/8\"]",
            standard: "none",
            summary:
                "Proxies in front of the server: `X-Forwarded-For` and `X-Forwarded-Proto` count from there alone. "
                + "Without it everybody behind a proxy is slowed down together."
        ) { setting, draft throws(ConfigurationError) in
            var proxies = TrustedProxies()
            for word in try setting.words() {
                guard proxies.insert(word) else { throw setting.refusal }
            }
            draft.configuration.trustedProxies = proxies
        },
        ConfigurationKey(
            name: "durability", expected: names(Configuration.Durability.self), standard: "\"normal\"",
            summary: "What an answer survives once it is shown: a crash of the process, or (full) a loss of power."
        ) { setting, draft throws(ConfigurationError) in
            draft.configuration.durability = try setting.choice()
        },
        ConfigurationKey(
            name: "log_level", expected: names(Configuration.LogLevel.self), standard: "\"info\"",
            summary: "How severe a line has to be to be logged."
        ) { setting, draft throws(ConfigurationError) in
            draft.configuration.logLevel = try setting.choice()
        },
        ConfigurationKey(
            name: "default_plan", expected: "the name of a plan", standard: "no limit",
            summary: "The plan of accounts that were given none by `rejoin account plan`."
        ) { setting, draft throws(ConfigurationError) in
            draft.defaultPlan = setting
        },
        ConfigurationKey(
            name: "off", expected: "a list of " + Setting.list(KillSwitches.Part.allCases.map(\.rawValue)),
            standard: "nothing",
            summary: "Parts of the server that are switched off. Read again when the server gets the signal HUP."
        ) { setting, draft throws(ConfigurationError) in
            let names = KillSwitches.Part.allCases.map(\.rawValue)
            draft.configuration.off.parts = []
            for word in try setting.words() {
                guard let part = KillSwitches.Part(rawValue: word) else { throw setting.refusal(hintFrom: names) }
                draft.configuration.off.parts.insert(part)
            }
        },
        ConfigurationKey(
            name: "off_models", expected: "a list of names of models", standard: "none",
            summary: "Models that are not asked any more. Read again when the server gets the signal HUP."
        ) { setting, draft throws(ConfigurationError) in
            draft.offModels = setting
        },
    ]

    /// The names of every key at the top of a file.
    static var topNames: [String] { scalars.map(\.name) + ["models", "plans", "limits", "oidc"] }

    private static func names<Choice: RawRepresentable & CaseIterable>(_ choices: Choice.Type) -> String
    where Choice.RawValue == String {
        Setting.list(choices.allCases.map(\.rawValue))
    }

    private static func address(_ setting: Setting) throws(ConfigurationError) -> Configuration.Address {
        let text = try setting.text()
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw setting.refusal
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard host.contains(":") else { throw setting.refusal }
        } else if host.contains(":") {
            throw setting.expecting("HOST:PORT with an IPv6 address in brackets, such as \"[::1]:8787\"").refusal
        }
        guard !host.isEmpty, Setting.isPlain(host, and: ".:%-_") else { throw setting.refusal }
        return Configuration.Address(host: String(host), port: port)
    }
}
