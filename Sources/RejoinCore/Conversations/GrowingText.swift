/// A text that only grows, kept so that whoever holds an earlier state of it makes the next piece no dearer.
///
/// It lies in chunks. Those that are full never change again and are shared by everybody who holds them; a piece is
/// added to the last one, which is the only one that is ever copied. Every chunk begins with a whole character, so that
/// characters can be counted, cut and laid out chunk by chunk.
public struct GrowingText: Sendable {
    /// A chunk of so many bytes is full: what a piece copies at most, if somebody holds the text.
    public static let chunkBytes = 1024

    private var settled: [String] = []
    private var settledBytes = 0
    /// What pieces are added to; empty only in an empty text.
    private var tail = ""

    /// An empty text.
    public init() {}

    /// Starts with what there is; nothing of it is copied.
    public init(_ text: String) { tail = text }

    /// Whether there is nothing.
    public var isEmpty: Bool { tail.isEmpty }

    /// How many bytes of UTF-8 it has.
    public var utf8Count: Int { settledBytes + tail.utf8.count }

    /// Its chunks in order; none is empty.
    public var chunks: [String] { tail.isEmpty ? [] : settled + [tail] }

    /// All of it as one text, which costs as much as it is long.
    public var string: String {
        if settled.isEmpty { return tail }
        var text = ""
        text.reserveCapacity(utf8Count)
        for chunk in settled { text += chunk }
        text += tail
        return text
    }

    /// Adds a piece.
    public mutating func append(_ piece: String) {
        if piece.isEmpty { return }
        if tail.utf8.count >= Self.chunkBytes { settle() }
        if tail.isEmpty { tail = piece } else { tail += piece }
    }

    /// Adds another text.
    public mutating func append(_ text: GrowingText) {
        if isEmpty { return self = text }
        for chunk in text.chunks { append(chunk) }
    }

    /// The text without its last character, which may still change: the next piece may join it.
    public var withoutLastCharacter: GrowingText {
        var shorter = self
        if !shorter.tail.isEmpty { shorter.tail.removeLast() }
        if shorter.tail.isEmpty, let last = shorter.settled.popLast() {
            shorter.settledBytes -= last.utf8.count
            shorter.tail = last
        }
        return shorter
    }

    /// Its last scalar.
    public var lastScalar: Unicode.Scalar? { tail.unicodeScalars.last }

    /// What comes after a number of bytes, at the cost of what that is.
    ///
    /// - Parameter bytes: where an earlier state of the same text ended; nil is given for more than there are.
    public func rest(after bytes: Int) -> String? {
        guard bytes >= 0, bytes <= utf8Count else { return nil }
        if bytes >= settledBytes { return Self.end(of: tail, after: bytes - settledBytes) }
        var start = settledBytes
        var first = settled.endIndex
        while start > bytes {
            first -= 1
            start -= settled[first].utf8.count
        }
        var rest = Self.end(of: settled[first], after: bytes - start)
        for chunk in settled[(first + 1)...] { rest += chunk }
        return rest + tail
    }

    /// Whether it begins with another text, byte for byte.
    ///
    /// An earlier state of the same text is told by its chunks, and not by their words.
    public func begins(with other: GrowingText) -> Bool {
        guard utf8Count >= other.utf8Count else { return false }
        guard sharesChunks(of: other) else { return string.utf8.starts(with: other.string.utf8) }
        // What both have in common is passed over; the rest of an earlier state is a chunk at most.
        var next = other.settled.count
        var own = next < settled.count ? settled[next] : tail
        while own.utf8.count < other.tail.utf8.count, next < settled.count {
            next += 1
            own += next < settled.count ? settled[next] : tail
        }
        return Self.text(own, beginsWith: other.tail)
    }

    private func sharesChunks(of other: GrowingText) -> Bool {
        guard settled.count >= other.settled.count else { return false }
        let isOne = settled.withUnsafeBufferPointer { own in
            other.settled.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress }
        }
        return isOne
            || zip(settled, other.settled).allSatisfy { own, other in
                own.utf8.count == other.utf8.count && Self.text(own, beginsWith: other)
            }
    }

    private mutating func settle() {
        // All but the last character: that one may go on in the next piece.
        let end = tail.index(before: tail.endIndex)
        if end == tail.startIndex { return }
        let last = String(tail[end...])
        let full = String(tail[..<end])
        settled.append(full)
        settledBytes += full.utf8.count
        tail = last
    }

    private static func end(of text: String, after bytes: Int) -> String {
        bytes == 0 ? text : String(text[text.utf8.index(text.startIndex, offsetBy: bytes)...])
    }

    private static func text(_ text: String, beginsWith start: String) -> Bool {
        let isShared = text.utf8.withContiguousStorageIfAvailable { text in
            start.utf8.withContiguousStorageIfAvailable { start in text.baseAddress == start.baseAddress }
        }
        // The same memory holds the same words.
        if (isShared ?? nil) == true { return text.utf8.count >= start.utf8.count }
        return text.utf8.starts(with: start.utf8)
    }
}

extension GrowingText: Equatable {
    /// Whether both are the same bytes, however they are cut.
    public static func == (one: GrowingText, other: GrowingText) -> Bool {
        one.utf8Count == other.utf8Count && one.begins(with: other)
    }
}
