/// What may be shown of a model's output while it grows.
///
/// Nothing is decoded: a scan finds the one display field of the outermost object and gives its text as far as it is
/// there. What is not plain text and has no display field shows nothing.
enum DisplayText {
    /// The text to show; nil for nothing yet.
    static func shown(of text: String, for task: ModelTask) -> String? {
        if task.schema == nil { return text }
        return task.displayField.flatMap { field($0, in: Array(text.utf8)) }
    }

    /// The text so far of a field of the outermost object.
    static func field(_ name: String, in bytes: [UInt8]) -> String? {
        var index = 0
        var depth = 0
        // True where a name may stand: after `{` or `,` of the outermost object.
        var isName = false
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "{"):
                depth += 1
                isName = depth == 1
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth <= 0 { return nil }
            case UInt8(ascii: ","): isName = depth == 1
            case UInt8(ascii: "\"") where depth > 0:
                let literal = string(in: bytes, from: index + 1)
                guard let end = literal.end else { return nil }
                index = end
                if isName, literal.text == name { return value(in: bytes, after: end) }
                isName = false
            default: break
            }
            index += 1
        }
        return nil
    }

    /// The string after a colon.
    private static func value(in bytes: [UInt8], after nameEnd: Int) -> String? {
        var index = nameEnd + 1
        while index < bytes.count, [0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ":")].contains(bytes[index]) { index += 1 }
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return nil }
        return string(in: bytes, from: index + 1).text
    }

    /// Reads a string's text up to its closing quote, or as far as whole characters are there.
    private static func string(in bytes: [UInt8], from start: Int) -> (text: String, end: Int?) {
        var text: [UInt8] = []
        var index = start
        var high: UInt32?
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") { return (String(decoding: text, as: UTF8.self), index) }
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                index += 1
                continue
            }
            guard index + 1 < bytes.count else { break }
            if bytes[index + 1] == UInt8(ascii: "u") {
                guard index + 5 < bytes.count else { break }
                let code =
                    UInt32(String(decoding: bytes[(index + 2)...(index + 5)], as: UTF8.self), radix: 16) ?? 0xFFFD
                index += 6
                if (0xD800..<0xDC00).contains(code) {
                    high = code
                    continue
                }
                var value = code
                if let first = high, (0xDC00..<0xE000).contains(code) {
                    value = 0x10000 + (first - 0xD800) << 10 + (code - 0xDC00)
                }
                high = nil
                let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
                text.append(contentsOf: String(Character(scalar)).utf8)
            } else {
                text.append(escaped(bytes[index + 1]))
                index += 2
            }
        }
        return (String(decoding: wholeCharacters(text), as: UTF8.self), nil)
    }

    private static func escaped(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        default: byte
        }
    }

    /// Leaves out a character at the end of which bytes are missing.
    private static func wholeCharacters(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        var end = bytes.count
        var back = 1
        while back <= min(3, bytes.count) {
            let byte = bytes[bytes.count - back]
            if byte & 0xC0 == 0x80 {
                back += 1
                continue
            }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            if length > back { end = bytes.count - back }
            break
        }
        return bytes[..<end]
    }
}
