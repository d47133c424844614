/// Which of two numbers is the day, where a date is written with numbers alone.
public enum DateOrder: String, Sendable, Hashable, CaseIterable { case dayFirst, monthFirst }

/// Reads days as people and models write them, where they can mean one day only.
///
/// `2026-03-04`, `2026/3/4`, `20260304`, `4.3.2026`, `4 March 2026`, `March 4th, 2026`, `4. März 2026`, each with a time
/// behind it or none. `03/04/2026` is one day only where one of the numbers is above twelve, both are the same, or the
/// caller knows the order. Years of two digits are of this century.
enum DateReader {
    static func date(in text: String, order: DateOrder? = nil) throws(ValidationFailure) -> CivilDate {
        guard let date = read(Normalise.spaces(text), order: order) else { throw .impossibleValue }
        return date
    }

    private enum Part: Equatable { case number(Int, digits: Int), month(Int), mark(Character) }

    private static func read(_ text: String, order: DateOrder?) -> CivilDate? {
        guard text.utf8.count <= 64, var parts = parts(of: text) else { return nil }
        if case .number(let whole, digits: 8)? = parts.first {
            parts.removeFirst()
            return CivilDate(year: whole / 10_000, month: whole / 100 % 100, day: whole % 100)
        }
        let marks = parts.compactMap { part -> Character? in if case .mark(let mark) = part { mark } else { nil } }
        let values = parts.filter { part in if case .mark = part { false } else { true } }
        guard values.count == 3 else { return nil }
        switch (values[0], values[1], values[2]) {
        case (.number(let year, digits: 4), .number(let month, _), .number(let day, _)):
            return CivilDate(year: year, month: month, day: day)
        case (.number(let day, _), .month(let month), .number(let year, let digits)),
            (.month(let month), .number(let day, _), .number(let year, let digits)):
            return full(year, digits: digits).flatMap { CivilDate(year: $0, month: month, day: day) }
        case (.number(let year, digits: 4), .month(let month), .number(let day, _)):
            return CivilDate(year: year, month: month, day: day)
        case (.number(let first, _), .number(let second, _), .number(let year, let digits)):
            guard let year = full(year, digits: digits) else { return nil }
            let dayFirst = CivilDate(year: year, month: second, day: first)
            let monthFirst = CivilDate(year: year, month: first, day: second)
            // Points are written by those who write the day first.
            if marks.allSatisfy({ $0 == "." }), !marks.isEmpty { return dayFirst }
            switch (dayFirst, monthFirst) {
            case (let date?, nil), (nil, let date?): return date
            case (let left?, let right?) where left == right: return left
            case (.some, .some): return order.flatMap { $0 == .dayFirst ? dayFirst : monthFirst }
            case (nil, nil): return nil
            }
        default: return nil
        }
    }

    private static func full(_ year: Int, digits: Int) -> Int? {
        switch digits {
        case 4: year
        case 2: 2000 + year
        default: nil
        }
    }

    /// Numbers, months and the marks between numbers; `nil` where there is anything else.
    ///
    /// What follows the third value must be a time of day.
    private static func parts(of text: String) -> [Part]? {
        var parts: [Part] = []
        var values = 0
        var rest = Substring(text)
        while let character = rest.first, values < 3 {
            if character.isASCII, character.isNumber {
                let digits = rest.prefix { $0.isASCII && $0.isNumber }
                guard digits.count <= 8, let number = Int(digits) else { return nil }
                parts.append(.number(number, digits: digits.count))
                rest = rest.dropFirst(digits.count)
                for suffix in ["st", "nd", "rd", "th", "er"] where rest.lowercased().hasPrefix(suffix) {
                    rest = rest.dropFirst(2)
                    break
                }
                values += digits.count == 8 ? 3 : 1
            } else if character.isLetter {
                let word = rest.prefix { $0.isLetter }
                rest = rest.dropFirst(word.count)
                if connectives.contains(word.lowercased()) { continue }
                guard let month = month(named: word.lowercased()) else {
                    guard values == 0 else { return nil }
                    // The name of a day of the week may stand first.
                    guard rest.first == "," || rest.first == "." else { return nil }
                    continue
                }
                parts.append(.month(month))
                values += 1
            } else {
                if "-/.".contains(character) {
                    parts.append(.mark(character))
                } else if !" ,".contains(character) {
                    return nil
                }
                rest = rest.dropFirst()
            }
        }
        return values == 3 && isTime(rest) ? parts : nil
    }

    private static func isTime(_ rest: Substring) -> Bool {
        guard let first = rest.first else { return true }
        if rest == "." { return true }
        guard first == "T" || first == " " || first == "," else { return false }
        return rest.dropFirst().allSatisfy { $0.isASCII && ($0.isNumber || ":.+-Zzaphm, ".contains($0)) }
            && rest.contains(":")
    }

    private static let connectives: Set<String> = ["of", "de", "del", "le", "den", "the", "di"]

    private static func month(named word: String) -> Int? {
        if let month = months[word] { return month }
        // A shortening of at least three letters that begins one month alone.
        guard word.count >= 3 else { return nil }
        let found = Set(months.filter { $0.key.hasPrefix(word) }.values)
        return found.count == 1 ? found.first : nil
    }

    private static let months: [String: Int] = {
        let names = [
            "january february march april may june july august september october november december",
            "januar februar märz april mai juni juli august september oktober november dezember",
            "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
            "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
            "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
            "januari februari maart april mei juni juli augustus september oktober november december",
            "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        ]
        var months: [String: Int] = [:]
        for line in names {
            for (index, name) in line.split(separator: " ").enumerated() { months[String(name)] = index + 1 }
        }
        return months
    }()
}
