// What names, titles and words of a request are held to.

import RejoinCore

extension String {
    /// The name of an account or a passkey as it is kept: without white space at either end.
    ///
    /// - Throws: a ``Problem`` of the field `name` where it is none.
    func asName() throws(Problem) -> String {
        let name = trimmingSpace
        guard (1...64).contains(name.count), name.utf8.count <= 256, !name.unicodeScalars.contains(where: \.isControl)
        else {
            throw Problem(.invalidRequest, "A name has 1 to 64 characters and no control characters.", field: "name")
        }
        return name
    }

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
