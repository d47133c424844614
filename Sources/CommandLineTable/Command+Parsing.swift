import RejoinCore

extension Command {
    /// Reads a command line, the program's own name left out.
    ///
    /// - Throws: ``UsageError`` with the words to show.
    package func parse(_ words: [String]) throws(UsageError) -> CommandRequest<Action> {
        var command = self
        var path = name
        var rest = words[...]
        while command.action == nil {
            guard let word = rest.popFirst() else {
                throw UsageError(
                    path: path, "name a command: \(command.subcommands.map(\.name).joined(separator: ", "))")
            }
            if word == "--help" || word == "-h" { return .help(path: path) }
            if word == "--version", path == name { return .version }
            guard let next = command.subcommands.first(where: { $0.name == word }) else {
                let isOption = word.hasPrefix("-") && word != "-"
                let known = isOption ? command.optionWords(isRoot: path == name) : command.subcommands.map(\.name)
                throw UsageError(
                    path: path,
                    "unknown \(isOption ? "option" : "command") \"\(word)\"" + NearestName.hint(for: word, among: known)
                )
            }
            command = next
            path += " " + next.name
        }
        var reading = LineReading(command: command, path: path, isRoot: path == name)
        return try reading.read(rest)
    }

    fileprivate func optionWords(isRoot: Bool) -> [String] { allOptions(isRoot: isRoot).map { "--" + $0.name } }
}

/// Reads what follows the words that name a command.
private struct LineReading<Action: Sendable & Equatable> {
    let command: Command<Action>
    let path: String
    let isRoot: Bool
    private var given: [String: String] = [:]
    private var switches: Set<String> = []
    private var positionals: [String] = []

    init(command: Command<Action>, path: String, isRoot: Bool) {
        self.command = command
        self.path = path
        self.isRoot = isRoot
    }

    mutating func read(_ words: ArraySlice<String>) throws(UsageError) -> CommandRequest<Action> {
        var rest = words
        var optionsEnded = false
        while let word = rest.popFirst() {
            if optionsEnded || word == "-" || !word.hasPrefix("-") {
                positionals.append(word)
            } else if word == "--" {
                optionsEnded = true
            } else {
                let equals = word.firstIndex(of: "=")
                let name = String(word[..<(equals ?? word.endIndex)])
                let option = try option(called: name)
                if option == .help { return .help(path: path) }
                if isRoot, option == .version { return .version }
                try set(option, attached: equals.map { String(word[word.index(after: $0)...]) }, rest: &rest)
            }
        }
        return .run(try invocation())
    }

    private func option(called name: String) throws(UsageError) -> Option {
        let options = command.allOptions(isRoot: isRoot)
        if let found = options.first(where: { "--" + $0.name == name || $0.short.map { "-\($0)" } == name }) {
            return found
        }
        let hint = NearestName.hint(for: name, among: command.optionWords(isRoot: isRoot))
        throw UsageError(path: path, "unknown option \"\(name)\"\(hint)")
    }

    private mutating func set(
        _ option: Option, attached: String?, rest: inout ArraySlice<String>
    ) throws(UsageError) {
        let flag = "--" + option.name
        guard given[option.name] == nil, !switches.contains(option.name) else {
            throw UsageError(path: path, "\(flag) is given twice")
        }
        guard let placeholder = option.placeholder else {
            guard attached == nil else { throw UsageError(path: path, "\(flag) takes no value") }
            switches.insert(option.name)
            return
        }
        let value: String
        if let attached {
            value = attached
        } else if let next = rest.first, next == "-" || !next.hasPrefix("-") {
            value = next
            rest.removeFirst()
        } else {
            // A following option is more often a forgotten value than a value; `--name=-value` says the other.
            throw UsageError(path: path, "\(flag) needs a value: \(flag) \(placeholder)")
        }
        guard !value.isEmpty else { throw UsageError(path: path, "the value of \(flag) is empty") }
        try check(value, option.value, of: flag)
        given[option.name] = value
    }

    private func check(_ value: String, _ kind: ValueKind, of name: String) throws(UsageError) {
        guard case .oneOf(let allowed) = kind, !allowed.contains(value) else { return }
        let hint = NearestName.hint(for: value, among: allowed)
        throw UsageError(
            path: path, "\(name) is one of \(allowed.joined(separator: ", ")), not \"\(value)\"\(hint)")
    }

    private func invocation() throws(UsageError) -> Invocation<Action> {
        guard let action = command.action else {
            preconditionFailure("\(path) has subcommands; the parser goes on to one of them")
        }
        var result = Invocation(action: action, path: path)
        result.options = given
        result.switches = switches
        if let missing = command.options.first(where: { $0.isRequired && given[$0.name] == nil }) {
            throw UsageError(path: path, "--\(missing.name) \(missing.placeholder ?? "") is needed")
        }
        var left = positionals[...]
        for argument in command.arguments {
            if left.isEmpty, argument.count == .optional { continue }
            guard !left.isEmpty else { throw UsageError(path: path, "\(argument.name) is missing") }
            let words = argument.count == .oneOrMore ? left : left.prefix(1)
            for word in words { try check(word, argument.value, of: argument.name) }
            result.arguments[argument.name] = Array(words)
            left = left.dropFirst(words.count)
        }
        if let surplus = left.first { throw UsageError(path: path, "unexpected \"\(surplus)\"") }
        return result
    }
}
