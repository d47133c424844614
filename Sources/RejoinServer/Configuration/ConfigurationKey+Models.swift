/// A model while its keys are read.
struct ModelDraft {
    var name = ""
    var llama = Configuration.Llama(path: "")
    var openAI = Configuration.OpenAI(baseURL: "", model: "")
    /// Where a key came from, so that two sources of one are seen.
    var keySource: String?
    let environment: [String: String]
}

extension ConfigurationKey where Target == ModelDraft {
    /// Where a model runs; it decides which other keys there are.
    enum ModelKind: String, CaseIterable { case llama, openai }

    /// The keys of a kind, without `kind` itself.
    static func model(_ kind: ModelKind) -> [ConfigurationKey] {
        switch kind {
        case .llama: [name] + llama
        case .openai: [name] + openAI
        }
    }

    private static let name = ConfigurationKey(
        name: "name", expected: "1 to 64 letters, digits and . _ - : / that no other model has", standard: nil,
        summary: "What requests and pages call the model."
    ) { setting, model throws(ConfigurationError) in
        let text = try setting.text()
        guard Setting.isPlain(text, and: "._-:/"), text.utf8.count <= 64 else { throw setting.refusal }
        guard text != "auto", text != "off" else {
            throw ConfigurationError(at: setting.place, "\"\(text)\" has a meaning of its own and cannot name a model")
        }
        model.name = text
    }

    private static let llama: [ConfigurationKey] = [
        ConfigurationKey(
            name: "path", expected: "the path of a GGUF file", standard: nil, summary: "The model's GGUF file."
        ) { setting, model throws(ConfigurationError) in
            model.llama.path = try setting.path(environment: model.environment)
        },
        count("context", \.llama.context, of: "tokens", 256...1_048_576, contextSummary),
        count(
            "sequences", \.llama.sequences, of: "answers", 1...64, "Answers at a time; each has a context of its own."),
        ConfigurationKey(
            name: "threads", expected: "a whole number of threads from 1 to 256", standard: "the number of cores",
            summary: "Processor threads that compute."
        ) { setting, model throws(ConfigurationError) in
            model.llama.threads = try setting.integer(in: 1...256)
        },
    ]

    private static let openAI: [ConfigurationKey] = [
        ConfigurationKey(
            name: "base_url", expected: "an http or https address, such as \"http://127.0.0.1:8000/v1\"", standard: nil,
            summary: "The address up to the slash before `chat/completions`."
        ) { setting, model throws(ConfigurationError) in
            model.openAI.baseURL = try baseURL(setting)
        },
        ConfigurationKey(
            name: "model", expected: "what the provider calls the model", standard: nil,
            summary: "What the provider calls the model."
        ) { setting, model throws(ConfigurationError) in
            model.openAI.model = try setting.text()
        },
        ConfigurationKey(
            name: "api_key_env", expected: "the name of an environment variable", standard: "no key",
            summary: "The environment variable that holds the provider's key."
        ) { setting, model throws(ConfigurationError) in
            try readKey(fromVariable: setting, into: &model)
        },
        ConfigurationKey(
            name: "api_key_file", expected: "the path of a file", standard: "no key",
            summary: "The file that holds the provider's key, alone."
        ) { setting, model throws(ConfigurationError) in
            try readKey(fromFile: setting, into: &model)
        },
        ConfigurationKey(
            name: "context", expected: "a whole number of tokens from 256 to 16777216", standard: "not known",
            summary: contextSummary + " Where it is not known, nothing is cut and the provider decides."
        ) { setting, model throws(ConfigurationError) in
            model.openAI.context = try setting.integer(in: 256...16_777_216)
        },
        count(
            "concurrent", \.openAI.concurrent, of: "answers", 1...10_000, "Answers at a time; more wait in the queue."),
    ]

    private static var contextSummary: String { "Tokens that one answer may use, its prompt counted." }

    private static func count(
        _ name: String, _ path: any WritableKeyPath<ModelDraft, Int> & Sendable, of unit: String,
        _ bounds: ClosedRange<Int>, _ summary: String
    ) -> ConfigurationKey {
        let expected = "a whole number of \(unit) from \(bounds.lowerBound) to \(bounds.upperBound)"
        return ConfigurationKey(
            name: name, expected: expected, standard: "\(ModelDraft(environment: [:])[keyPath: path])",
            summary: summary
        ) { setting, model throws(ConfigurationError) in
            model[keyPath: path] = try setting.integer(in: bounds)
        }
    }

    private static func baseURL(_ setting: Setting) throws(ConfigurationError) -> String {
        var text = try setting.text()
        let scheme = ["http://", "https://"].first { text.lowercased().hasPrefix($0) }
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard let scheme, isPlain, !text.contains("?"), !text.contains("#") else { throw setting.refusal }
        let authority = text.dropFirst(scheme.count).prefix { $0 != "/" }
        guard !authority.contains("@") else {
            // Not shown: what stands before the @ is a password as a rule.
            throw ConfigurationError(
                at: setting.place,
                "\"\(setting.key)\" must not hold a name or password; use api_key_env or api_key_file")
        }
        guard !authority.isEmpty, !authority.hasPrefix(":") else { throw setting.refusal }
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }

    // MARK: Keys of providers

    private static func readKey(fromVariable setting: Setting, into model: inout ModelDraft) throws(ConfigurationError)
    {
        try claimKey(setting, &model)
        let name = try setting.text()
        guard Setting.isPlain(name, and: "_") else {
            // The value is not shown: it may be the key itself.
            throw ConfigurationError(
                at: setting.place, "\"\(setting.key)\" must be \(setting.expected), not the key itself")
        }
        guard let value = model.environment[name] else {
            throw ConfigurationError(at: setting.place, "the environment variable \(name) is not set")
        }
        guard let secret = ProviderKey.secret(in: Array(value.utf8)) else {
            throw noKey(in: "the environment variable \(name)", setting)
        }
        model.openAI.apiKey = ProviderKey(secret)
    }

    private static func readKey(fromFile setting: Setting, into model: inout ModelDraft) throws(ConfigurationError) {
        try claimKey(setting, &model)
        let path = try setting.path(environment: model.environment)
        let bytes = try ConfigurationFile.read(path, at: setting.place)
        guard let secret = ProviderKey.secret(in: bytes) else { throw noKey(in: "the file", setting) }
        model.openAI.apiKey = ProviderKey(secret, file: path)
    }

    private static func claimKey(_ setting: Setting, _ model: inout ModelDraft) throws(ConfigurationError) {
        if let other = model.keySource {
            throw ConfigurationError(at: setting.place, "\"\(setting.key)\" and \"\(other)\" exclude each other")
        }
        model.keySource = setting.key
    }

    private static func noKey(in source: String, _ setting: Setting) -> ConfigurationError {
        ConfigurationError(at: setting.place, "\(source) does not hold a key: one word of visible ASCII")
    }
}
