/// What a text certainly says: the amounts, days, numbers and the currency that stand in it.
///
/// A model that was asked to copy may invent; what it gives is held against this. Where nothing of a kind can be read
/// from the text for certain, nothing is held against it.
struct TextFacts {
    private let text: String

    /// No text that an operation takes is longer; what comes after is not looked at.
    private static let longest = 16_384

    init(_ text: String) { self.text = String(text.prefix(Self.longest)) }

    /// The one currency that the text names, by a code or by a sign of its own; nil for none, several, or a shared sign.
    var currency: Currency? {
        var found: Currency?
        for word in text.split(whereSeparator: { $0.isWhitespace || $0.isNumber || ".,:;()/'-".contains($0) }) {
            // In small letters a code is a word like any other.
            let isCode = word.count == 3 && word.allSatisfy { $0.isASCII && $0.isUppercase }
            let named = isCode ? Currency(code: word) : Currency(sign: word.lowercased())
            guard let named else { continue }
            if let found, found != named { return nil }
            found = named
        }
        return found
    }

    /// The amounts that the text may mean, in the smallest part of a currency.
    func amounts(_ currency: Currency) -> Set<Int> {
        var amounts: Set<Int> = []
        for line in text.split(whereSeparator: \.isNewline) {
            // With spaces as marks between groups, and with spaces as the end of a number.
            for number in Self.numbers(in: line, joinedBySpaces: true) + Self.numbers(in: line, joinedBySpaces: false) {
                guard let money = try? AmountReader.money(in: number, fallback: currency) else { continue }
                amounts.insert(money.minorUnits)
            }
        }
        return amounts
    }

    /// The days that the text names.
    func dates(_ order: DateOrder?) -> Set<CivilDate> {
        var dates: Set<CivilDate> = []
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split(whereSeparator: \.isWhitespace)
            for start in words.indices {
                for end in start..<min(start + 4, words.endIndex) {
                    let stretch = words[start...end].joined(separator: " ")
                    let plain = stretch.trimmedOfMarks
                    if let date = try? DateReader.date(in: plain, order: order) { dates.insert(date) }
                }
            }
        }
        return dates
    }

    /// The runs of digits in the text, marks between them left out.
    var digits: Set<String> {
        Set(Self.numbers(in: text[...], joinedBySpaces: false).map { $0.filter(\.isNumber) })
    }

    private static func numbers(in line: Substring, joinedBySpaces: Bool) -> [String] {
        var numbers: [String] = []
        var number = ""
        func end() {
            let whole = number.trimmedOfMarks
            if !whole.isEmpty { numbers.append(whole) }
            number = ""
        }
        for character in line {
            let isDigit = character.isASCII && character.isNumber
            let isMark = ".,'’".contains(character) || joinedBySpaces && character == " "
            if isDigit || isMark && !number.isEmpty { number.append(character) } else { end() }
        }
        end()
        return numbers
    }
}

extension String {
    /// Without marks and spaces at either end.
    fileprivate var trimmedOfMarks: String {
        var text = self[...]
        while let last = text.last, !last.isLetter, !last.isNumber { text.removeLast() }
        while let first = text.first, !first.isLetter, !first.isNumber { text.removeFirst() }
        return String(text)
    }
}
