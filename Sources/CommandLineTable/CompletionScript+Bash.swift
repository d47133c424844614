extension CompletionScript {
    /// Walks the words up to the cursor to learn the command, then offers its options, subcommands or values.
    static func bash<Action>(_ root: Command<Action>) -> [String] {
        let function = "_" + root.name
        let commands = root.all
        var lines = [
            "\(function)() {",
            "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}",
            "    local path=\(root.name) words='' index IFS=$' \\t\\n'",
            "    for ((index = 1; index < COMP_CWORD; index++)); do",
            "        case \"$path ${COMP_WORDS[index]}\" in",
            "            \(commands.dropFirst().map { quote($0.path) }.joined(separator: "|")))",
            "                path=\"$path ${COMP_WORDS[index]}\" ;;",
            "        esac",
            "    done",
            "    COMPREPLY=()",
            "    case \"$path $previous\" in",
        ]
        for (path, command) in commands {
            for option in command.options where option.placeholder != nil {
                lines.append("        \(quote(path + " --" + option.name))) \(bashReply(option.value))return ;;")
            }
        }
        lines += ["    esac", "    case \"$path\" in"]
        for (path, command) in commands {
            var offered = command.subcommands.map(\.name)
            for argument in command.arguments {
                if case .oneOf(let allowed) = argument.value { offered += allowed }
            }
            offered += command.allOptions(isRoot: path == root.name).map { "--" + $0.name }
            lines.append("        \(quote(path))) words=\(quote(offered.joined(separator: " "))) ;;")
        }
        lines += [
            "    esac",
            "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))",
            "}",
            "complete -F \(function) \(root.name)",
        ]
        return lines
    }

    private static func bashReply(_ value: ValueKind) -> String {
        switch value {
        case .text: ""
        case .file: "IFS=$'\\n'; compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$current\")); "
        case .folder: "IFS=$'\\n'; compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- \"$current\")); "
        case .oneOf(let allowed):
            "COMPREPLY=($(compgen -W \(quote(allowed.joined(separator: " "))) -- \"$current\")); "
        }
    }
}
