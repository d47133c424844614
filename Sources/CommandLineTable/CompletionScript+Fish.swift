extension CompletionScript {
    /// One `complete` line for each thing that can be typed, with the commands before it as its condition.
    static func fish<Action>(_ root: Command<Action>) -> [String] {
        let base = "complete -c " + root.name
        var lines = [base + " -f"]
        for (path, command) in root.all {
            let names = path.split(separator: " ").dropFirst().map(String.init)
            let condition = quote(fishCondition(names, siblings: command.subcommands.map(\.name)))
            for child in command.subcommands {
                lines.append("\(base) -n \(condition) -a \(child.name) -d \(quote(child.summary))")
            }
            for argument in command.arguments {
                guard case .oneOf(let allowed) = argument.value else { continue }
                lines.append(
                    "\(base) -n \(condition) -a \(quote(allowed.joined(separator: " "))) -d \(quote(argument.summary))")
            }
            for option in command.allOptions(isRoot: path == root.name) {
                let short = option.short.map { " -s \($0)" } ?? ""
                let value = option.placeholder == nil ? "" : fishValue(option.value)
                lines.append("\(base) -n \(condition)\(short) -l \(option.name)\(value) -d \(quote(option.summary))")
            }
        }
        return lines
    }

    private static func fishCondition(_ names: [String], siblings: [String]) -> String {
        guard !names.isEmpty else { return "__fish_use_subcommand" }
        let seen = names.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
        guard !siblings.isEmpty else { return seen }
        return seen + "; and not __fish_seen_subcommand_from " + siblings.joined(separator: " ")
    }

    private static func fishValue(_ value: ValueKind) -> String {
        switch value {
        case .text: " -x"
        case .file: " -r -F"
        case .folder: " -x -a '(__fish_complete_directories)'"
        case .oneOf(let allowed): " -x -a " + quote(allowed.joined(separator: " "))
        }
    }
}
