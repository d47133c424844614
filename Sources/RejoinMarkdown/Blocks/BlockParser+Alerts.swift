extension BlockParser {
    private static let alerts: [StaticString] = ["[!note]", "[!tip]", "[!important]", "[!warning]", "[!caution]"]

    /// Turns a quote into an alert, if that is what its first line says; nothing is left of the line then.
    mutating func startsAlert() -> Bool {
        guard extensions.contains(.alerts), blocks[tip].kind == .quote, !blocks[tip].hasChildren else { return false }
        var end = cursor.end
        while end > cursor.offset, source[end - 1].isBlank { end -= 1 }
        for (index, mark) in Self.alerts.enumerated()
        where end - cursor.offset == mark.utf8CodeUnitCount && source.hasTextIgnoringCase(mark, at: cursor.offset) {
            blocks[tip].kind = .alert
            blocks[tip].detail = Int32(index)
            touch(tip)
            return true
        }
        return false
    }
}
