/// Reads the text inside a block.
///
/// One pass finds code, links, HTML and runs of marks; what the marks mean is decided on a stack of them, by CommonMark's
/// rules. Everything is linear in the text: what has been looked for in vain is remembered.
///
/// One parser reads many texts: what it needs for one is there for the next.
struct InlineParser: Sendable {
    private(set) var bytes: [UInt8] = []
    private(set) var end = 0
    private(set) var extensions: MarkdownExtensions = []
    private(set) var references = References()
    /// Whether text may still come: marks whose other half has not come yet are not shown then.
    private(set) var isOpen = false
    /// Where the text begins.
    private(set) var textBegin = 0
    var position = 0
    /// Where the text begins that no part holds yet.
    var textStart = 0
    var parts: [Inline] = []
    var targets: [LinkTarget] = []
    var delimiters = DelimiterStack()
    var brackets: [Bracket] = []
    /// Brackets below this height cannot become links any more: there is one inside them.
    var inactiveBelow = 0
    /// Where the last run of backticks of each length begins; made when it is first needed.
    var lastBackticks: [Int] = []
    /// What is known not to end any more.
    var unended: Unended = []
    /// A domain that was refused ends here.
    var refusedDomainEnd = 0
    var steps = 0

    /// A `[` or `![` that may begin a link or an image.
    struct Bracket: Sendable {
        var part: Int
        var isImage: Bool
        /// The last run of marks before it.
        var delimiter: Int
        /// Where the text behind it begins.
        var text: Int
        var hasInner = false
    }

    /// Kinds of parts whose end has been looked for in vain.
    struct Unended: OptionSet, Sendable {
        let rawValue: UInt8
        static let comment = Unended(rawValue: 1)
        static let instruction = Unended(rawValue: 2)
        static let declaration = Unended(rawValue: 4)
        static let data = Unended(rawValue: 8)
        static let mathBlock = Unended(rawValue: 16)
        static let mathParenthesis = Unended(rawValue: 32)
        static let mathBracket = Unended(rawValue: 64)
    }

    private var special = Self.special
    /// The parts with the marks put among them, when there are any.
    var assembled: [Inline] = []

    /// Begins another text.
    private mutating func begin(
        _ text: consuming LeafText, extensions: MarkdownExtensions, references: References, isOpen: Bool
    ) {
        swap(&bytes, &text.bytes)
        position = text.start
        textStart = text.start
        textBegin = text.start
        if self.extensions != extensions {
            self.extensions = extensions
            special = extensions.isEmpty ? Self.special : Self.specialWithExtensions
        }
        if !references.isEmpty { self.references = references }
        self.isOpen = isOpen
        end = text.end
        if isOpen {
            // Marks at the very end may grow, or mean nothing yet.
            while end > text.start, Self.isMark(bytes[end - 1]) { end -= 1 }
        }
        parts.clear()
        targets.clear()
        delimiters.clear()
        brackets.clear()
        inactiveBelow = 0
        lastBackticks.clear()
        unended = []
        refusedDomainEnd = 0
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        switch byte {
        case Byte.star, Byte.underscore, Byte.tilde, Byte.backtick, Byte.openBracket, Byte.exclamation, Byte.backslash,
            Byte.less, Byte.ampersand, Byte.dollar:
            true
        default: false
        }
    }

    private static let special = ByteSet("\n\\`*_[]!<&")
    private static let specialWithExtensions = ByteSet("\n\\`*_[]!<&~$:.@")

    /// Reads all of a text.
    ///
    /// - Parameter isOpen: whether text may still come.
    mutating func read(
        _ text: consuming LeafText, extensions: MarkdownExtensions, references: References, isOpen: Bool
    ) -> InlineText {
        begin(text, extensions: extensions, references: references, isOpen: isOpen)
        while position < end {
            position = bytes.withUnsafeBufferPointer { $0.first(from: position, to: end) { $0.marks } }
            guard position < end else { break }
            if special.contains(bytes[position]) {
                steps += 1
                take(bytes[position])
            } else {
                position += 1
            }
        }
        flush(to: end)
        let half = delimiters.isEmpty ? [] : delimiters.settle(above: -1, steps: &steps, isOpen: isOpen)
        if isOpen {
            for bracket in brackets {
                parts[bracket.part].end = parts[bracket.part].start
            }
        }
        if !delimiters.isEmpty {
            assemble(half)
            swap(&parts, &assembled)
        }
        // What is held on to would have to be copied when it grows.
        if !self.references.isEmpty { self.references = References() }
        var result = InlineText(bytes: [], parts: [], targets: [])
        swap(&result.bytes, &bytes)
        swap(&result.parts, &parts)
        swap(&result.targets, &targets)
        return result
    }

    /// Takes back what a text was made of, as room for the next.
    mutating func reuse(_ text: consuming InlineText) {
        swap(&parts, &text.parts)
        swap(&targets, &text.targets)
    }

    private mutating func take(_ byte: UInt8) {
        switch byte {
        case Byte.newline: takeNewline()
        case Byte.backslash: takeBackslash()
        case Byte.backtick: takeBackticks()
        case Byte.star, Byte.underscore: takeDelimiters(byte)
        case Byte.tilde:
            if extensions.contains(.strikethrough) { takeDelimiters(byte) } else { position += 1 }
        case Byte.openBracket: takeOpenBracket(isImage: false)
        case Byte.closeBracket: takeCloseBracket()
        case Byte.exclamation:
            if position + 1 < end, bytes[position + 1] == Byte.openBracket {
                takeOpenBracket(isImage: true)
            } else {
                position += 1
            }
        case Byte.less: takeLess()
        case Byte.ampersand: takeAmpersand()
        case Byte.dollar: takeDollar()
        case Byte.colon, Byte.dot, Byte.at: takeAddress(byte)
        default: position += 1
        }
    }

    /// Makes a part of the text that none holds yet.
    mutating func flush(to place: Int) {
        if textStart < place { parts.append(Inline(.text, textStart, place)) }
        textStart = place
    }

    /// Appends a part that reaches from here to a place.
    mutating func add(_ kind: Inline.Kind, to place: Int, target: Int = 0) {
        flush(to: position)
        parts.append(Inline(kind, position, place, target: target))
        position = place
        textStart = place
    }

    private mutating func takeNewline() {
        var last = position
        while last > textStart, bytes[last - 1] == Byte.space { last -= 1 }
        let blanks = position - last
        flush(to: last)
        parts.append(Inline(blanks >= 2 ? .hardBreak : .softBreak))
        position += 1
        textStart = position
    }

    private mutating func takeBackslash() {
        guard position + 1 < end else {
            position += 1
            return
        }
        let next = bytes[position + 1]
        if next == Byte.newline {
            flush(to: position)
            parts.append(Inline(.hardBreak))
            position += 2
            textStart = position
            return
        }
        if extensions.contains(.math), next == Byte.openParenthesis || next == Byte.openBracket, takeEscapedMath(next) {
            return
        }
        guard next.isPunctuation else {
            position += 1
            return
        }
        flush(to: position)
        textStart = position + 1
        position += 2
    }

    private mutating func takeBackticks() {
        var start = position
        while start < end, bytes[start] == Byte.backtick { start += 1 }
        let length = start - position
        if lastBackticks.isEmpty { findBackticks() }
        guard length < lastBackticks.count, lastBackticks[length] >= start else {
            if isOpen {
                add(.code, to: end)
                parts[parts.count - 1].start += length
                return
            }
            position = start
            return
        }
        var next = start
        while true {
            while bytes[next] != Byte.backtick { next += 1 }
            let run = next
            while next < end, bytes[next] == Byte.backtick { next += 1 }
            if next - run == length {
                flush(to: position)
                parts.append(Inline(.code, start, run))
                position = next
                textStart = next
                return
            }
        }
    }

    private mutating func findBackticks() {
        lastBackticks.append(-1)
        var place = position
        while place < end {
            guard bytes[place] == Byte.backtick else {
                place += 1
                continue
            }
            let run = place
            while place < end, bytes[place] == Byte.backtick { place += 1 }
            while lastBackticks.count <= place - run { lastBackticks.append(-1) }
            lastBackticks[place - run] = run
        }
    }

    private mutating func takeAmpersand() {
        if let entity = Entities.read(bytes, at: position, to: end) {
            flush(to: position)
            parts.append(Inline(.entity, Int(entity.first), Int(entity.second)))
            position = entity.end
            textStart = position
            return
        }
        if isOpen, end - position <= 32 {
            var place = position + 1
            if place < end, bytes[place] == Byte.hash { place += 1 }
            while place < end, bytes[place].isAlphanumeric { place += 1 }
            if place == end {
                flush(to: position)
                position = end
                textStart = end
                return
            }
        }
        position += 1
    }
}
