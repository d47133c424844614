extension ArraySlice where Element == UInt8 {
    /// Where `pattern` first begins, if anywhere.
    package func first(_ pattern: [UInt8]) -> Int? {
        guard let head = pattern.first, count >= pattern.count else { return nil }
        var position = startIndex
        let last = endIndex - pattern.count
        while position <= last {
            if self[position] == head, matches(pattern, at: position) { return position }
            position += 1
        }
        return nil
    }

    /// Where `pattern` last begins, if anywhere.
    package func last(_ pattern: [UInt8]) -> Int? {
        guard let head = pattern.first, count >= pattern.count else { return nil }
        var position = endIndex - pattern.count
        while position >= startIndex {
            if self[position] == head, matches(pattern, at: position) { return position }
            position -= 1
        }
        return nil
    }

    /// The JSON string that is the value of the first `name` (given with its quotes), without its own quotes.
    ///
    /// It ends at the first escape: nothing that is looked for here holds one.
    package func string(after name: [UInt8]) -> ArraySlice<UInt8>? {
        guard let found = first(name) else { return nil }
        var start = found + name.count
        while start < endIndex, self[start] == UInt8(ascii: " ") || self[start] == UInt8(ascii: ":") { start += 1 }
        guard start < endIndex, self[start] == UInt8(ascii: "\"") else { return nil }
        start += 1
        var end = start
        while end < endIndex, self[end] != UInt8(ascii: "\""), self[end] != UInt8(ascii: "\\") { end += 1 }
        return self[start..<end]
    }

    private func matches(_ pattern: [UInt8], at position: Int) -> Bool {
        for index in 1..<Swift.max(pattern.count, 1) where self[position + index] != pattern[index] { return false }
        return true
    }
}
