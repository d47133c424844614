/// A configuration while its layers are laid over each other.
struct ConfigurationDraft {
    var configuration: Configuration
    /// Names of models wait until every model is known.
    var defaultModel: Setting?
    var titles: Setting?
    var memory: Setting?
    var plans: [PlanDraft] = []
    var defaultPlan: Setting?
    var offModels: Setting?
    let environment: [String: String]

    /// Settles what depends on several keys.
    ///
    /// - Throws: ``ConfigurationError`` for a name that no model has.
    consuming func finished() throws(ConfigurationError) -> Configuration {
        let names = configuration.models.map(\.name)
        configuration.defaultModel = names.first
        if let defaultModel {
            configuration.defaultModel = try Self.name(defaultModel, among: names)
        }
        configuration.titleModel = configuration.defaultModel
        if let titles {
            let name = try Self.name(titles, among: names + ["off"])
            configuration.titleModel = name == "off" ? nil : name
        }
        if let memory {
            let name = try Self.name(memory, among: names + ["off"])
            configuration.memoryModel = name == "off" ? .off : .model(name)
        }
        configuration.plans = try planBook(models: names)
        if let offModels {
            for name in try offModels.words() {
                guard names.contains(name) else { throw offModels.refusal(hintFrom: names) }
                configuration.off.models.insert(name)
            }
        }
        return configuration
    }

    static func name(_ setting: Setting, among names: [String]) throws(ConfigurationError) -> String {
        let setting = setting.expecting(names.isEmpty ? "the name of a model (there are none)" : Setting.list(names))
        let name = try setting.text()
        guard names.contains(name) else { throw setting.refusal(hintFrom: names) }
        return name
    }
}
