/// What a character is for the ordering of text in two directions, by Unicode's names.
enum DirectionClass: UInt8, Sendable {
    case leftToRight, rightToLeft, arabicLetter
    case europeanNumber, europeanSeparator, europeanTerminator, arabicNumber, commonSeparator
    case nonspacingMark, boundaryNeutral
    case paragraphSeparator, segmentSeparator, whitespace, otherNeutral

    init(_ scalar: Unicode.Scalar) {
        self = Self(rawValue: UInt8(UnicodeTables.value(of: scalar, in: UnicodeTables.directions))) ?? .leftToRight
    }

    /// A character goes by its first code point: marks go where their base goes.
    init(_ character: Character) { self = character.unicodeScalars.first.map { Self($0) } ?? .boundaryNeutral }

    /// Whether it sets a direction by itself.
    var isStrong: Bool { self == .leftToRight || self == .rightToLeft || self == .arabicLetter }

    /// Whether it needs text around it to know its direction.
    var isNeutral: Bool { rawValue >= Self.paragraphSeparator.rawValue }

    /// Whether a text without such characters stays in the order it is in.
    static func mayTurn(_ text: some StringProtocol) -> Bool {
        // Everything below U+0590 goes left to right; its UTF-8 begins with a byte below D6.
        text.utf8.contains { $0 >= 0xD6 } && text.unicodeScalars.contains { turns(Self($0)) }
    }

    static func turns(_ kind: DirectionClass) -> Bool {
        kind == .rightToLeft || kind == .arabicLetter || kind == .arabicNumber
    }
}

/// A mirrored character, and whether it is one of a pair of brackets.
struct Mirroring {
    enum Side { case opening, closing }

    let mirror: Unicode.Scalar
    let bracket: Side?

    /// Nil for a character that looks the same from right to left.
    init?(_ scalar: Unicode.Scalar) {
        let table = UnicodeTables.mirrors
        var (low, high) = (0, table.count / 2)
        while low < high {
            let middle = (low + high) / 2
            if table[middle * 2] >> 8 < scalar.value { low = middle + 1 } else { high = middle }
        }
        guard low * 2 + 1 < table.count, table[low * 2] >> 8 == scalar.value,
            let mirror = Unicode.Scalar(table[low * 2 + 1])
        else { return nil }
        self.mirror = mirror
        bracket =
            switch table[low * 2] & 0xFF {
            case 1: .opening
            case 2: .closing
            default: nil
            }
    }
}
