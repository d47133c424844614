/// What differs between two texts, word by word.
public struct WordDiff: Sendable, Hashable {
    /// A run of text.
    public struct Part: Sendable, Hashable {
        /// What became of it.
        public enum Kind: Sendable, Hashable { case same, removed, added }

        /// What became of it.
        public let kind: Kind
        /// The text, with its white space.
        public let text: String
    }

    /// The runs in order; what was removed stands before what was added in its place.
    ///
    /// The same and the removed runs joined are the text before, the same and the added ones the text after.
    public let parts: [Part]

    /// Compares two texts.
    ///
    /// The fewest changes are found where that takes a bounded number of steps; texts with too little in common are
    /// replaced in larger runs instead. Time is linear in the length, but for those steps; so is memory.
    public init(before: String, after: String) {
        let old = Self.words(of: before)
        let new = Self.words(of: after)
        var numbers: [Word: Int] = [:]
        numbers.reserveCapacity(old.count)
        func numbered(_ words: [Substring]) -> [Int] {
            words.map { text in
                let word = Word(text: text)
                if let number = numbers[word] { return number }
                numbers[word] = numbers.count
                return numbers.count - 1
            }
        }
        var comparison = SequenceComparison(old: numbered(old), new: numbered(new), kinds: numbers.count)
        comparison.run()
        parts = Self.parts(old, new, comparison)
    }

    /// Removed and added runs between kept ones; white space that is all that two changes have between them joins them.
    private static func parts(_ old: [Substring], _ new: [Substring], _ comparison: SequenceComparison) -> [Part] {
        var parts: [Part] = []
        var removed = ""
        var added = ""
        var same = ""
        var oldIndex = 0
        var newIndex = 0
        func flushChange() {
            if !removed.isEmpty { parts.append(Part(kind: .removed, text: removed)) }
            if !added.isEmpty { parts.append(Part(kind: .added, text: added)) }
            removed = ""
            added = ""
        }
        func flushSame() {
            if !same.isEmpty { parts.append(Part(kind: .same, text: same)) }
            same = ""
        }
        while oldIndex < old.count || newIndex < new.count {
            let isRemoved = oldIndex < old.count && !comparison.isKept[oldIndex]
            let isAdded = newIndex < new.count && !comparison.isCommon[newIndex]
            if isRemoved || isAdded {
                if !same.isEmpty {
                    if !(removed.isEmpty && added.isEmpty), same.allSatisfy(\.isWhitespace) {
                        removed += same
                        added += same
                        same = ""
                    } else {
                        flushChange()
                        flushSame()
                    }
                }
                if isRemoved {
                    removed += old[oldIndex]
                    oldIndex += 1
                } else {
                    added += new[newIndex]
                    newIndex += 1
                }
            } else {
                same += old[oldIndex]
                oldIndex += 1
                newIndex += 1
            }
        }
        flushChange()
        flushSame()
        return parts
    }

    /// Words, single marks and runs of white space; joined they are the text.
    ///
    /// Most text is ASCII, which is told apart byte by byte; whole characters are looked at only where a byte, or the one
    /// behind it, is of another kind.
    static func words(of text: String) -> [Substring] {
        var words: [Substring] = []
        let bytes = text.utf8
        var start = bytes.startIndex
        var index = start
        var last: Class?
        while index < bytes.endIndex {
            var next = bytes.index(after: index)
            let kind: Class
            let byte = bytes[index]
            if byte < 0x80, byte != 0x0D, next == bytes.endIndex || bytes[next] < 0x80 {
                kind = Class(byte)
            } else {
                kind = Class(text[index])
                next = text.index(after: index)
            }
            if let last, kind != last || kind == .mark {
                words.append(text[start..<index])
                start = index
            }
            last = kind
            index = next
        }
        if start < bytes.endIndex { words.append(text[start...]) }
        return words
    }

    private enum Class {
        case word, space, mark

        init(_ byte: UInt8) {
            switch byte {
            case 0x20, 0x09...0x0D: self = .space
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "'"):
                self = .word
            default: self = .mark
            }
        }

        init(_ character: Character) {
            if character.isWhitespace {
                self = .space
            } else if character.isLetter || character.isNumber || character == "'" || character == "’" {
                self = .word
            } else {
                self = .mark
            }
        }
    }

    /// A word that equals another only byte by byte: an accent written in another way is a difference, if unseen.
    private struct Word: Hashable {
        let text: Substring

        static func == (left: Word, right: Word) -> Bool {
            var text = left.text
            var other = right.text
            return text.withUTF8 { bytes in other.withUTF8 { bytes.elementsEqual($0) } }
        }

        func hash(into hasher: inout Hasher) {
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }
}
