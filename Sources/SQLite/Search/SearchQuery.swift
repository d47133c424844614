/// What a person typed into the search field, as expressions for the two indexes.
///
/// All words must be there; the last one counts as the beginning of a word while it is being typed.
package struct SearchQuery: Equatable, Sendable {
    /// For the index of words; nil if there are none.
    package private(set) var words: String?
    /// For the index of pairs; nil if nothing is of a script without spaces.
    package private(set) var pairs: String?
    /// The stretches of such scripts, as typed.
    package private(set) var runs: [Substring] = []
    /// What is not of such scripts, as typed; the index may see more than one word in each.
    package private(set) var terms: [Substring] = []
    /// Whether the last of the terms is the beginning of a word that is still being typed.
    package private(set) var endsInBeginning = false

    /// How short a beginning may be: a single letter begins too many words to be of use.
    private static let shortestPrefix = 2

    /// Reads what was typed; at most its first thousand characters.
    package init(_ text: String) {
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
        var quoted = terms.map(Self.quoted)
        let isBeingTyped = text.unicodeScalars.last.map(Self.isToken) ?? false
        endsInBeginning = isBeingTyped && last.unicodeScalars.count >= Self.shortestPrefix
        if endsInBeginning { quoted[quoted.count - 1] += " *" }
        words = quoted.joined(separator: " ")
    }

    /// A term as a string of the index's language.
    ///
    /// Scalar by scalar: a quote with a mark on it is another character, and to the index it is a quote.
    private static func quoted(_ term: Substring) -> String {
        var quoted = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in term.unicodeScalars {
            if scalar == "\"" { quoted.append(scalar) }
            quoted.append(scalar)
        }
        quoted.append("\"")
        return String(quoted)
    }

    /// Whether the index would see a word in a term: letters, numbers and private characters make words.
    private static func hasToken(_ term: Substring) -> Bool { term.unicodeScalars.contains(where: isToken) }

    /// Whether the index of words takes a scalar as part of a word.
    package static func isToken(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .privateUse:
            true
        default: false
        }
    }
}
