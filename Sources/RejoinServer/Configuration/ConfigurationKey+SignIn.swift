extension ConfigurationKey where Target == ConfigurationDraft {
    /// The keys about where people come from.
    static let signIn: [ConfigurationKey] = [
        ConfigurationKey(
            name: "public_url", expected: "an address such as \"https://chat.example\", without a path",
            standard: "`http://localhost` with the port of `listen`",
            summary: "Where people reach the server: for passkeys and providers; with https, cookies go over TLS alone."
        ) { setting, draft throws(ConfigurationError) in
            guard let url = PublicURL(try setting.text()) else { throw setting.refusal }
            draft.configuration.publicURL = url
        }
    ]
}

/// A provider while its keys are read.
struct OpenIDDraft {
    var provider = Configuration.OpenID()
    let environment: [String: String]
}

extension ConfigurationKey where Target == OpenIDDraft {
    /// The keys of `oidc`.
    static let openID: [ConfigurationKey] = [
        ConfigurationKey(
            name: "issuer", expected: "the provider's https address, as it writes it itself", standard: nil,
            summary: "The provider. Plain http is taken from this machine alone."
        ) { setting, draft throws(ConfigurationError) in
            let text = try setting.text()
            let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !text.contains("?") && !text.contains("#")
            let local = ["http://localhost", "http://127.0.0.1", "http://[::1]"]
            let isLocal = local.contains { text == $0 || text.hasPrefix($0 + ":") || text.hasPrefix($0 + "/") }
            guard isPlain, isLocal || text.hasPrefix("https://") && text.utf8.count > 8, !text.contains("@") else {
                throw setting.refusal
            }
            draft.provider.issuer = text
        },
        ConfigurationKey(
            name: "client_id", expected: "what the provider calls this server", standard: nil,
            summary: "What the provider calls this server."
        ) { setting, draft throws(ConfigurationError) in
            draft.provider.clientID = try setting.text()
        },
        ConfigurationKey(
            name: "client_secret_env", expected: "the name of an environment variable", standard: "no secret",
            summary: "The environment variable that holds the secret which the provider gave this server."
        ) { setting, draft throws(ConfigurationError) in
            let name = try setting.text()
            guard Setting.isPlain(name, and: "_") else {
                // The value is not shown: it may be the secret itself.
                throw ConfigurationError(
                    at: setting.place, "\"\(setting.key)\" must be \(setting.expected), not the secret itself")
            }
            guard let value = draft.environment[name] else {
                throw ConfigurationError(at: setting.place, "the environment variable \(name) is not set")
            }
            guard let secret = ProviderKey.secret(in: Array(value.utf8)) else {
                throw ConfigurationError(
                    at: setting.place,
                    "the environment variable \(name) does not hold a secret: one word of visible ASCII")
            }
            draft.provider.clientSecret = secret
        },
        ConfigurationKey(
            name: "name", expected: "1 to 40 characters", standard: nil, summary: "What the page's button says."
        ) { setting, draft throws(ConfigurationError) in
            let name = try setting.text().trimmingSpace
            guard (1...40).contains(name.count), !name.unicodeScalars.contains(where: \.isControl) else {
                throw setting.refusal
            }
            draft.provider.name = name
        },
        ConfigurationKey(
            name: "accounts", expected: Setting.list(Configuration.OpenID.Accounts.allCases.map(\.rawValue)),
            standard: "\"existing\"",
            summary: "Who gets in: who linked the provider to an account before, or (create) everybody whom it lets in."
        ) { setting, draft throws(ConfigurationError) in
            draft.provider.accounts = try setting.choice()
        },
    ]
}

extension ConfigurationDraft {
    mutating func layOpenID(_ node: JSON5, in file: ConfigurationFile) throws(ConfigurationError) {
        let keys = ConfigurationKey<OpenIDDraft>.openID
        var draft = OpenIDDraft(environment: environment)
        let members = try members(of: node, key: "oidc", in: file)
        for member in members {
            if let key = keys.first(where: { $0.name == member.name }) {
                try key.read(Setting(key: "oidc.\(member.name)", member.value, in: file), into: &draft)
            } else if member.name == "client_secret" {
                throw ConfigurationError(
                    at: file.place(member.position),
                    "a secret does not belong into the configuration; put it into an environment variable and name "
                        + "that by \"client_secret_env\"")
            } else {
                throw ConfigurationKey<OpenIDDraft>.unknown(
                    member.name, at: file.place(member.position), among: keys.map(\.name))
            }
        }
        for key in keys where key.standard == nil && !members.contains(where: { $0.name == key.name }) {
            throw ConfigurationError(
                at: file.place(node.position), "\"oidc.\(key.name)\" is missing: \(key.expected)")
        }
        configuration.openID = draft.provider
    }
}
