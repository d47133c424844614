/// How many columns text takes on a terminal.
///
/// Terminals differ where several code points make one character. What is said here is what most of the newer ones do;
/// the painter moves the cursor by itself after each character that ``isDisputed(_:)`` names, so that a terminal
/// of another opinion spoils that character and nothing else.
package enum CharacterWidth {
    /// Columns of a character: 0, 1 or 2.
    package static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        var iterator = scalars.makeIterator()
        guard let first = iterator.next() else { return 0 }
        if first.value < 0x7F { if first.value >= 0x20, scalars.count == 1 { return 1 } }
        guard let second = iterator.next() else { return of(first) }
        // Two regional indicators are a flag; U+FE0F asks for the picture of what may also be text.
        if isRegionalIndicator(first), isRegionalIndicator(second) { return 2 }
        if first.properties.isEmoji, scalars.contains("\u{FE0F}") { return 2 }
        var sum = 0
        for scalar in scalars {
            sum += of(scalar)
            if sum >= 2 { return 2 }
        }
        return sum
    }

    /// Columns of a text on one line.
    package static func of(_ text: some Sequence<Character>) -> Int {
        text.reduce(0) { $0 + of($1) }
    }

    /// Columns of a code point that stands alone.
    package static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value >= 0x20, scalar.value < 0x7F { return 1 }
        return UnicodeTables.value(of: scalar, in: UnicodeTables.widths)
    }

    /// Whether terminals are known to disagree about the columns of a character.
    static func isDisputed(_ character: Character) -> Bool {
        var isFirst = true
        for scalar in character.unicodeScalars {
            if scalar.value < 0x300 {
                isFirst = false
                continue
            }
            // Pictures: older terminals take the newer ones for narrow, and joined ones for many.
            if scalar.value >= 0x1F000, scalar.value < 0x20000 { return true }
            if !isFirst, scalar.properties.generalCategory != .nonspacingMark { return true }
            if !isFirst, scalar.properties.isVariationSelector { return true }
            isFirst = false
        }
        return false
    }

    private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
        (0x1F1E6...0x1F1FF).contains(scalar.value)
    }
}

extension UnicodeTables {
    /// The value of the run that a code point falls into.
    static func value(of scalar: Unicode.Scalar, in runs: [UInt32]) -> Int {
        // Every run begins at or before its first entry with 0xFF in the lowest byte.
        let wanted = scalar.value << 8 | 0xFF
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle] <= wanted { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? 0 : Int(runs[low - 1] & 0xFF)
    }
}
