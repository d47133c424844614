import SQLite

@testable import ServerParsing

/// Looks for one half of a text in the other: nothing may trap, and what is shown is whole characters.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSearch(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: min(count, 8192)))
    guard let first = bytes.first else { return 0 }
    let cut = min(bytes.count, 1 + Int(first))
    let typed = String(decoding: bytes[1..<max(1, cut)], as: UTF8.self)
    let body = String(decoding: bytes[max(1, cut)...], as: UTF8.self)

    let query = SearchQuery(typed)
    // What is handed to the index is quoted: a quote within is doubled, so that nothing of it is an operator.
    for expression in [query.words, query.pairs].compactMap({ $0 }) {
        precondition(expression.utf8.count { $0 == UInt8(ascii: "\"") } % 2 == 0, "A quote is open.")
    }
    guard let match = PassageMatcher(typed).match(body) else { return 0 }
    let size = body.utf8.count
    for range in match.ranges { precondition(range.lowerBound >= 0 && range.upperBound <= size, "Beyond the text.") }
    let excerpt = Excerpt(of: body, around: match.ranges)
    let shown = Array(excerpt.text.utf8)
    for range in excerpt.matches {
        precondition(range.lowerBound >= 0 && range.upperBound <= shown.count, "Beyond what is shown.")
    }
    return 0
}
