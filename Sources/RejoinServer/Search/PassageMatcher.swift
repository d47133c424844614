internal import Foundation
internal import SQLite

/// Looks in one text for what was typed: where it stands, and how well it fits.
///
/// Sees words as the index does: letters and digits, without regard to case and accents.
package struct PassageMatcher: Sendable {
    let query: SearchQuery
    /// What is to be found in words: each term is one word, or several that follow each other.
    private let phrases: [[String]]

    /// Where the words stand in a text.
    package struct Match: Equatable, Sendable {
        /// Offsets of UTF-8 bytes, in order, none within another.
        package var ranges: [Range<Int>]
        package var score: Double
    }

    /// Reads what was typed.
    package init(_ text: String) {
        query = SearchQuery(text)
        phrases = query.terms.map { term in
            var words: [String] = []
            FoldedWords.walk(String(term)) { word, _ in words.append(word) }
            return words
        }.filter { !$0.isEmpty }
    }

    /// Whether nothing was typed that can be looked for.
    package var isEmpty: Bool { query.words == nil && query.pairs == nil }

    /// How much of a text is looked at, in bytes of UTF-8.
    private static let examinedBytes = 256 << 10

    /// Finds everything that was typed; nil if some of it is not there.
    package func match(_ body: String) -> Match? {
        guard !isEmpty else { return nil }
        let body = body.utf8.count <= Self.examinedBytes ? body : String(body.prefix(Self.examinedBytes / 4))
        var found = wordMatches(in: body)
        for (index, run) in query.runs.enumerated() {
            for range in body.ranges(of: run) {
                let start = body.utf8.distance(from: body.startIndex, to: range.lowerBound)
                found.append((phrases.count + index, start..<start + run.utf8.count, true))
            }
        }
        let wanted = phrases.count + query.runs.count
        guard Set(found.map(\.phrase)).count == wanted else { return nil }
        found.sort { ($0.range.lowerBound, $0.phrase) < ($1.range.lowerBound, $1.phrase) }
        let span = Self.shortestSpan(found, holding: wanted)
        let typed = query.terms.reduce(0) { $0 + $1.utf8.count } + query.runs.reduce(0) { $0 + $1.utf8.count }
        // Words that stand together mean more than words far apart, and whole words more than beginnings.
        var score = 6 * Double(typed) / Double(max(typed, span))
        score += found.contains { $0.phrase == phrases.count - 1 && $0.isWhole } ? 2 : 0
        score += min(3, Double(found.count) / Double(wanted) / 2)
        return Match(ranges: Self.merged(found.map(\.range)), score: score)
    }

    private typealias Found = (phrase: Int, range: Range<Int>, isWhole: Bool)

    private func wordMatches(in body: String) -> [Found] {
        guard !phrases.isEmpty else { return [] }
        var found: [Found] = []
        // The last words, as far back as the longest phrase goes.
        let longest = phrases.map(\.count).max() ?? 1
        var recent: [(word: String, range: Range<Int>)] = []
        FoldedWords.walk(body) { word, range in
            recent.append((word, range))
            if recent.count > longest { recent.removeFirst() }
            for (index, phrase) in phrases.enumerated() where recent.count >= phrase.count {
                let stretch = recent.suffix(phrase.count)
                let isBeginning = query.endsInBeginning && index == phrases.count - 1
                var fits = true
                var isWhole = true
                for (place, (have, want)) in zip(stretch, phrase).enumerated() {
                    if have.word == want { continue }
                    isWhole = false
                    fits = isBeginning && place == phrase.count - 1 && have.word.hasPrefix(want)
                    if !fits { break }
                }
                if fits, let first = stretch.first {
                    found.append((index, first.range.lowerBound..<range.upperBound, isWhole))
                }
            }
        }
        return found
    }

    /// The length in bytes of the shortest stretch that holds all that was typed.
    private static func shortestSpan(_ found: [Found], holding wanted: Int) -> Int {
        var counts = [Int](repeating: 0, count: wanted)
        var (missing, first, shortest) = (wanted, 0, Int.max)
        for entry in found {
            counts[entry.phrase] += 1
            if counts[entry.phrase] == 1 { missing -= 1 }
            while missing == 0 {
                shortest = min(shortest, entry.range.upperBound - found[first].range.lowerBound)
                counts[found[first].phrase] -= 1
                if counts[found[first].phrase] == 0 { missing += 1 }
                first += 1
            }
        }
        return max(1, shortest)
    }

    private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var merged: [Range<Int>] = []
        for range in ranges {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }
}

/// A text's words without regard to case and accents.
enum FoldedWords {
    /// Visits the words in order, folded, with the bytes of UTF-8 that they take.
    static func walk(_ text: String, _ visit: (String, Range<Int>) -> Void) {
        var word = ""
        var needsFolding = false
        var start = 0
        var offset = 0
        func end() {
            if !word.isEmpty { visit(needsFolding ? folded(word) : word, start..<offset) }
            word = ""
            needsFolding = false
        }
        for scalar in text.unicodeScalars {
            let length = UTF8.width(scalar)
            if scalar.isASCII {
                let value = UInt8(scalar.value)
                switch value {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                    if word.isEmpty { start = offset }
                    word.unicodeScalars.append(Unicode.Scalar(value | 0x20))
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    if word.isEmpty { start = offset }
                    word.unicodeScalars.append(scalar)
                default: end()
                }
            } else if SearchQuery.isToken(scalar) || (!word.isEmpty && isMark(scalar)) {
                if word.isEmpty { start = offset }
                word.unicodeScalars.append(scalar)
                needsFolding = true
            } else {
                end()
            }
            offset += length
        }
        end()
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .nonspacingMark
    }

    private static func folded(_ word: String) -> String {
        var folded = ""
        for scalar in word.lowercased().decomposedStringWithCanonicalMapping.unicodeScalars where !isMark(scalar) {
            folded.unicodeScalars.append(scalar)
        }
        return folded
    }
}
