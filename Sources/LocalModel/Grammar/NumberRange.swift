/// The numbers from one whole bound to another, as grammar.
struct NumberRange: Sendable {
    private let least: Int
    private let most: Int

    /// Sixteen digits: every such number is exact in a double or close enough, and no answer needs more.
    private static let widest = 9_999_999_999_999_999

    /// Takes the bounds of a schema; those absent are as wide as sixteen digits.
    ///
    /// - Throws: `schemaUnsupported` for an empty range, or open bounds of numbers that are not whole.
    init(minimum: Int?, maximum: Int?, above: Int?, below: Int?, isWhole: Bool) throws(LocalModelError) {
        guard isWhole || (above == nil && below == nil) else {
            throw LocalModelError(.schemaUnsupported, place: "exclusiveMinimum or exclusiveMaximum of a number")
        }
        let afterOpen = above.map { $0 == .max ? $0 : $0 + 1 } ?? -Self.widest
        let beforeOpen = below.map { $0 == .min ? $0 : $0 - 1 } ?? Self.widest
        least = max(minimum ?? -Self.widest, afterOpen, -Self.widest)
        most = min(maximum ?? Self.widest, beforeOpen, Self.widest)
        guard least <= most else { throw LocalModelError(.schemaUnsupported, place: "minimum above maximum") }
    }

    /// The whole numbers of the range.
    var integers: String {
        var alternatives: [String] = []
        if most >= 0 { alternatives.append(Self.digits(from: max(least, 0), to: most)) }
        if least < 0 { alternatives.append("\"-\" " + Self.digits(from: max(1, -most), to: -least)) }
        return "(" + alternatives.joined(separator: " | ") + ")"
    }

    /// All numbers of the range, with at most eight places.
    var numbers: String {
        var alternatives: [String] = []
        if most >= 0 { alternatives.append(Self.decimals(from: max(least, 0), to: most)) }
        if least < 0 { alternatives.append("\"-\" " + Self.decimals(from: max(0, -most), to: -least)) }
        return "(" + alternatives.joined(separator: " | ") + ")"
    }

    private static func decimals(from least: Int, to most: Int) -> String {
        guard least < most else { return "\"\(most)\"" }
        return "(\(digits(from: least, to: most - 1)) (\".\" [0-9]{1,8})? | \"\(most)\")"
    }

    /// Numbers from 0 on, without leading zeros: those of each length apart.
    private static func digits(from least: Int, to most: Int) -> String {
        var alternatives: [String] = []
        var from = least
        while from <= most {
            // The largest number with as many digits; sixteen nines at most, so nothing overflows.
            let nines = String(repeating: "9", count: String(from).count)
            let to = min(most, Int(nines) ?? most)
            alternatives.append(sameLength(figures(from)[...], figures(to)[...]))
            from = to + 1
        }
        return "(" + alternatives.joined(separator: " | ") + ")"
    }

    private static func figures(_ number: Int) -> [Int] { String(number).compactMap(\.wholeNumberValue) }

    /// Numbers between two of the same length.
    private static func sameLength(_ least: ArraySlice<Int>, _ most: ArraySlice<Int>) -> String {
        guard let low = least.first, let high = most.first else { return "\"\"" }
        let (lowRest, highRest) = (least.dropFirst(), most.dropFirst())
        if low == high { return "\"\(low)\" " + (lowRest.isEmpty ? "" : sameLength(lowRest, highRest)) }
        let rest = lowRest.count
        let any = rest == 0 ? "" : " [0-9]{\(rest)}"
        var alternatives: [String] = []
        var (first, last) = (low, high)
        if lowRest.contains(where: { $0 != 0 }) {
            alternatives.append("\"\(low)\" " + sameLength(lowRest, Array(repeating: 9, count: rest)[...]))
            first += 1
        }
        if highRest.contains(where: { $0 != 9 }) {
            alternatives.append("\"\(high)\" " + sameLength(Array(repeating: 0, count: rest)[...], highRest))
            last -= 1
        }
        if first <= last { alternatives.append("[\(first)-\(last)]\(any)") }
        return "(" + alternatives.joined(separator: " | ") + ")"
    }
}
