/// Cuts growing text into sentences, for what is spoken rather than seen.
///
/// A sentence ends with its mark and the space after it, with a mark of a script that writes no spaces, or with its
/// line. A full stop after a number that counts, an initial or a usual abbreviation ends nothing, nor does any mark that
/// is followed by a small letter. Each scalar is looked at once.
public struct SentenceCutter: Equatable, Sendable {
    /// A text without any end is cut at a space once it is this long, in scalars: it must be spoken too.
    public static let longest = 400

    private enum Place: Equatable, Sendable {
        case inside
        /// After a mark, and what closes with it.
        case afterMark
        /// After the space that follows a mark: the next letter decides.
        case afterSpace
        /// After a mark that needs no space.
        case afterFinalMark
    }

    private var place = Place.inside
    /// What belongs to no whole sentence yet.
    private var pending = ""
    private var count = 0
    /// The word before the mark, as far as it is letters and digits, to tell an abbreviation.
    private var word = ""
    private var mark: Unicode.Scalar = "."

    /// Starts at the beginning of a text.
    public init() {}

    /// Takes the next piece.
    ///
    /// - Returns: the sentences that are whole now, without the space around them.
    public mutating func append(_ piece: some StringProtocol) -> [String] {
        var sentences: [String] = []
        for scalar in piece.unicodeScalars { take(scalar, &sentences) }
        return sentences
    }

    /// Ends the text.
    ///
    /// - Returns: what was left of it; nil for nothing.
    public mutating func finish() -> String? {
        var sentences: [String] = []
        cut(&sentences)
        return sentences.first
    }

    private mutating func take(_ scalar: Unicode.Scalar, _ sentences: inout [String]) {
        if scalar == "\n" || scalar == "\r" || scalar == "\u{2029}" { return cut(&sentences) }
        let isSpace = scalar.properties.isWhitespace
        if isSpace, pending.isEmpty { return }
        switch place {
        case .inside: break
        case .afterMark:
            if Self.isClosing(scalar) || Self.isMark(scalar) { break }
            place = isSpace && !isAbbreviated ? .afterSpace : .inside
            word = ""
        case .afterSpace:
            if isSpace { break }
            if scalar.properties.isLowercase { place = .inside } else { cut(&sentences) }
        case .afterFinalMark:
            if !isSpace, !Self.isClosing(scalar), !Self.isFinal(scalar) { cut(&sentences) }
        }
        pending.unicodeScalars.append(scalar)
        count += 1
        if Self.isFinal(scalar) {
            place = .afterFinalMark
        } else if Self.isMark(scalar) {
            if place != .afterMark { mark = scalar }
            place = .afterMark
        } else if place == .inside {
            if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                word.unicodeScalars.append(scalar)
            } else {
                word = ""
                if count >= Self.longest, isSpace { cut(&sentences) }
            }
        }
    }

    private mutating func cut(_ sentences: inout [String]) {
        // Space before a sentence never gets this far.
        var scalars = pending.unicodeScalars[...]
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        if !scalars.isEmpty { sentences.append(String(scalars)) }
        pending = ""
        count = 0
        word = ""
        place = .inside
    }

    /// Whether the full stop belongs to the word before it.
    private var isAbbreviated: Bool {
        guard mark == ".", let first = word.unicodeScalars.first else { return false }
        // An initial, or one of the letters of "z. B.".
        if word.unicodeScalars.count == 1, first.properties.isAlphabetic { return true }
        // The number of an item, and nothing else on the line so far.
        if first.properties.numericType != nil, count <= word.unicodeScalars.count + 1 { return true }
        return Self.abbreviations.contains(word)
    }

    private static let abbreviations: Set<String> = [
        "Dr", "Mr", "Mrs", "Ms", "Prof", "St", "vs", "etc", "approx", "Nr", "Fig", "cf", "ca", "bzw", "usw",
    ]

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ".", "!", "?", "…", "؟", "۔", "।", "॥": true
        default: false
        }
    }

    /// Marks of scripts that write no space after a sentence.
    private static func isFinal(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "。", "！", "？", "｡": true
        default: false
        }
    }

    private static func isClosing(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "'", ")", "]", "}", "”", "’", "»", "“", "*", "_", "`", "」", "』", "）": true
        default: false
        }
    }
}
