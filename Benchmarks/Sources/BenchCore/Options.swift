/// The command line as names with values, `--streams 50`; a name without a value is a switch.
package struct Options: Sendable {
    /// A command line that cannot be understood.
    package struct Failure: Error, CustomStringConvertible {
        /// What is wrong, for the person at the terminal.
        package let description: String

        /// Says what is wrong.
        package init(description: String) { self.description = description }
    }

    private var values: [String: String] = [:]

    /// Reads the arguments after the program's name; `known` are the names that exist.
    ///
    /// - Throws: ``Failure`` for a name that does not exist.
    package init(_ arguments: some Sequence<String>, known: Set<String>) throws(Failure) {
        var name: String?
        for argument in arguments {
            if argument.hasPrefix("--") {
                let next = String(argument.dropFirst(2))
                guard known.contains(next) else { throw Failure(description: "unknown option \(argument)") }
                values[next] = ""
                name = next
            } else if let current = name {
                values[current] = argument
                name = nil
            } else {
                throw Failure(description: "unexpected \(argument)")
            }
        }
    }

    /// Whether the name was given at all.
    package func contains(_ name: String) -> Bool { values[name] != nil }

    /// The text after the name, if it was given.
    package func text(_ name: String) -> String? { values[name] }

    /// The whole number after the name.
    ///
    /// - Throws: ``Failure`` if there is something else after it.
    package func number(_ name: String, default fallback: Int) throws(Failure) -> Int {
        guard let text = values[name] else { return fallback }
        guard let number = Int(text) else { throw Failure(description: "--\(name) needs a number") }
        return number
    }
}
