/// The page that `--help` shows for one command.
package struct HelpPage: Sendable, CustomStringConvertible {
    package let description: String

    /// Draws the page of the command at `path`.
    ///
    /// - Parameters:
    ///   - path: words that lead to a command of the tree, `rejoin account add`.
    ///   - columns: the terminal's width; lines are kept between 48 and 100 columns, where text reads well.
    package init<Action>(_ root: Command<Action>, path: String, columns: Int) {
        guard let command = root.all.first(where: { $0.path == path })?.command else {
            preconditionFailure("\(path) is not a command of the table")
        }
        let width = min(max(columns, 48), 100)
        var lines = ["Usage: " + Self.synopsis(command, path: path), ""]
        for paragraph in [command.summary] + command.discussion {
            lines += TextWrapping.lines(paragraph, width: width) + [""]
        }
        let sections = [
            ("Commands", command.subcommands.map { ($0.name, $0.summary) }),
            ("Arguments", command.arguments.map { ($0.shown, $0.summary) }),
            ("Options", command.allOptions(isRoot: path == root.name).map { ($0.shown, $0.shownSummary) }),
        ]
        let longest = sections.flatMap { $0.1.map(\.0.count) }.max() ?? 0
        let termWidth = min(longest, width / 3)
        for (title, entries) in sections where !entries.isEmpty {
            lines.append(title + ":")
            for (term, summary) in entries {
                lines += TextWrapping.entry(term, summary, termWidth: termWidth, width: width)
            }
            lines.append("")
        }
        if !command.subcommands.isEmpty {
            lines += TextWrapping.lines("\"\(path) COMMAND --help\" shows the page of a command.", width: width) + [""]
        }
        description = lines.dropLast().joined(separator: "\n")
    }

    static func synopsis<Action>(_ command: Command<Action>, path: String) -> String {
        var words = [path]
        if !command.subcommands.isEmpty { words.append("COMMAND") }
        words += command.arguments.map(\.shown)
        words += command.options.filter(\.isRequired).map(\.shown)
        if command.options.contains(where: { !$0.isRequired }) { words.append("[OPTIONS]") }
        return words.joined(separator: " ")
    }
}

extension Argument {
    var shown: String {
        switch count {
        case .one: name
        case .optional: "[\(name)]"
        case .oneOrMore: name + "…"
        }
    }
}

extension Option {
    /// `-h, --help`, `--data DIR`.
    var shown: String {
        (short.map { "-\($0), " } ?? "") + "--" + name + (placeholder.map { " " + $0 } ?? "")
    }

    /// The summary, and the values to choose from.
    var shownSummary: String {
        guard case .oneOf(let allowed) = value else { return summary }
        return summary + " One of " + allowed.joined(separator: ", ") + "."
    }
}
