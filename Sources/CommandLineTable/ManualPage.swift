/// The manual page of the whole tree, as roff for `man`.
package struct ManualPage: Sendable, CustomStringConvertible {
    /// A section that the table knows nothing of, such as the environment.
    package struct Section: Sendable {
        package let title: String
        package let entries: [(term: String, text: String)]

        package init(_ title: String, entries: [(term: String, text: String)]) {
            self.title = title
            self.entries = entries
        }
    }

    package let description: String

    /// Writes the page.
    package init<Action>(_ root: Command<Action>, version: String, sections: [Section] = []) {
        let name = root.name
        var lines = [
            ".TH \(name.uppercased()) 1 \"\" \"\(name) \(Self.escape(version))\" \"User Commands\"",
            ".SH NAME", "\(name) \\- " + Self.escape(Self.asPhrase(root.summary)),
            ".SH SYNOPSIS", ".B " + Self.escape(name), Self.escape("COMMAND [OPTIONS]"), ".SH DESCRIPTION",
        ]
        lines += Self.paragraphs(root.discussion)
        lines.append(".SH COMMANDS")
        for (path, command) in root.all where command.action != nil {
            lines.append(".SS " + Self.escape(HelpPage.synopsis(command, path: path)))
            lines += Self.paragraphs([command.summary] + command.discussion)
            for argument in command.arguments { lines += Self.entry(argument.shown, argument.summary) }
            for option in command.options { lines += Self.entry(option.shown, option.shownSummary) }
        }
        lines.append(".SH OPTIONS")
        for option in root.allOptions(isRoot: true) { lines += Self.entry(option.shown, option.shownSummary) }
        for section in sections {
            lines.append(".SH " + Self.escape(section.title))
            for entry in section.entries { lines += Self.entry(entry.term, entry.text) }
        }
        lines.append(".SH EXIT STATUS")
        lines += Self.entry("0", "It was done.")
        lines += Self.entry("1", "It failed; standard error says why.")
        lines += Self.entry("\(UsageError.exitCode)", "The command line was not understood.")
        lines += Self.entry("78", "The configuration was refused; standard error names the place.")
        description = lines.joined(separator: "\n") + "\n"
    }

    /// A summary as the middle of a sentence.
    private static func asPhrase(_ summary: String) -> String {
        let phrase = summary.prefix(1).lowercased() + summary.dropFirst()
        return phrase.hasSuffix(".") ? String(phrase.dropLast()) : phrase
    }

    private static func paragraphs(_ texts: [String]) -> [String] { texts.flatMap { [".PP", escape($0)] } }

    private static func entry(_ term: String, _ text: String) -> [String] {
        [".TP", ".B " + escape(term), escape(text)]
    }

    /// Keeps roff from reading the text as its own: backslashes, hyphens, control lines, letters beyond ASCII.
    static func escape(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "\n": result += " "
            case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
            }
        }
        return result.hasPrefix(".") || result.hasPrefix("'") ? "\\&" + result : result
    }
}
