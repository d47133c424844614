/// Where the programs of a person keep their data.
package enum DataHome {
    /// `XDG_DATA_HOME`, or where that is by default; the XDG rules say that a relative path there is to be ignored.
    package static func path(_ environment: [String: String]) -> String {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data }
        return (environment["HOME"] ?? "") + "/.local/share"
    }
}
