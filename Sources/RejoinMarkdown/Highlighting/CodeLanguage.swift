/// What the lexer has to know of a language.
final class CodeLanguage: Sendable {
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
    let names: StaticString
    let shape: Shape
    let keywords: WordList
    let literals: WordList
    let lineComment: StaticString
    let otherLineComment: StaticString
    let blockOpen: StaticString
    let blockClose: StaticString
    let nestsComments: Bool
    let quotes: [Quote]
    let ignoresCase: Bool
    /// Whether a word with a capital is a type.
    let hasCapitalTypes: Bool
    /// What begins an attribute, a decorator or a directive; 0 for nothing.
    let attributeMark: UInt8
    /// Whether `$` begins a variable.
    let hasVariables: Bool
    /// Whether what stands before a colon is a key.
    let hasKeys: Bool
    /// Whether words may have hyphens inside.
    let hasHyphens: Bool
    /// What may begin with a byte.
    private let starts: [Start]

    /// What may begin with a byte.
    enum Start: UInt8, Sendable {
        /// Nothing that has a look.
        case plain
        case word, number
        /// A comment, a text, an attribute or a variable, if what follows says so.
        case mark
    }

    /// Describes a language; lists of words have a blank after each word.
    init(
        names: StaticString, shape: Shape = .words, keywords: StaticString = "",
        literals: StaticString = "true false null ", lineComment: StaticString = "",
        otherLineComment: StaticString = "", blockOpen: StaticString = "", blockClose: StaticString = "",
        nestsComments: Bool = false, quotes: [Quote] = [Quote(open: "\"", close: "\""), Quote(open: "'", close: "'")],
        ignoresCase: Bool = false, hasCapitalTypes: Bool = true, attributeMark: UInt8 = 0, hasVariables: Bool = false,
        hasKeys: Bool = false, hasHyphens: Bool = false
    ) {
        self.names = names
        self.shape = shape
        self.keywords = WordList(keywords, ignoresCase: ignoresCase)
        self.literals = WordList(literals, ignoresCase: ignoresCase)
        self.lineComment = lineComment
        self.otherLineComment = otherLineComment
        self.blockOpen = blockOpen
        self.blockClose = blockClose
        self.nestsComments = nestsComments
        self.quotes = quotes
        self.ignoresCase = ignoresCase
        self.hasCapitalTypes = hasCapitalTypes
        self.attributeMark = attributeMark
        self.hasVariables = hasVariables
        self.hasKeys = hasKeys
        self.hasHyphens = hasHyphens
        var starts = [Start](repeating: .plain, count: 256)
        for byte in 0..<256 {
            if UInt8(byte).isDigit {
                starts[byte] = .number
            } else if UInt8(byte).isAlphanumeric || byte >= 0x80 || byte == Int(Byte.underscore) {
                starts[byte] = .word
            }
        }
        for mark in [lineComment, otherLineComment, blockOpen] + quotes.map({ $0.open }) {
            mark.withUTF8Buffer { if let first = $0.first { starts[Int(first)] = .mark } }
        }
        if attributeMark != 0 { starts[Int(attributeMark)] = .mark }
        if hasVariables { starts[Int(Byte.dollar)] = .mark }
        self.starts = starts
    }

    /// What may begin with a byte.
    func start(_ byte: UInt8) -> Start { starts[Int(byte)] }

    /// The language with a name, in letters of any size.
    static func named(_ name: some Collection<UInt8>) -> CodeLanguage? {
        let name = Array(name)
        guard !name.isEmpty, name.count <= 16 else { return nil }
        return all.first { WordList.contains($0.names, name) }
    }
}

/// Words in one text, a blank after each, found by their first letters.
struct WordList: Sendable {
    private let text: StaticString
    private let ignoresCase: Bool
    /// Where the words with each first letter begin and end: those of ASCII, twice each.
    private let ranges: [UInt16]

    /// No word of the lists is longer.
    private static let longest = 16

    init(_ text: StaticString, ignoresCase: Bool) {
        self.text = text
        self.ignoresCase = ignoresCase
        var ranges = [UInt16](repeating: 0, count: 256)
        text.withUTF8Buffer { text in
            var start = 0
            while start < text.count {
                var end = start
                while end < text.count, text[end] != Byte.space { end += 1 }
                let letter = 2 * Int(text[start] & 0x7F)
                if ranges[letter + 1] == 0 { ranges[letter] = UInt16(start) }
                ranges[letter + 1] = UInt16(end + 1)
                start = end + 1
            }
        }
        self.ranges = ranges
    }

    func contains(_ bytes: [UInt8], from start: Int, to end: Int) -> Bool {
        guard end > start, end - start <= Self.longest, bytes[start] < 0x80 else { return false }
        let letter = 2 * Int(ignoresCase ? bytes[start].lowercased : bytes[start])
        let (first, last) = (Int(ranges[letter]), Int(ranges[letter + 1]))
        guard first < last else { return false }
        return text.withUTF8Buffer { text in
            var position = first
            while position < last {
                var index = 0
                while start + index < end,
                    text[position + index] == (ignoresCase ? bytes[start + index].lowercased : bytes[start + index])
                {
                    index += 1
                }
                if start + index == end, text[position + index] == Byte.space { return true }
                position += index
                while text[position] != Byte.space { position += 1 }
                position += 1
            }
            return false
        }
    }

    /// Whether a name is among some, in letters of any size.
    static func contains(_ names: StaticString, _ name: [UInt8]) -> Bool {
        names.withUTF8Buffer { names in
            var position = 0
            while position < names.count {
                var index = 0
                while index < name.count, position + index < names.count,
                    names[position + index] == name[index].lowercased
                {
                    index += 1
                }
                if index == name.count, position + index < names.count, names[position + index] == Byte.space {
                    return true
                }
                while position < names.count, names[position] != Byte.space { position += 1 }
                position += 1
            }
            return false
        }
    }
}
