/// What a reload takes over, and what waits for the next start.
extension Configuration {
    /// The keys that differ from a configuration that is in use and take effect at the next start alone.
    ///
    /// At once take effect `off`, `off_models`, `plans`, `default_plan` and `log_level`.
    package func waitingForRestart(since running: Configuration) -> [String] {
        var rest = self
        var named: [String] = []
        func waits<Value: Equatable>(_ key: String, _ path: WritableKeyPath<Configuration, Value>) {
            guard rest[keyPath: path] != running[keyPath: path] else { return }
            named.append(key)
            rest[keyPath: path] = running[keyPath: path]
        }
        waits("listen", \.listen)
        waits("data", \.dataFolder)
        waits("models", \.models)
        waits("default_model", \.defaultModel)
        waits("titles", \.titleModel)
        waits("memory", \.memoryModel)
        waits("registration", \.registration)
        waits("trusted_proxies", \.trustedProxies)
        waits("public_url", \.publicURL)
        waits("oidc", \.openID)
        waits("durability", \.durability)
        waits("limits", \.limits)
        (rest.off, rest.plans, rest.logLevel) = (running.off, running.plans, running.logLevel)
        // A setting that is newer than this list.
        return rest == running ? named : named + ["others"]
    }
}
