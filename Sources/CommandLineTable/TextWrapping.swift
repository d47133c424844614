/// Breaks text into lines for a terminal.
enum TextWrapping {
    /// The lines of one paragraph, none wider than `width` unless a single word is.
    static func lines(_ paragraph: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in paragraph.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// A term and its description side by side, the term on a line of its own where it is too long.
    static func entry(_ term: String, _ description: String, termWidth: Int, width: Int) -> [String] {
        let indent = String(repeating: " ", count: termWidth + 4)
        var described = lines(description, width: max(20, width - indent.count)).map { indent + $0 }
        let term = "  " + term
        guard term.count + 2 <= indent.count, let first = described.first else { return [term] + described }
        described[0] = term + first.dropFirst(term.count)
        return described
    }
}
