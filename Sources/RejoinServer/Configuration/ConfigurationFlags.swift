/// Settings from the command line: they win over the environment and the file.
package struct ConfigurationFlags: Sendable, Equatable {
    package var data: String?
    package var listen: String?
    package var durability: String?
    package var logLevel: String?

    package init(
        data: String? = nil, listen: String? = nil, durability: String? = nil, logLevel: String? = nil
    ) {
        self.data = data
        self.listen = listen
        self.durability = durability
        self.logLevel = logLevel
    }

    /// The options that were given with the keys they set.
    var settings: [Setting] {
        let given = [("data", data), ("listen", listen), ("durability", durability), ("log_level", logLevel)]
        return given.compactMap { key, word in
            word.map { Setting(key: key, word: $0, place: "--" + key.replacing("_", with: "-")) }
        }
    }
}
