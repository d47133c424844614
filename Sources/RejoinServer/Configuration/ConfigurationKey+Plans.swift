/// A plan while its keys are read.
struct PlanDraft {
    var plan = Plan("")
    /// Names of models wait until every model is known.
    var strongModels: [(name: String, setting: Setting)] = []
    var fallbackModel: Setting?
}

/// A quota while its keys are read.
struct QuotaDraft {
    var capability: Quota.Capability?
    var amount: Int?
    var hours = 24
    var startMinute = 0
}

extension ConfigurationKey where Target == PlanDraft {
    /// What a plan does at a limit that a weaker model is not under.
    private enum AtLimit: String, CaseIterable { case refuse, fallback }

    /// The keys of a plan, without `quotas`.
    static let plan: [ConfigurationKey] = [
        ConfigurationKey(
            name: "name", expected: "1 to 64 letters, digits and . _ - that no other plan has", standard: nil,
            summary: "What `rejoin account plan` calls it."
        ) { setting, draft throws(ConfigurationError) in
            let text = try setting.text()
            guard Setting.isPlain(text, and: "._-"), text.utf8.count <= 64 else { throw setting.refusal }
            guard text != "none" else {
                throw ConfigurationError(at: setting.place, "\"none\" has a meaning of its own and cannot name a plan")
            }
            draft.plan.name = text
        },
        ConfigurationKey(
            name: "strong_models", expected: "a list of names of models", standard: "none",
            summary: "Models whose answers count as `strong-turns`."
        ) { setting, draft throws(ConfigurationError) in
            draft.strongModels = try setting.words().map { ($0, setting) }
        },
        ConfigurationKey(
            name: "fallback_model", expected: "the name of a model", standard: "none",
            summary: "The weaker model that still answers when the strong turns are used up."
        ) { setting, draft throws(ConfigurationError) in
            draft.fallbackModel = setting
        },
        ConfigurationKey(
            name: "at_limit", expected: Setting.list(AtLimit.allCases.map(\.rawValue)), standard: "\"refuse\"",
            summary:
                "With `\"fallback\"` that model answers by itself, and the answer says so; else a refusal names it."
        ) { setting, draft throws(ConfigurationError) in
            let atLimit: AtLimit = try setting.choice()
            draft.plan.fallsBack = atLimit == .fallback
        },
    ]
}

extension ConfigurationKey where Target == QuotaDraft {
    /// The keys of a quota.
    static let quota: [ConfigurationKey] = [
        ConfigurationKey(
            name: "counts", expected: Setting.list(Quota.Capability.allCases.map(\.rawValue)), standard: nil,
            summary: "What is counted. Each at most once in a plan."
        ) { setting, quota throws(ConfigurationError) in
            quota.capability = try setting.choice()
        },
        ConfigurationKey(
            name: "amount", expected: "a whole number from 0 to 1000000000000", standard: nil,
            summary: "How much there is in one window."
        ) { setting, quota throws(ConfigurationError) in
            quota.amount = try setting.integer(in: 0...1_000_000_000_000)
        },
        ConfigurationKey(
            name: "hours", expected: "a whole number of hours from 1 to 8784", standard: "24",
            summary: "How long a window is. 24 is a day, 168 a week from Monday on."
        ) { setting, quota throws(ConfigurationError) in
            quota.hours = try setting.integer(in: 1...8784)
        },
        ConfigurationKey(
            name: "resets_at", expected: "a time of the day in UTC, such as \"04:00\"", standard: "\"00:00\"",
            summary: "When windows begin."
        ) { setting, quota throws(ConfigurationError) in
            let parts = try setting.text().split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && Setting.isPlain($0, and: "") }),
                let hour = Int(parts[0]), let minute = Int(parts[1]), (0...23).contains(hour), (0...59).contains(minute)
            else { throw setting.refusal }
            quota.startMinute = hour * 60 + minute
        },
    ]
}

extension ConfigurationDraft {
    mutating func layPlans(_ node: JSON5, in file: ConfigurationFile) throws(ConfigurationError) {
        guard case .array(let nodes) = node.value else {
            throw Setting(key: "plans", node, in: file).expecting("a list of plans").refusal
        }
        for (index, node) in nodes.enumerated() {
            let path = "plans[\(index)]"
            var draft = PlanDraft()
            let members = try members(of: node, key: path, in: file)
            let keys = ConfigurationKey<PlanDraft>.plan
            for member in members {
                if member.name == "quotas" {
                    draft.plan.quotas = try quotas(member.value, key: path + ".quotas", in: file)
                } else if let key = keys.first(where: { $0.name == member.name }) {
                    try key.read(Setting(key: "\(path).\(member.name)", member.value, in: file), into: &draft)
                } else {
                    throw ConfigurationKey<PlanDraft>.unknown(
                        member.name, at: file.place(member.position), among: keys.map(\.name) + ["quotas"])
                }
            }
            guard !draft.plan.name.isEmpty else {
                throw ConfigurationError(at: file.place(node.position), "\"\(path).name\" is missing")
            }
            guard !plans.contains(where: { $0.plan.name == draft.plan.name }) else {
                throw ConfigurationError(
                    at: file.place(node.position), "two plans are called \"\(draft.plan.name)\"")
            }
            plans.append(draft)
        }
    }

    private func quotas(_ node: JSON5, key path: String, in file: ConfigurationFile) throws(ConfigurationError)
        -> [Quota]
    {
        guard case .array(let nodes) = node.value else {
            throw Setting(key: path, node, in: file).expecting("a list of quotas").refusal
        }
        var quotas: [Quota] = []
        for (index, node) in nodes.enumerated() {
            let path = "\(path)[\(index)]"
            var draft = QuotaDraft()
            let keys = ConfigurationKey<QuotaDraft>.quota
            for member in try members(of: node, key: path, in: file) {
                guard let key = keys.first(where: { $0.name == member.name }) else {
                    throw ConfigurationKey<QuotaDraft>.unknown(
                        member.name, at: file.place(member.position), among: keys.map(\.name))
                }
                try key.read(Setting(key: "\(path).\(member.name)", member.value, in: file), into: &draft)
            }
            guard let capability = draft.capability, let amount = draft.amount else {
                let missing = draft.capability == nil ? "counts" : "amount"
                throw ConfigurationError(at: file.place(node.position), "\"\(path).\(missing)\" is missing")
            }
            guard !quotas.contains(where: { $0.capability == capability }) else {
                throw ConfigurationError(
                    at: file.place(node.position), "\"\(capability.rawValue)\" is counted twice in one plan")
            }
            quotas.append(Quota(capability, amount: amount, hours: draft.hours, startMinute: draft.startMinute))
        }
        return quotas
    }

    /// The plans once every model is known.
    func planBook(models: [String]) throws(ConfigurationError) -> PlanBook {
        var book = PlanBook()
        for draft in plans {
            var plan = draft.plan
            for (name, setting) in draft.strongModels {
                guard models.contains(name) else { throw setting.refusal }
                plan.strongModels.append(name)
            }
            if let setting = draft.fallbackModel {
                let name = try Self.name(setting, among: models)
                guard !plan.strongModels.contains(name) else {
                    throw ConfigurationError(at: setting.place, "\"\(name)\" is one of the strong models itself")
                }
                plan.fallbackModel = name
            }
            book.plans.append(plan)
        }
        if let defaultPlan {
            let names = book.plans.map(\.name)
            let setting = defaultPlan.expecting(
                names.isEmpty ? "the name of a plan (there are none)" : Setting.list(names))
            let name = try setting.text()
            guard names.contains(name) else { throw setting.refusal(hintFrom: names) }
            book.standard = name
        }
        return book
    }
}
