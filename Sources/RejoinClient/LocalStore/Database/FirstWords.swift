/// The title of a conversation before the server has made one.
enum FirstWords {
    private static let longest = 60

    /// The first line with anything on it, cut at a space where it is long.
    static func title(of prompt: String) -> String {
        // Enough to find the line, however long the prompt is.
        let start = prompt.prefix(2000).drop { $0.isWhitespace }
        let line = start.prefix { !$0.isNewline }
        let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            .filter { !$0.unicodeScalars.contains { $0.properties.generalCategory == .control } }
        guard words.count > longest else { return words }
        let cut = words.prefix(longest)
        let end = cut.lastIndex(of: " ") ?? cut.endIndex
        return cut[..<end] + "…"
    }
}
