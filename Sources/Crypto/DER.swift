/// The little of ASN.1's distinguished encoding that a public key and a signature need, written and never read.
enum DER {
    /// An element of a tag, with its length before it.
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        if content.count < 0x80 { return [tag, UInt8(content.count)] + content }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }

    static func sequence(_ elements: [UInt8]...) -> [UInt8] { element(0x30, Array(elements.joined())) }

    /// A number that is not negative, given as its bytes, the highest first.
    static func integer(_ magnitude: some Sequence<UInt8>) -> [UInt8] {
        var bytes = Array(magnitude.drop { $0 == 0 })
        // The highest bit would be a sign.
        if bytes.first.map({ $0 >= 0x80 }) ?? true { bytes.insert(0, at: 0) }
        return element(0x02, bytes)
    }

    static func bitString(_ bytes: [UInt8]) -> [UInt8] { element(0x03, [0] + bytes) }
}
