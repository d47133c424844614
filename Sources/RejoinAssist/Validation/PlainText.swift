/// What models put around the text that was asked for, and what they say instead of it.
enum PlainText {
    /// The text without white space around it and without one layer of quotes or a fence that only presents it.
    ///
    /// Quotes stay where the original had them too, and where they do not enclose the whole.
    static func unwrapped(_ text: String, like original: String) -> String {
        let text = unfenced(Normalise.trimmed(text))
        guard let first = text.first, let last = text.last, text.count >= 2 else { return text }
        let pairs: [(Character, Character)] = [
            ("\"", "\""), ("“", "”"), ("„", "“"), ("„", "”"), ("«", "»"), ("»", "«"), ("‘", "’"), ("「", "」"),
            ("'", "'"),
            ("`", "`"),
        ]
        guard pairs.contains(where: { $0.0 == first && $0.1 == last }) else { return text }
        let original = Normalise.trimmed(original)
        if original.first == first, original.last == last { return text }
        let inside = text.dropFirst().dropLast()
        // «"Yes" or "no"» begins and ends with a quote and is not in quotes.
        guard !inside.contains(first), !inside.contains(last) else { return text }
        return Normalise.trimmed(inside)
    }

    private static func unfenced(_ text: String) -> String {
        guard text.hasPrefix("```"), text.hasSuffix("```"), text.count > 6,
            let lineEnd = text.firstIndex(where: \.isNewline)
        else { return text }
        let inside = text[text.index(after: lineEnd)...].dropLast(3)
        return inside.contains("```") ? text : Normalise.trimmed(inside)
    }

    /// The links to the web in a text, as they stand.
    static func links(in text: String) -> [String] {
        text.split(whereSeparator: { $0.isWhitespace || "<>()[]\"".contains($0) }).compactMap { word in
            let folded = word.lowercased()
            guard folded.contains("://") || folded.hasPrefix("www.") else { return nil }
            var link = word
            while let last = link.last, ".,;:!?'".contains(last) { link.removeLast() }
            return String(link)
        }
    }

    /// Whether a text declines in words, as models do; what the person wrote themselves is no refusal.
    static func declines(_ text: String, insteadOf original: String) -> Bool {
        let start = opening(text)
        let own = opening(original)
        return refusals.contains { start.hasPrefix($0) && !own.hasPrefix($0) }
    }

    private static func opening(_ text: String) -> String {
        var line = Normalise.key(text.prefix(160)).replacing("’", with: "'")
        for politeness in [
            "i'm sorry, ", "i am sorry, ", "sorry, ", "i apologize, ", "unfortunately, ", "es tut mir leid, ",
            "tut mir leid, ", "leider ", "désolé, ", "je suis désolé, ", "lo siento, ", "mi dispiace, ",
        ]
        where line.hasPrefix(politeness) {
            line = String(line.dropFirst(politeness.count))
        }
        for link in ["but ", "aber ", "mais ", "pero ", "ma "] where line.hasPrefix(link) {
            line = String(line.dropFirst(link.count))
        }
        return line
    }

    private static let refusals = [
        "i can't assist", "i cannot assist", "i can't help", "i cannot help", "i'm unable to", "i am unable to",
        "i can't rewrite", "i cannot rewrite", "i can't fulfill", "i cannot fulfill", "i can't comply",
        "i cannot comply",
        "i'm not able to", "i am not able to", "i won't be able to", "as an ai", "i'm just an ai", "i can't provide",
        "i cannot provide", "ich kann dabei nicht helfen", "ich kann ihnen dabei nicht", "ich kann dir dabei nicht",
        "ich kann diese anfrage", "als ki", "je ne peux pas vous aider", "je ne peux pas aider", "en tant qu'ia",
        "no puedo ayudar", "no puedo ayudarte", "como ia", "non posso aiutar",
    ]
}
