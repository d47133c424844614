/// Text as addresses and forms carry it (RFC 3986, section 2.1).
package enum PercentEncoding {
    /// A value with everything but letters, digits and `-._~` as a percent sign and two digits.
    package static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `name=value&name=value`.
    package static func form(_ parts: [(name: String, value: String)]) -> String {
        parts.map { encode($0.name) + "=" + encode($0.value) }.joined(separator: "&")
    }
}
