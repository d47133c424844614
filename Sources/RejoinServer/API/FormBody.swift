import HTTPServer
import RejoinCore

/// The parameters of a body in `application/x-www-form-urlencoded`, each at most once.
struct FormBody: Equatable {
    private var values: [String: String] = [:]

    /// Reads a body; nil if it is not one, or names a parameter twice.
    init?(_ body: [UInt8]) {
        for pair in body.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            guard let name = Self.decode(pair[..<equals]), let value = Self.decode(pair[equals...].dropFirst()),
                values.updateValue(value, forKey: name) == nil
            else { return nil }
        }
    }

    /// A parameter; one that is empty counts as left out (RFC 6749, 3.1).
    subscript(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    private static func decode(_ text: ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(0x20)
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(Grammar.hexadecimal),
                    let low = rest.popFirst().flatMap(Grammar.hexadecimal)
                else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
