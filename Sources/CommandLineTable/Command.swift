/// One command of the table: what it is called, what it takes, and what it stands for.
///
/// Parsing, help, completion and the manual page are all read from this one value, so none of them can disagree.
/// A command either has subcommands or an action; ``init(_:summary:discussion:subcommands:)`` and
/// ``init(_:action:summary:discussion:arguments:options:)`` leave no third way.
package struct Command<Action: Sendable & Equatable>: Sendable, Equatable {
    /// The word that is typed.
    package let name: String
    /// One line for lists of commands, starting with a verb.
    package let summary: String
    /// Paragraphs for the command's own help page; empty where the summary says it all.
    package let discussion: [String]
    /// Words in order; only the last may stand for several.
    package let arguments: [Argument]
    package let options: [Option]
    package let subcommands: [Command<Action>]
    /// What is done; nil where a subcommand has to be named.
    package let action: Action?

    /// A command that does something.
    package init(
        _ name: String, action: Action, summary: String, discussion: [String] = [], arguments: [Argument] = [],
        options: [Option] = []
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.arguments = arguments
        self.options = options
        self.subcommands = []
        self.action = action
    }

    /// A command that only gathers others under one word.
    package init(_ name: String, summary: String, discussion: [String] = [], subcommands: [Command<Action>]) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.arguments = []
        self.options = []
        self.subcommands = subcommands
        self.action = nil
    }

    /// Every command of the tree with the words that lead to it, parents first.
    package var all: [(path: String, command: Command<Action>)] {
        [(name, self)] + subcommands.flatMap { child in child.all.map { (name + " " + $0.path, $0.command) } }
    }
}

/// A word that a command takes by its place.
package struct Argument: Sendable, Equatable {
    /// How many words it stands for.
    package enum Count: Sendable, Equatable { case one, optional, oneOrMore }

    /// How help shows it, and the name to read it by.
    package let name: String
    package let summary: String
    package let count: Count
    package let value: ValueKind

    package init(_ name: String, _ summary: String, count: Count = .one, value: ValueKind = .text) {
        self.name = name
        self.summary = summary
        self.count = count
        self.value = value
    }
}

/// A named setting of a command: `--name VALUE`, or a bare switch.
package struct Option: Sendable, Equatable {
    /// The long name without its dashes.
    package let name: String
    package let short: Character?
    /// How help shows the value; nil for a switch.
    package let placeholder: String?
    package let value: ValueKind
    package let summary: String
    package let isRequired: Bool

    /// An option with a value.
    package init(
        _ name: String, _ placeholder: String, _ summary: String, value: ValueKind = .text, isRequired: Bool = false
    ) {
        self.name = name
        self.short = nil
        self.placeholder = placeholder
        self.value = value
        self.summary = summary
        self.isRequired = isRequired
    }

    /// A switch.
    package init(switch name: String, short: Character? = nil, _ summary: String) {
        self.name = name
        self.short = short
        self.placeholder = nil
        self.value = .text
        self.summary = summary
        self.isRequired = false
    }
}

/// What may stand for a value, as far as parsing and completion need to know.
package enum ValueKind: Sendable, Equatable {
    case text
    case file
    case folder
    /// One of a closed list; others are refused.
    case oneOf([String])
}

extension Option {
    /// The switch that every command has.
    package static let help = Option(switch: "help", short: "h", "Show this page.")
    /// The switch that the outermost command has.
    package static let version = Option(switch: "version", "Print the version.")
}

extension Command {
    /// The command's options and the switches that come with its place in the tree.
    func allOptions(isRoot: Bool) -> [Option] { options + (isRoot ? [.help, .version] : [.help]) }
}
