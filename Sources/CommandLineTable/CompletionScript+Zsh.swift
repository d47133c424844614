extension CompletionScript {
    /// One function a command: it describes its options and words, and hands on to the functions of its subcommands.
    static func zsh<Action>(_ root: Command<Action>) -> [String] {
        var lines = ["#compdef \(root.name)"]
        for (path, command) in root.all {
            let function = zshFunction(path)
            lines += ["", "\(function)() {"]
            var specifications = command.allOptions(isRoot: path == root.name).map(zshSpecification)
            if command.subcommands.isEmpty {
                specifications += command.arguments.map { argument in
                    let place = argument.count == .one ? "" : "*"
                    return quote("\(place):\(zshText(argument.name)):\(zshAction(argument.value))")
                }
                lines.append("    _arguments \(specifications.joined(separator: " \\\n        "))")
            } else {
                specifications += [quote("1:command:->command"), quote("*::argument:->rest")]
                lines += [
                    "    local context state line",
                    "    typeset -A opt_args",
                    "    _arguments -C \(specifications.joined(separator: " "))",
                    "    case $state in",
                    "        command)",
                    "            local -a commands",
                    "            commands=(",
                ]
                lines += command.subcommands.map { "                " + quote("\($0.name):\($0.summary)") }
                lines += [
                    "            )", "            _describe command commands ;;", "        rest)",
                    "            case $words[1] in",
                ]
                lines += command.subcommands.map {
                    "                \($0.name)) \(zshFunction(path + " " + $0.name)) ;;"
                }
                lines += ["            esac ;;", "    esac"]
            }
            lines.append("}")
        }
        // Loaded by autoload the file is the function's body, sourced it registers itself.
        let function = zshFunction(root.name)
        lines += [
            "", "if [ \"$funcstack[1]\" = \(function) ]; then", "    \(function) \"$@\"", "else",
            "    compdef \(function) \(root.name)", "fi",
        ]
        return lines
    }

    private static func zshFunction(_ path: String) -> String {
        "_" + path.split(separator: " ").joined(separator: "_")
    }

    private static func zshSpecification(_ option: Option) -> String {
        let value = option.placeholder.map { ":\(zshText($0)):\(zshAction(option.value))" } ?? ""
        let rest = quote("[\(zshText(option.summary))]" + value)
        guard let short = option.short else { return "--" + option.name + rest }
        return "'(-\(short) --\(option.name))'{-\(short),--\(option.name)}" + rest
    }

    private static func zshAction(_ value: ValueKind) -> String {
        switch value {
        case .text: " "
        case .file: "_files"
        case .folder: "_files -/"
        case .oneOf(let allowed): "(" + allowed.joined(separator: " ") + ")"
        }
    }

    /// Brackets and colons end a description.
    private static func zshText(_ text: String) -> String {
        String(text.flatMap { "[]:\\".contains($0) ? ["\\", $0] : [$0] })
    }
}
