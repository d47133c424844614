/// The bytes that mean something in Markdown, and classes of them.
enum Byte {
    static let tab: UInt8 = 0x09
    static let newline: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let exclamation: UInt8 = 0x21
    static let quote: UInt8 = 0x22
    static let hash: UInt8 = 0x23
    static let dollar: UInt8 = 0x24
    static let ampersand: UInt8 = 0x26
    static let apostrophe: UInt8 = 0x27
    static let openParenthesis: UInt8 = 0x28
    static let closeParenthesis: UInt8 = 0x29
    static let star: UInt8 = 0x2A
    static let plus: UInt8 = 0x2B
    static let hyphen: UInt8 = 0x2D
    static let dot: UInt8 = 0x2E
    static let slash: UInt8 = 0x2F
    static let colon: UInt8 = 0x3A
    static let semicolon: UInt8 = 0x3B
    static let less: UInt8 = 0x3C
    static let equals: UInt8 = 0x3D
    static let greater: UInt8 = 0x3E
    static let question: UInt8 = 0x3F
    static let at: UInt8 = 0x40
    static let openBracket: UInt8 = 0x5B
    static let backslash: UInt8 = 0x5C
    static let closeBracket: UInt8 = 0x5D
    static let caret: UInt8 = 0x5E
    static let underscore: UInt8 = 0x5F
    static let backtick: UInt8 = 0x60
    static let pipe: UInt8 = 0x7C
    static let tilde: UInt8 = 0x7E
}

/// A set of ASCII bytes that is asked for each byte of a text.
struct ByteSet: Sendable {
    private let low: UInt64
    private let high: UInt64

    init(_ bytes: StaticString) {
        var (low, high): (UInt64, UInt64) = (0, 0)
        bytes.withUTF8Buffer { bytes in
            for byte in bytes {
                if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
            }
        }
        (self.low, self.high) = (low, high)
    }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        byte < 0x80 && (byte < 64 ? low : high) &>> UInt64(byte & 63) & 1 == 1
    }
}

/// Eight bytes of a text as one number: a question asks all of them at once.
///
/// An answer has the high bit of each byte that it is true of. Only the first such byte is sure: a borrow may reach the
/// ones behind it.
struct EightBytes {
    private let word: UInt64
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// The bytes from a place on that is inside a text; zeros behind its end.
    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) {
        if position <= bytes.count - 8 {
            let word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: position, as: UInt64.self)
            self.word = UInt64(littleEndian: word)
        } else {
            word = Self.last(bytes, from: position)
        }
    }

    @inline(never)
    private static func last(_ bytes: UnsafeBufferPointer<UInt8>, from position: Int) -> UInt64 {
        var word: UInt64 = 0
        for (index, byte) in bytes[position...].enumerated() { word |= UInt64(byte) << UInt64(8 * index) }
        return word
    }

    @inline(__always)
    func equal(_ byte: UInt8) -> UInt64 { equal(byte, or: byte) }

    /// Which are one of two bytes; these may differ in one bit only.
    @inline(__always)
    func equal(_ byte: UInt8, or other: UInt8) -> UInt64 {
        let difference = (word | UInt64(byte ^ other) &* Self.ones) ^ (UInt64(byte | other) &* Self.ones)
        return (difference &- Self.ones) & ~difference & Self.highs
    }

    /// Which are no ASCII.
    @inline(__always)
    var others: UInt64 { word & Self.highs }

    /// Which are ASCII, but neither letters nor blanks.
    @inline(__always)
    var marks: UInt64 {
        let low = word & ~Self.highs
        let capitals = low & (0x5F &* Self.ones)
        let letters = (capitals &+ (0x80 - 0x41) &* Self.ones) & ~(capitals &+ (0x80 - 0x5B) &* Self.ones)
        let notBlanks = (low ^ 0x20 &* Self.ones) &+ 0x7F &* Self.ones
        return ~letters & notBlanks & ~word & Self.highs
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The first place from one on of which an answer is true; `end` where there is none.
    @inline(__always)
    func first(from start: Int, to end: Int, _ answer: (EightBytes) -> UInt64) -> Int {
        guard start < end else { return end }
        precondition(start >= 0 && end <= count)
        var position = start
        while position < end {
            let found = answer(EightBytes(self, at: position))
            if found != 0 { return Swift.min(position + found.trailingZeroBitCount / 8, end) }
            position &+= 8
        }
        return end
    }
}

extension UInt8 {
    /// A blank or a tab.
    var isBlank: Bool { self == Byte.space || self == Byte.tab }

    /// A blank, a tab or the end of a line inside joined text.
    var isGap: Bool { self == Byte.space || self == Byte.tab || self == Byte.newline }

    var isDigit: Bool { self >= 0x30 && self <= 0x39 }

    var isLetter: Bool { (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7A }

    var isAlphanumeric: Bool { isDigit || isLetter }

    var isHexDigit: Bool { isDigit || ((self | 0x20) >= 0x61 && (self | 0x20) <= 0x66) }

    var isPunctuation: Bool {
        (self >= 0x21 && self <= 0x2F) || (self >= 0x3A && self <= 0x40) || (self >= 0x5B && self <= 0x60)
            || (self >= 0x7B && self <= 0x7E)
    }

    /// The small letter of an ASCII capital; everything else as it is.
    var lowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}

extension Array {
    /// Removes everything and keeps the room; for the few elements that there mostly are, `removeAll` takes longer.
    @inline(__always)
    mutating func clear() {
        while popLast() != nil {}
    }
}

extension [UInt8] {
    /// Whether the text stands at a place.
    func hasText(_ text: StaticString, at position: Int) -> Bool {
        guard position >= 0, position + text.utf8CodeUnitCount <= count else { return false }
        return text.withUTF8Buffer { buffer in
            for index in 0..<buffer.count where self[position + index] != buffer[index] { return false }
            return true
        }
    }

    /// Whether the text, in small letters, stands at a place in letters of any size.
    func hasTextIgnoringCase(_ text: StaticString, at position: Int) -> Bool {
        guard position >= 0, position + text.utf8CodeUnitCount <= count else { return false }
        return text.withUTF8Buffer { buffer in
            for index in 0..<buffer.count where self[position + index].lowercased != buffer[index] { return false }
            return true
        }
    }

    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }

    /// Appends a code point as UTF-8; what is none becomes U+FFFD.
    mutating func append(codePoint: UInt32) {
        let scalar = Unicode.Scalar(codePoint) ?? "\u{FFFD}"
        UTF8.encode(scalar) { append($0) }
    }
}
