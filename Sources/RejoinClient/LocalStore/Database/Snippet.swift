/// A stretch of text around the words that were looked for.
struct Snippet: Equatable {
    var text: String
    /// Offsets of UTF-8 bytes.
    var matches: [Range<Int>] = []

    /// What the index puts around a match; a control character that no one types.
    private static let opening = UInt8(1)
    private static let closing = UInt8(2)

    /// How many characters stand before and after a match.
    private static let before = 24
    private static let after = 72

    /// Reads what the index of words marked.
    init(marked: String) {
        var bytes: [UInt8] = []
        var start: Int?
        for byte in marked.utf8 {
            switch byte {
            case Self.opening: start = bytes.count
            case Self.closing:
                if let begun = start { matches.append(begun..<bytes.count) }
                start = nil
            default: bytes.append(byte)
            }
        }
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// Cuts a stretch around the first run that stands in a text.
    init(of runs: [Substring], in body: String) {
        let scalars = body.unicodeScalars
        var first: Range<String.Index>?
        for run in runs {
            guard let found = body.firstRange(of: run), first.map({ found.lowerBound < $0.lowerBound }) ?? true else {
                continue
            }
            first = found
        }
        guard let first else {
            text = String(body.prefix(Self.before + Self.after))
            return
        }
        // Whole characters, so that none is cut in half.
        let start = body.index(first.lowerBound, offsetBy: -Self.before, limitedBy: body.startIndex) ?? body.startIndex
        let end = body.index(first.upperBound, offsetBy: Self.after, limitedBy: body.endIndex) ?? body.endIndex
        let stretch = String(body[start..<end])
        text = (start > body.startIndex ? "…" : "") + stretch + (end < scalars.endIndex ? "…" : "")
        for run in runs {
            for range in text.ranges(of: run) {
                let lower = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
                matches.append(lower..<lower + run.utf8.count)
            }
        }
        matches.sort { $0.lowerBound < $1.lowerBound }
    }
}
