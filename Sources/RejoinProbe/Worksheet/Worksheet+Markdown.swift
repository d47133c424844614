extension Worksheet {
    /// As a page in Markdown: a table, then each probe with all that was seen.
    package var markdown: String {
        var lines = [
            "# Probe worksheet", "", "Subject: \(Self.plain(subject))  ", "Made: \(madeAt)  ", "Result: \(summary)", "",
        ]
        lines += ["| Probe | What | Outcome | Confidence | Took |", "|---|---|---|---|---|"]
        for finding in findings {
            lines.append(
                "| \(finding.number) | \(finding.title) | \(finding.outcome.rawValue) | "
                    + "\(finding.confidence.rawValue) | \(finding.took.inSeconds) |")
        }
        for finding in findings { lines += section(finding) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func section(_ finding: Finding) -> [String] {
        var lines = ["", "## \(finding.number) \(finding.title): \(finding.outcome.rawValue)", ""]
        lines.append("- Decided: \(finding.decided)")
        lines.append("- Seen: \(Self.plain(finding.observed))")
        lines.append(
            "- Confidence: \(finding.confidence.rawValue)"
                + (finding.doubts.isEmpty ? "" : " (" + Self.plain(finding.doubts.joined(separator: "; ")) + ")"))
        if !finding.timings.isEmpty {
            lines.append("- Times:")
            lines += finding.timings.map { "  - \($0.name): \($0.duration.inSeconds)" }
        }
        if !finding.evidence.isEmpty {
            lines.append("- Evidence:")
            lines += finding.evidence.map { "  - \(Self.plain($0))" }
        }
        return lines
    }

    /// Text from outside, so that it stays on its line and makes no Markdown of its own.
    static func plain(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n", "\r", "\t": result.unicodeScalars.append(" ")
            case "|", "*", "_", "`", "<", "[", "]", "\\", "#":
                result.unicodeScalars.append("\\")
                result.unicodeScalars.append(scalar)
            default: result.unicodeScalars.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
            }
        }
        return result
    }
}
