/// Titles of conversations: made by a model where one is willing, and by the first words in any case.
package enum Title {
    /// The most characters that a title has.
    package static let maximumLength = 80

    /// The first words of a prompt, cut at a word.
    package static func firstWords(of prompt: String) -> String {
        shorten(oneLine(prompt), to: 60)
    }

    /// What a model said, made fit for a title; nil if nothing fit is left.
    ///
    /// A model may answer with reasoning, quotes, a label, several lines or nothing at all.
    package static func cleaned(_ said: String) -> String? {
        var text = said
        for (open, close) in [("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<reasoning>", "</reasoning>")] {
            while let start = text.firstRange(of: open) {
                guard let end = text[start.upperBound...].firstRange(of: close) else {
                    text.removeSubrange(start.lowerBound...)
                    break
                }
                text.removeSubrange(start.lowerBound..<end.upperBound)
            }
        }
        let lines = text.split(whereSeparator: \.isNewline).map { oneLine(String($0)) }
        guard var line = lines.first(where: { !$0.isEmpty }) else { return nil }
        if line.lowercased().hasPrefix("title:") { line = String(line.dropFirst(6)).trimmingSpace }
        while let first = line.first, "#*_`\"'“”‘’«»> ".contains(first) { line.removeFirst() }
        while let last = line.last, "*_`\"'“”‘’«».:;,<> ".contains(last) { line.removeLast() }
        guard line.contains(where: { $0.isLetter || $0.isNumber }), !line.contains("<|") else { return nil }
        return shorten(line, to: maximumLength)
    }

    private static func oneLine(_ text: String) -> String {
        var line = ""
        for character in text.prefix(1000) {
            if character.isWhitespace || character.unicodeScalars.allSatisfy(\.isControl) {
                if !line.isEmpty, line.last != " " { line.append(" ") }
            } else {
                line.append(character)
            }
        }
        return line.trimmingSpace
    }

    private static func shorten(_ text: String, to length: Int) -> String {
        guard text.count > length else { return text }
        let cut = text.prefix(length - 1)
        // Cut at a word, unless the last word alone is most of the text.
        if let space = cut.lastIndex(of: " "), cut.distance(from: cut.startIndex, to: space) > length / 2 {
            return String(cut[..<space]) + "…"
        }
        return cut + "…"
    }
}
