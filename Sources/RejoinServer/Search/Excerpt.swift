/// A stretch of a text around the words that were looked for.
package struct Excerpt: Equatable, Sendable {
    /// One line: ends of lines are spaces, and `…` stands for what was left out at either end.
    package private(set) var text: String
    /// The places that match, as offsets of UTF-8 bytes of `text`.
    package private(set) var matches: [Range<Int>] = []

    /// How many bytes are shown before the first match, and in all, about.
    private static let (before, length) = (48, 200)

    /// Cuts a stretch at the place where the most matches stand together.
    ///
    /// - Parameter ranges: offsets of UTF-8 bytes of `body`, in order.
    package init(of body: String, around ranges: [Range<Int>]) {
        let bytes = Array(body.utf8.prefix((ranges.last?.upperBound ?? 0) + 4 * Self.length))
        let anchor = Self.anchor(ranges)
        let start = Self.wordStart(bytes, max(0, (anchor?.lowerBound ?? 0) - Self.before))
        var end = min(bytes.count, max(start + Self.length, anchor?.upperBound ?? 0))
        while end > start, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        let ellipsis = "…"
        var shown: [UInt8] = start > 0 ? Array(ellipsis.utf8) : []
        let shift = shown.count - start
        for byte in bytes[start..<end] { shown.append(byte < 0x20 ? 0x20 : byte) }
        matches = ranges.filter { $0.lowerBound >= start && $0.upperBound <= end }
            .map { $0.lowerBound + shift..<$0.upperBound + shift }
        if end < body.utf8.count { shown += ellipsis.utf8 }
        text = String(decoding: shown, as: UTF8.self)
    }

    /// The match after which the most others stand within what is shown.
    private static func anchor(_ ranges: [Range<Int>]) -> Range<Int>? {
        var best = ranges.first
        var most = 0
        var end = 0
        for (index, range) in ranges.enumerated() {
            end = max(end, index)
            while end < ranges.count, ranges[end].upperBound <= range.lowerBound + length - before { end += 1 }
            if end - index > most { (best, most) = (range, end - index) }
        }
        return best
    }

    /// The beginning of the word at an offset, or of the character if the word is long.
    private static func wordStart(_ bytes: [UInt8], _ offset: Int) -> Int {
        guard offset > 0 else { return 0 }
        var start = offset
        while start > 0, offset - start < 24 {
            if bytes[start - 1] <= 0x20 { return start }
            start -= 1
        }
        start = offset
        while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        return start
    }
}
