/// What a terminal can show, as its environment says.
package struct TerminalAbility: Equatable, Sendable {
    /// Whether colours are wanted (`NO_COLOR` says no).
    package var hasColour: Bool
    /// Whether text can lead to an address (OSC 8).
    package var hasLinks: Bool

    /// Reads an environment.
    ///
    /// No terminal can be asked about links without waiting for it; those that know them are known by what they say of
    /// themselves. `FORCE_HYPERLINK` decides where that is wrong.
    package init(environment: [String: String]) {
        hasColour = environment["NO_COLOR", default: ""].isEmpty
        hasLinks = Self.hasLinks(environment)
    }

    private static func hasLinks(_ environment: [String: String]) -> Bool {
        if let forced = environment["FORCE_HYPERLINK"], !forced.isEmpty { return forced != "0" }
        let name = environment["TERM", default: ""]
        // What stands between us and the terminal may not pass links on.
        if name.hasPrefix("screen") || name.hasPrefix("tmux") || name == "dumb" || name.isEmpty { return false }
        if environment["WT_SESSION"] != nil || environment["KONSOLE_VERSION"] != nil { return true }
        if let version = environment["VTE_VERSION"].flatMap({ Int($0) }), version >= 5000 { return true }
        if ["xterm-kitty", "xterm-ghostty", "foot", "alacritty", "wezterm"].contains(name) { return true }
        return ["iTerm.app", "WezTerm", "vscode", "ghostty"].contains(environment["TERM_PROGRAM", default: ""])
    }
}
