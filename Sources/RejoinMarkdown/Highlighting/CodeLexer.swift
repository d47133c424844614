/// Finds the parts of code line by line; it may be wrong in what they are, never in the text.
///
/// All it knows of the lines before is a small state, so code that grows is read on from where it ended.
public struct CodeLexer: Sendable {
    private let language: CodeLanguage?
    private var state = State.none
    private var spans: [CodeSpan] = []

    private enum State: Equatable, Sendable {
        case none
        case comment(depth: Int)
        case quote(Int)
        case tag
    }

    /// Begins a block of code.
    ///
    /// - Parameter language: the words after a fence; only the first counts. Of a language that is not known, all is plain.
    public init(language: some Collection<UInt8>) {
        self.language = CodeLanguage.named(
            language.prefix { !$0.isBlank && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "{") })
    }

    /// The lexer between two lines; a copy that shared the parts of the last one would make the next line copy them.
    var atRest: CodeLexer { CodeLexer(language: language, state: state) }

    private init(language: CodeLanguage?, state: State) { (self.language, self.state) = (language, state) }

    /// The parts of the next line, which cover all of it in order.
    public mutating func line(_ bytes: [UInt8]) -> [CodeSpan] {
        if spans.isEmpty { spans.reserveCapacity(16) } else { spans.removeAll(keepingCapacity: true) }
        guard let language, !bytes.isEmpty else {
            return bytes.isEmpty ? [] : [CodeSpan(role: .plain, start: 0, end: bytes.count)]
        }
        switch language.shape {
        case .words: readWords(bytes, language)
        case .markup: readMarkup(bytes, language)
        case .difference: readDifference(bytes)
        case .prose: readProse(bytes)
        }
        return spans
    }

    private mutating func add(_ role: CodeRole, _ start: Int, _ end: Int) {
        guard start < end else { return }
        if let last = spans.last, last.role == role {
            spans[spans.count - 1].end = end
        } else {
            spans.append(CodeSpan(role: role, start: start, end: end))
        }
    }

    /// Goes on with a comment or a text that began on a line before.
    private mutating func readOn(_ bytes: [UInt8], _ language: CodeLanguage) -> Int {
        switch state {
        case .none, .tag: return 0
        case .comment: return readComment(bytes, from: 0, at: 0, language)
        case .quote(let number): return readQuote(bytes, from: 0, at: 0, number, language)
        }
    }

    private mutating func readWords(_ bytes: [UInt8], _ language: CodeLanguage) {
        var position = readOn(bytes, language)
        while position < bytes.count {
            switch language.start(bytes[position]) {
            case .plain:
                let start = position
                repeat { position += 1 } while position < bytes.count && language.start(bytes[position]) == .plain
                add(.plain, start, position)
            case .word: position = readWord(bytes, from: position, language)
            case .number: position = readNumber(bytes, from: position)
            case .mark: position = readMark(bytes, from: position, language)
            }
        }
    }

    /// Reads what begins with a byte that may begin a comment, a text, an attribute or a variable.
    private mutating func readMark(_ bytes: [UInt8], from position: Int, _ language: CodeLanguage) -> Int {
        if startsComment(bytes, at: position, language.lineComment)
            || startsComment(bytes, at: position, language.otherLineComment)
        {
            add(.comment, position, bytes.count)
            return bytes.count
        }
        if language.blockOpen.utf8CodeUnitCount > 0, bytes.hasText(language.blockOpen, at: position) {
            state = .comment(depth: 1)
            return readComment(bytes, from: position, at: position + language.blockOpen.utf8CodeUnitCount, language)
        }
        for (number, quote) in language.quotes.enumerated() where bytes.hasText(quote.open, at: position) {
            return readQuote(bytes, from: position, at: position + quote.open.utf8CodeUnitCount, number, language)
        }
        let byte = bytes[position]
        if byte == language.attributeMark || (byte == Byte.dollar && language.hasVariables) || isWordByte(byte) {
            return readWord(bytes, from: position, language)
        }
        add(.plain, position, position + 1)
        return position + 1
    }

    private func startsComment(_ bytes: [UInt8], at position: Int, _ mark: StaticString) -> Bool {
        guard mark.utf8CodeUnitCount > 0, bytes.hasText(mark, at: position) else { return false }
        // A shell's `$#` and an address's `#` are no comments.
        return bytes[position] != Byte.hash || position == 0 || bytes[position - 1].isBlank
    }

    private func isWordByte(_ byte: UInt8) -> Bool { byte.isAlphanumeric || byte == Byte.underscore || byte >= 0x80 }

    private mutating func readNumber(_ bytes: [UInt8], from start: Int) -> Int {
        var end = start
        while end < bytes.count,
            isWordByte(bytes[end]) || (bytes[end] == Byte.dot && end + 1 < bytes.count && bytes[end + 1].isDigit)
        {
            end += 1
        }
        add(.number, start, end)
        return end
    }

    private mutating func readWord(_ bytes: [UInt8], from start: Int, _ language: CodeLanguage) -> Int {
        let first = bytes[start]
        let isMarked = !isWordByte(first)
        var end = start + 1
        if first == Byte.dollar, end < bytes.count, bytes[end] == UInt8(ascii: "{") {
            while end < bytes.count, bytes[end] != UInt8(ascii: "}") { end += 1 }
            end = min(end + 1, bytes.count)
        }
        while end < bytes.count,
            isWordByte(bytes[end])
                || (language.hasHyphens && bytes[end] == Byte.hyphen && end + 1 < bytes.count
                    && isWordByte(bytes[end + 1]))
        {
            end += 1
        }
        if isMarked {
            add(first == Byte.dollar ? .variable : .attribute, start, end)
        } else if language.hasKeys, isKey(bytes, behind: end) {
            add(.key, start, end)
        } else if language.keywords.contains(bytes, from: start, to: end) {
            add(.keyword, start, end)
        } else if language.literals.contains(bytes, from: start, to: end) {
            add(.literal, start, end)
        } else {
            let isType = language.hasCapitalTypes && first >= 0x41 && first <= 0x5A
            add(isType ? .type : .plain, start, end)
        }
        return end
    }

    private func isKey(_ bytes: [UInt8], behind end: Int) -> Bool {
        var position = end
        while position < bytes.count, bytes[position].isBlank { position += 1 }
        guard position < bytes.count, bytes[position] == Byte.colon || bytes[position] == Byte.equals else {
            return false
        }
        return position + 1 == bytes.count || bytes[position + 1].isBlank || bytes[position + 1] == Byte.quote
            || bytes[position + 1].isDigit || bytes[position + 1] == Byte.openBracket
            || bytes[position + 1] == UInt8(ascii: "{")
    }

    private mutating func readQuote(
        _ bytes: [UInt8], from start: Int, at text: Int, _ number: Int, _ language: CodeLanguage
    ) -> Int {
        let quote = language.quotes[number]
        var position = text
        while position < bytes.count {
            if quote.hasEscapes, bytes[position] == Byte.backslash {
                position = min(position + 2, bytes.count)
                continue
            }
            if bytes.hasText(quote.close, at: position) {
                position += quote.close.utf8CodeUnitCount
                state = .none
                add(language.hasKeys && isKey(bytes, behind: position) ? .key : .string, start, position)
                return position
            }
            position += 1
        }
        state = quote.isMultiline ? .quote(number) : .none
        add(.string, start, bytes.count)
        return bytes.count
    }

    private mutating func readComment(
        _ bytes: [UInt8], from start: Int, at text: Int, _ language: CodeLanguage
    ) -> Int {
        guard case .comment(var depth) = state else { return text }
        var position = text
        while position < bytes.count {
            if bytes.hasText(language.blockClose, at: position) {
                position += language.blockClose.utf8CodeUnitCount
                depth -= 1
                if depth == 0 {
                    state = .none
                    add(.comment, start, position)
                    return position
                }
            } else if language.nestsComments, bytes.hasText(language.blockOpen, at: position) {
                depth += 1
                position += language.blockOpen.utf8CodeUnitCount
            } else {
                position += 1
            }
        }
        state = .comment(depth: depth)
        add(.comment, start, bytes.count)
        return bytes.count
    }

    private mutating func readMarkup(_ bytes: [UInt8], _ language: CodeLanguage) {
        var position = readOn(bytes, language)
        while position < bytes.count {
            let byte = bytes[position]
            if state == .tag {
                position = readInsideTag(bytes, from: position, byte, language)
            } else if bytes.hasText(language.blockOpen, at: position) {
                state = .comment(depth: 1)
                position = readComment(bytes, from: position, at: position + 4, language)
            } else if byte == Byte.less, position + 1 < bytes.count,
                bytes[position + 1].isLetter || bytes[position + 1] == Byte.slash
                    || bytes[position + 1] == Byte.exclamation || bytes[position + 1] == Byte.question
            {
                var end = position + 1
                while end < bytes.count, !bytes[end].isBlank, bytes[end] != Byte.greater { end += 1 }
                add(.tag, position, end)
                state = .tag
                position = end
            } else {
                add(byte == Byte.ampersand ? .literal : .plain, position, position + 1)
                position += 1
            }
        }
    }

    private mutating func readInsideTag(
        _ bytes: [UInt8], from start: Int, _ byte: UInt8, _ language: CodeLanguage
    ) -> Int {
        if byte == Byte.greater {
            add(.tag, start, start + 1)
            state = .none
            return start + 1
        }
        for (number, quote) in language.quotes.enumerated() where bytes.hasText(quote.open, at: start) {
            let end = readQuote(bytes, from: start, at: start + 1, number, language)
            state = .tag
            return end
        }
        guard isWordByte(byte) else {
            add(byte == Byte.slash ? .tag : .plain, start, start + 1)
            return start + 1
        }
        var end = start
        while end < bytes.count, isWordByte(bytes[end]) || bytes[end] == Byte.hyphen || bytes[end] == Byte.colon {
            end += 1
        }
        add(.attribute, start, end)
        return end
    }

    private mutating func readDifference(_ bytes: [UInt8]) {
        let role: CodeRole
        switch bytes[0] {
        case Byte.plus: role = .inserted
        case Byte.hyphen: role = .deleted
        case Byte.at: role = .heading
        default: role = .plain
        }
        add(role, 0, bytes.count)
    }

    private mutating func readProse(_ bytes: [UInt8]) {
        var start = 0
        while start < bytes.count, bytes[start].isBlank { start += 1 }
        guard start < bytes.count else { return add(.plain, 0, bytes.count) }
        add(.plain, 0, start)
        switch bytes[start] {
        case Byte.hash: add(.heading, start, bytes.count)
        case Byte.greater: add(.comment, start, bytes.count)
        case Byte.backtick where bytes.hasText("```", at: start): add(.string, start, bytes.count)
        case Byte.hyphen, Byte.star, Byte.plus:
            add(.keyword, start, start + 1)
            add(.plain, start + 1, bytes.count)
        default: add(.plain, start, bytes.count)
        }
    }
}
