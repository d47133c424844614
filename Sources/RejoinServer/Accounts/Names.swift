// What names, titles and words of a request are held to.

extension String {
    /// Without white space at either end.
    var trimmingSpace: String {
        var scalars = unicodeScalars[...]
        while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        return String(scalars)
    }
}

extension Unicode.Scalar {
    /// A control character, which no name or title may hold.
    var isControl: Bool { value < 0x20 || (0x7F..<0xA0).contains(value) || value == 0x2028 || value == 0x2029 }
}
