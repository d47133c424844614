/// A command line that was understood.
package struct Invocation<Action: Sendable & Equatable>: Sendable, Equatable {
    package let action: Action
    /// The words that name the command: `rejoin account add`.
    package let path: String
    /// Options with a value, by long name.
    package var options: [String: String] = [:]
    /// Switches that were set, by long name.
    package var switches: Set<String> = []
    /// Positional words by the name of their argument.
    package var arguments: [String: [String]] = [:]

    package init(action: Action, path: String) {
        self.action = action
        self.path = path
    }

    /// The value of an option, or nil if it was not given.
    package subscript(option name: String) -> String? { options[name] }

    /// The words of an argument joined by spaces, as they were typed.
    ///
    /// The parser lets no command line through that lacks one, so an argument of the table always has a word, unless it
    /// may be left out: then this is empty.
    package subscript(argument name: String) -> String { arguments[name, default: []].joined(separator: " ") }
}

/// What a command line asks for.
package enum CommandRequest<Action: Sendable & Equatable>: Sendable, Equatable {
    case run(Invocation<Action>)
    /// The help page of the command at this path.
    case help(path: String)
    case version
}
