/// A value of CBOR (RFC 8949), as far as authenticators write them.
package indirect enum CBORValue: Equatable, Sendable {
    /// A whole number from 0 up.
    case unsigned(UInt64)
    /// A whole number below 0, as the encoding has it: −1 less this.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBORValue])
    /// In the order written; no key stands there twice.
    case map([Entry])
    case bool(Bool)
    case null
    case undefined
    /// The bits of a floating-point number, two, four or eight bytes of them: nobody here computes with one.
    case float([UInt8])

    /// A key with its value.
    package struct Entry: Equatable, Sendable {
        package var key: CBORValue
        package var value: CBORValue

        package init(_ key: CBORValue, _ value: CBORValue) {
            self.key = key
            self.value = value
        }
    }
}

extension CBORValue {
    /// The number, if it is a whole one that fits.
    package var integer: Int? {
        switch self {
        case .unsigned(let number): Int(exactly: number)
        // −1 − n is the complement of n.
        case .negative(let number): Int(exactly: number).map { ~$0 }
        default: nil
        }
    }

    /// The bytes, if it is a byte string.
    package var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
    /// The text, if it is one.
    package var text: String? { if case .text(let text) = self { text } else { nil } }

    /// The value under a text in a map; nil where there is none, or this is no map.
    package subscript(_ key: String) -> CBORValue? { value(under: .text(key)) }

    /// The value under a whole number in a map, which is how COSE names its members.
    package subscript(_ key: Int) -> CBORValue? {
        value(under: key < 0 ? .negative(UInt64(~key)) : .unsigned(UInt64(key)))
    }

    private func value(under key: CBORValue) -> CBORValue? {
        guard case .map(let entries) = self else { return nil }
        return entries.first { $0.key == key }?.value
    }
}
