/// Writes text in the one form that the later steps expect.
enum Normalise {
    /// One line: runs of white space become one space, and there is none at the ends.
    static func spaces(_ text: some StringProtocol) -> String {
        var line = ""
        line.reserveCapacity(text.utf8.count)
        var needsSpace = false
        for character in text {
            if character.isWhitespace || character == "\u{200B}" || character == "\u{FEFF}" {
                needsSpace = !line.isEmpty
            } else {
                if needsSpace { line.append(" ") }
                needsSpace = false
                line.append(character)
            }
        }
        return line
    }

    /// The text without white space at its ends; what is inside stays.
    static func trimmed(_ text: some StringProtocol) -> String {
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[first...last])
    }

    /// What two words must share to be the same for a person: case, and white space around, do not count.
    static func key(_ text: some StringProtocol) -> String { spaces(text).lowercased() }

    /// The word of a list that a text means; `nil` where it means none, or could mean two.
    static func choice(_ text: String, of words: some Sequence<String>) -> String? {
        var words = Array(words)
        if words.contains(text) { return text }
        let key = key(text)
        words.removeAll { self.key($0) != key }
        return words.count == 1 ? words[0] : nil
    }

    /// The beginning of a text, cut between characters, with a sign that it goes on.
    static func shortened(_ text: some StringProtocol, to count: Int) -> String {
        let line = spaces(text)
        return line.count <= count ? line : trimmed(line.prefix(max(0, count - 1))) + "…"
    }
}
