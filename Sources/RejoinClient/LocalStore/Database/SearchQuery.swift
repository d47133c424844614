/// What a person typed into the search field, as expressions for the two indexes.
///
/// All words must be there; the last one counts as the beginning of a word while it is being typed.
struct SearchQuery: Equatable {
    /// For the index of words; nil if there are none.
    private(set) var words: String?
    /// For the index of pairs; nil if nothing is of a script without spaces.
    private(set) var pairs: String?
    /// The stretches of such scripts, as typed.
    private(set) var runs: [Substring] = []

    /// How short a beginning may be: a single letter begins too many words to be of use.
    private static let shortestPrefix = 2

    init(_ text: String) {
        var terms: [Substring] = []
        let isSeparator = { (character: Character) in
            character.isWhitespace || character.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        for chunk in text.prefix(1000).split(whereSeparator: isSeparator) {
            var rest = chunk.unicodeScalars[...]
            while let first = rest.first {
                let isUnspaced = UnspacedText.contains(first)
                let end = rest.firstIndex { UnspacedText.contains($0) != isUnspaced } ?? rest.endIndex
                let term = Substring(rest[..<end])
                rest = rest[end...]
                if isUnspaced { runs.append(term) } else if Self.hasToken(term) { terms.append(term) }
            }
        }
        if !runs.isEmpty { pairs = runs.map(UnspacedText.expression).joined(separator: " ") }
        guard let last = terms.last else { return }
        var quoted = terms.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }
        let isBeingTyped = text.unicodeScalars.last.map(Self.isToken) ?? false
        if isBeingTyped, last.unicodeScalars.count >= Self.shortestPrefix { quoted[quoted.count - 1] += " *" }
        words = quoted.joined(separator: " ")
    }

    /// Whether the index would see a word in a term: letters, numbers and private characters make words.
    private static func hasToken(_ term: Substring) -> Bool { term.unicodeScalars.contains(where: isToken) }

    private static func isToken(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .privateUse:
            true
        default: false
        }
    }
}
