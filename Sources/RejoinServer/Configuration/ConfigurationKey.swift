import RejoinCore

/// One key of the configuration: how it is read, and what the reference page says of it.
///
/// `Target` is what the key belongs to: the whole, a model, the limits.
struct ConfigurationKey<Target>: Sendable {
    let name: String
    /// What a value has to be, as the end of "must be …".
    let expected: String
    /// The default as the reference page shows it; nil where a value is required.
    let standard: String?
    let summary: String
    /// Puts a value, which knows what is expected of it, into its target.
    let assign: @Sendable (Setting, inout Target) throws(ConfigurationError) -> Void

    /// Reads a value into its target.
    func read(_ setting: Setting, into target: inout Target) throws(ConfigurationError) {
        try assign(setting.expecting(expected), &target)
    }

    /// The nearest right name for one that is not known, or the list of them.
    static func unknown(_ name: String, at place: String, among known: [String]) -> ConfigurationError {
        let hint = NearestName.hint(for: name, among: known)
        return ConfigurationError(
            at: place,
            "unknown key \"\(name)\"" + (hint.isEmpty ? "; known here: " + known.joined(separator: ", ") : hint))
    }
}
