/// What the lexer has to know of a language.
struct CodeLanguage: Sendable {
    /// How a language as a whole is built.
    enum Shape: Sendable {
        /// Words, numbers, texts and comments.
        case words
        /// Tags.
        case markup
        /// Lines that say what they are by their first character.
        case difference
        /// Markdown itself.
        case prose
    }

    /// How texts are written.
    struct Quote: Sendable {
        var open: StaticString
        var close: StaticString
        var hasEscapes = true
        var isMultiline = false
    }

    /// Its names after a fence, blanks between and at the end.
    var names: StaticString
    var shape = Shape.words
    /// Blanks between and at the end.
    var keywords: StaticString = ""
    /// Blanks between and at the end.
    var literals: StaticString = "true false null "
    var lineComment: StaticString = ""
    var otherLineComment: StaticString = ""
    var blockOpen: StaticString = ""
    var blockClose: StaticString = ""
    var nestsComments = false
    var quotes: [Quote] = [Quote(open: "\"", close: "\""), Quote(open: "'", close: "'")]
    var ignoresCase = false
    /// Whether a word with a capital is a type.
    var hasCapitalTypes = true
    /// What begins an attribute, a decorator or a directive; 0 for nothing.
    var attributeMark: UInt8 = 0
    /// Whether `$` begins a variable.
    var hasVariables = false
    /// Whether what stands before a colon is a key.
    var hasKeys = false
    /// Whether words may have hyphens inside.
    var hasHyphens = false

    /// The language with a name, in letters of any size.
    static func named(_ name: some Collection<UInt8>) -> CodeLanguage? {
        let name = Array(name)
        guard !name.isEmpty, name.count <= 16 else { return nil }
        return all.first { WordList.contains($0.names, name, from: 0, to: name.count, ignoringCase: true) }
    }
}

/// Lists of words in one text, a blank after each.
enum WordList {
    static func contains(
        _ list: StaticString, _ bytes: [UInt8], from start: Int, to end: Int, ignoringCase: Bool
    ) -> Bool {
        // No word of the lists is longer.
        guard end > start, end - start <= 16 else { return false }
        return list.withUTF8Buffer { list in
            var position = 0
            while position < list.count {
                var index = 0
                while start + index < end, position + index < list.count,
                    list[position + index]
                        == (ignoringCase ? bytes[start + index].lowercased : bytes[start + index])
                {
                    index += 1
                }
                if start + index == end, position + index < list.count, list[position + index] == Byte.space {
                    return true
                }
                position += index
                while position < list.count, list[position] != Byte.space { position += 1 }
                position += 1
            }
            return false
        }
    }
}
