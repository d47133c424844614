/// Reads amounts of money as people and models write them.
///
/// It reads what can only mean one thing: `1,234.50`, `1.234,50`, `1 234,50` and `1'234.50`; `1,234` in a currency of two
/// decimals. What could mean two, such as `1.234` in a currency of three decimals, is refused, and so is everything below
/// nothing, without end, or beyond 64 bits.
enum AmountReader {
    /// Reads an amount with its currency.
    ///
    /// - Parameters:
    ///   - text: the amount, with a code or a sign before or after it, or neither.
    ///   - fallback: the currency where the text names none, or only a sign that several share.
    ///   - allowed: the currencies that may be; `nil` for any.
    static func money(
        in text: String, fallback: Currency?, allowed: Set<Currency>? = nil
    ) throws(ValidationFailure) -> Money {
        var digits = ""
        var words: [String] = []
        var word = ""
        var hasEnded = false
        func isNumber(_ character: Character) -> Bool {
            character.isASCII && character.isNumber || separators.contains(character)
        }
        for character in Normalise.spaces(text) {
            if isNumber(character) {
                // A point inside a word belongs to it, as in «Fr.»; digits after a second word are another number.
                if !word.isEmpty, character == "." {
                    word.append(character)
                    continue
                }
                if hasEnded, character != " " { throw .impossibleValue }
                if !word.isEmpty { words.append(word) }
                word = ""
                digits.append(character)
            } else {
                if digits.contains(where: \.isNumber) { hasEnded = true }
                word.append(character)
            }
        }
        if !word.isEmpty { words.append(word) }
        let currency = try currency(named: words, fallback: fallback)
        if let allowed, !allowed.contains(currency) { throw .impossibleValue }
        return try money(digits, currency)
    }

    /// Reads an amount that a model gave as a JSON number.
    static func money(
        _ number: Double, _ currency: Currency, allowed: Set<Currency>? = nil
    ) throws(ValidationFailure) -> Money {
        if let allowed, !allowed.contains(currency) { throw .impossibleValue }
        var scale = 1.0
        for _ in 0..<currency.decimals { scale *= 10 }
        let scaled = number * scale
        let whole = scaled.rounded()
        // Beyond 2^53 a double does not know whole numbers any more.
        guard number.isFinite, number >= 0, whole < 9_007_199_254_740_992, abs(scaled - whole) < 1e-6 * max(1, whole),
            let money = Money(Int(whole), currency)
        else { throw .impossibleValue }
        return money
    }

    private static let separators: Set<Character> = [".", ",", " ", "'", "’"]

    private static func currency(named words: [String], fallback: Currency?) throws(ValidationFailure) -> Currency {
        var found: Currency?
        for word in words {
            let word = word.last == "." ? word.dropLast() : word[...]
            let folded = word.lowercased()
            if Currency.sharedSigns.contains(folded) { continue }
            guard let currency = Currency(sign: folded) ?? Currency(code: word) else { throw .impossibleValue }
            if let found, found != currency { throw .impossibleValue }
            found = currency
        }
        guard let currency = found ?? fallback else { throw .impossibleValue }
        return currency
    }

    private static func money(_ text: String, _ currency: Currency) throws(ValidationFailure) -> Money {
        var parts: [Substring] = []
        var marks: [Character] = []
        let trimmed = text.drop { $0 == " " }
        var start = trimmed.startIndex
        for index in trimmed.indices where separators.contains(trimmed[index]) {
            parts.append(trimmed[start..<index])
            marks.append(trimmed[index])
            start = trimmed.index(after: index)
        }
        parts.append(trimmed[start...])
        while marks.last == " ", parts.last?.isEmpty == true {
            marks.removeLast()
            parts.removeLast()
        }
        guard let (whole, fraction) = split(parts, marks, decimals: currency.decimals) else { throw .impossibleValue }
        let padded = fraction + String(repeating: "0", count: currency.decimals - fraction.count)
        // Int reads a sign as well, but there is none left here; beyond 64 bits it reads nothing.
        guard let units = Int(whole + padded), let money = Money(units, currency) else { throw .impossibleValue }
        return money
    }

    /// Tells the decimals from the groups of three; `nil` where the number has none or more than one meaning.
    private static func split(
        _ parts: [Substring], _ marks: [Character], decimals: Int
    ) -> (whole: String, fraction: String)? {
        guard parts.allSatisfy({ !$0.isEmpty }), let first = parts.first, let last = parts.last else { return nil }
        guard let mark = marks.last else { return (String(first), "") }
        let canBeFraction =
            (mark == "." || mark == ",") && last.count <= decimals
            && !marks.dropLast().contains(mark)
        let canBeGroup = isGrouped(parts[...], marks[...])
        switch (canBeFraction, canBeGroup) {
        case (true, false):
            guard isGrouped(parts.dropLast(), marks.dropLast()) else { return nil }
            return (parts.dropLast().joined(), String(last))
        case (false, true): return (parts.joined(), "")
        case (true, true), (false, false): return nil
        }
    }

    /// Whether the parts are a whole number in groups of three behind one kind of mark.
    private static func isGrouped(_ parts: ArraySlice<Substring>, _ marks: ArraySlice<Character>) -> Bool {
        guard let first = parts.first else { return false }
        if marks.isEmpty { return true }
        return (1...3).contains(first.count) && first != "0" && parts.dropFirst().allSatisfy { $0.count == 3 }
            && Set(marks).count == 1
    }
}
