/// Names and values as forms and queries carry them.
enum FormEncoding {
    /// `name=value&name=value`, with everything but letters, digits and `-._~` in percent signs and digits.
    static func encode(_ parts: [(name: String, value: String)]) -> String {
        parts.map { encode($0.name) + "=" + encode($0.value) }.joined(separator: "&")
    }

    /// One value.
    static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                bytes.append(contentsOf: ("%" + (digits.utf8.count < 2 ? "0" : "") + digits).utf8)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
