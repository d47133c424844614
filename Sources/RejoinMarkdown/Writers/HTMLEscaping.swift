/// Text made harmless inside HTML.
enum HTMLEscaping {
    /// Appends text for the inside of an element or of an attribute in double quotes.
    ///
    /// Characters that turn the direction of what follows are named instead: they can make code read as what it is not.
    static func append(_ bytes: [UInt8], from start: Int, to end: Int, to out: inout OutputBytes) {
        guard start < end else { return }
        bytes.withUnsafeBufferPointer { bytes in
            var begin = start
            var position = start
            while true {
                position = bytes.first(from: position, to: end) {
                    $0.equal(Byte.less, or: Byte.greater) | $0.equal(Byte.ampersand, or: Byte.quote) | $0.equal(0xE2)
                }
                guard position < end else { break }
                let replacement: StaticString
                var length = 1
                switch bytes[position] {
                case Byte.less: replacement = "&lt;"
                case Byte.greater: replacement = "&gt;"
                case Byte.ampersand: replacement = "&amp;"
                case Byte.quote: replacement = "&quot;"
                case 0xE2 where isTurning(bytes, at: position, to: end):
                    replacement = "\u{FFFD}"
                    length = 3
                default:
                    position += 1
                    continue
                }
                out.append(UnsafeBufferPointer(rebasing: bytes[begin..<position]))
                out.append(replacement)
                position += length
                begin = position
            }
            out.append(UnsafeBufferPointer(rebasing: bytes[begin..<end]))
        }
    }

    /// U+202A to U+202E and U+2066 to U+2069.
    private static func isTurning(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int, to end: Int) -> Bool {
        guard position + 2 < end else { return false }
        let (second, third) = (bytes[position + 1], bytes[position + 2])
        return (second == 0x80 && third >= 0xAA && third <= 0xAE) || (second == 0x81 && third >= 0xA6 && third <= 0xA9)
    }

    /// Appends an address, with everything that has no place in one in percent signs and digits.
    static func append(address bytes: [UInt8], to out: inout OutputBytes) {
        var begin = 0
        for position in bytes.indices where !addressBytes.contains(bytes[position]) {
            out.append(bytes, from: begin, to: position)
            begin = position + 1
            let byte = bytes[position]
            if byte == Byte.ampersand {
                out.append("&amp;")
            } else {
                out.append(UInt8(ascii: "%"))
                out.append(hexDigit(byte >> 4))
                out.append(hexDigit(byte & 15))
            }
        }
        out.append(bytes, from: begin, to: bytes.count)
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x41 + value - 10 }

    private static let addressBytes = ByteSet(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.+!*(),%#@?=;:/$~")
}

/// Which addresses may be followed.
enum SafeAddress {
    /// Whether a link may point there: on the web or to a mailbox, said in full.
    static func mayBeLinked(_ address: [UInt8]) -> Bool {
        mayBeLoaded(address) || (address.hasTextIgnoringCase("mailto:", at: 0) && address.count > 7)
    }

    /// Whether a picture may be loaded from there, once a person asks for it.
    static func mayBeLoaded(_ address: [UInt8]) -> Bool {
        (address.hasTextIgnoringCase("https://", at: 0) && address.count > 8)
            || (address.hasTextIgnoringCase("http://", at: 0) && address.count > 7)
    }
}
