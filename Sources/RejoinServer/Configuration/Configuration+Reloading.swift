/// What a reload takes over, and what waits for the next start.
extension Configuration {
    /// The keys that differ from a configuration that is in use and take effect at the next start alone.
    ///
    /// At once take effect `off`, `off_models`, `plans`, `default_plan` and `log_level`.
    package func waitingForRestart(since running: Configuration) -> [String] {
        let parts: [(key: String, differs: Bool)] = [
            ("listen", listen != running.listen), ("data", dataFolder != running.dataFolder),
            ("models", models != running.models), ("default_model", defaultModel != running.defaultModel),
            ("titles", titleModel != running.titleModel), ("registration", registration != running.registration),
            ("durability", durability != running.durability), ("limits", limits != running.limits),
        ]
        let named = parts.filter(\.differs).map(\.key)
        var rest = self
        (rest.listen, rest.dataFolder, rest.models) = (running.listen, running.dataFolder, running.models)
        (rest.defaultModel, rest.titleModel) = (running.defaultModel, running.titleModel)
        (rest.registration, rest.durability, rest.limits) = (running.registration, running.durability, running.limits)
        (rest.off, rest.plans, rest.logLevel) = (running.off, running.plans, running.logLevel)
        // A setting that is newer than this list.
        return rest == running ? named : named + ["others"]
    }
}
