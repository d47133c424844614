public import RejoinCore

/// Finds the one JSON object in what a model wrote, be it bare, in a fence or with words around it.
///
/// It never guesses: no object, two of them, half of one, or one that is a member of a list, and the text is
/// undecodable. One pass finds the object and one reads it, whatever the text holds.
public enum JSONExtraction {
    /// The one object in a text.
    ///
    /// - Throws: ``ValidationFailure/undecodable``.
    public static func object(in text: String) throws(ValidationFailure) -> JSONObject {
        let bytes = Array(text.utf8)
        guard let range = try onlyObject(in: bytes), let value = try? JSONReader.parse(bytes[range]),
            let object = value.object
        else { throw .undecodable }
        return object
    }

    /// Where the object is, braces included; `nil` where there is none.
    private static func onlyObject(in bytes: [UInt8]) throws(ValidationFailure) -> Range<Int>? {
        guard let start = bytes.firstIndex(of: UInt8(ascii: "{")) else { return nil }
        guard let end = end(ofObjectAt: start, in: bytes) else { throw .undecodable }
        // A second object, or the rest of one that was closed too early.
        let rest = bytes[end...]
        guard !rest.contains(UInt8(ascii: "{")), !rest.contains(UInt8(ascii: "}")) else { throw .undecodable }
        let before = bytes[..<start].last { !isSpace($0) }
        guard before != UInt8(ascii: "[") else { throw .undecodable }
        return start..<end
    }

    private static func end(ofObjectAt start: Int, in bytes: [UInt8]) -> Int? {
        var depth = 0
        var isInString = false
        var isEscaped = false
        for position in start..<bytes.count {
            let byte = bytes[position]
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return position + 1 }
            default: break
            }
        }
        return nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
