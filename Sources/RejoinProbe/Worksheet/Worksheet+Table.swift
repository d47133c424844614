extension Worksheet {
    /// One probe as lines for a terminal of so many columns: the outcome, and what was seen below it.
    ///
    /// - Parameter isPlain: without colours.
    package static func lines(of finding: Finding, columns: Int, isPlain: Bool) -> [String] {
        let mark =
            switch finding.outcome {
            case .asDecided: "32"
            case .differs, .brokeOff: "31"
            case .notOffered: "33"
            }
        let outcome = padded(finding.outcome.rawValue, to: 12)
        let shown = isPlain ? outcome : "\u{1B}[\(mark)m\(outcome)\u{1B}[0m"
        var lines = [
            padded(finding.number, to: 7) + padded(finding.title, to: 16) + shown
                + padded(finding.confidence.rawValue, to: 8) + finding.took.inSeconds
        ]
        // What went as decided needs no words; what did not, all of them.
        if finding.outcome != .asDecided {
            lines += wrapped(plainLine(finding.observed), to: max(20, columns - 7)).map { "       " + $0 }
        }
        return lines
    }

    /// The line above the first probe.
    package static let heading =
        padded("probe", to: 7) + padded("what", to: 16) + padded("outcome", to: 12) + padded("sure", to: 8) + "took"

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    /// Text from outside without anything that would drive the terminal.
    private static func plainLine(_ text: String) -> String {
        String(
            text.unicodeScalars.map { scalar -> Character in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: scalar == "\n" ? " " : "\u{FFFD}"
                default: Character(scalar)
                }
            })
    }

    private static func wrapped(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
