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

/// Words in one text, a blank after each, found by their ends and their lengths.
struct WordList: Sendable {
    private let text: StaticString
    private let ignoresCase: Bool
    /// One more than the place of each word, in the first free slot from the word's own on; at least half are free.
    private let slots: [UInt16]

    init(_ text: StaticString, ignoresCase: Bool) {
        self.text = text
        self.ignoresCase = ignoresCase
        slots = text.withUTF8Buffer { text in
            var size = 2
            for byte in text where byte == Byte.space { size += 2 }
            // A power of two.
            var slots = [UInt16](repeating: 0, count: 1 << (Int.bitWidth - size.leadingZeroBitCount))
            var start = 0
            while start < text.count {
                var end = start
                while end < text.count, text[end] != Byte.space { end += 1 }
                var slot = Self.hash(text[start], text[end - 1], end - start) & (slots.count - 1)
                while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
                slots[slot] = UInt16(start + 1)
                start = end + 1
            }
            return slots
        }
    }

    private static func hash(_ first: UInt8, _ last: UInt8, _ length: Int) -> Int {
        Int(first) &* 7 &+ Int(last) &* 31 &+ length
    }

    func contains(_ bytes: [UInt8], from start: Int, to end: Int) -> Bool {
        guard end > start else { return false }
        let (first, last) = (letter(bytes[start]), letter(bytes[end - 1]))
        var slot = Self.hash(first, last, end - start) & (slots.count - 1)
        guard slots[slot] != 0 else { return false }
        return text.withUTF8Buffer { text in
            while slots[slot] != 0 {
                let word = Int(slots[slot]) - 1
                var index = 0
                // The blank behind a word is like no byte of another.
                while start + index < end, text[word + index] == letter(bytes[start + index]) { index += 1 }
                if start + index == end, text[word + index] == Byte.space { return true }
                slot = (slot + 1) & (slots.count - 1)
            }
            return false
        }
    }

    private func letter(_ byte: UInt8) -> UInt8 { ignoresCase ? byte.lowercased : byte }

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
