/// A script that completes the command line in a shell.
package struct CompletionScript: Sendable, CustomStringConvertible {
    /// The shells that scripts are written for.
    package enum Shell: String, CaseIterable, Sendable { case bash, zsh, fish }

    package let description: String

    /// Writes the script.
    package init<Action>(_ root: Command<Action>, shell: Shell) {
        let lines =
            switch shell {
            case .bash: Self.bash(root)
            case .zsh: Self.zsh(root)
            case .fish: Self.fish(root)
            }
        description = lines.joined(separator: "\n") + "\n"
    }

    /// A word that a shell takes as it stands.
    static func quote(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
