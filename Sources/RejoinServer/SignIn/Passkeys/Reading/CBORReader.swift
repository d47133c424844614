/// Why bytes are not the CBOR that was asked for.
package enum CBORError: String, Error, Sendable {
    case unexpectedEnd, trailingBytes, tooDeep, tooMany, indefiniteLength, reserved, tag, duplicateKey, invalidUTF8
}

/// A strict reader of CBOR that comes from outside: whatever the bytes, it answers, in time and memory bound by them.
///
/// What CTAP forbids authenticators to write is refused: lengths left open, tags, a key that stands in a map twice. The
/// shortest form of a number is not demanded, because some write others.
package struct CBORReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private var budget: Int

    /// Maps and arrays that may be open at once; CTAP itself has four.
    private static let maximumDepth = 8
    /// Values in all: attestations have some dozens.
    private static let maximumValues = 1024

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
        budget = Self.maximumValues
    }

    /// Reads the one value that fills the bytes.
    package static func parse(_ bytes: ArraySlice<UInt8>) throws(CBORError) -> CBORValue {
        var rest = bytes
        let value = try read(from: &rest)
        guard rest.isEmpty else { throw .trailingBytes }
        return value
    }

    /// Reads a value at the front of the bytes and takes it off them.
    package static func read(from bytes: inout ArraySlice<UInt8>) throws(CBORError) -> CBORValue {
        var reader = CBORReader(bytes)
        let value = try reader.value(depth: 0)
        bytes = bytes[reader.position...]
        return value
    }

    private mutating func byte() throws(CBORError) -> UInt8 {
        guard position < bytes.endIndex else { throw .unexpectedEnd }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func take(_ count: UInt64) throws(CBORError) -> ArraySlice<UInt8> {
        guard count <= UInt64(bytes.endIndex - position) else { throw .unexpectedEnd }
        let end = position + Int(count)
        defer { position = end }
        return bytes[position..<end]
    }

    private mutating func value(depth: Int) throws(CBORError) -> CBORValue {
        budget -= 1
        guard budget >= 0 else { throw .tooMany }
        let first = try byte()
        let (kind, information) = (first >> 5, first & 31)
        if kind == 7 { return try simple(information) }
        let argument = try argument(information)
        switch kind {
        case 0: return .unsigned(argument)
        case 1: return .negative(argument)
        case 2: return .bytes(Array(try take(argument)))
        case 3: return .text(try text(argument))
        case 4: return .array(try array(argument, depth: depth))
        case 5: return .map(try map(argument, depth: depth))
        default: throw .tag
        }
    }

    private mutating func argument(_ information: UInt8) throws(CBORError) -> UInt64 {
        switch information {
        case 0..<24: return UInt64(information)
        case 24...27:
            var number: UInt64 = 0
            for byte in try take(1 << UInt64(information - 24)) { number = number << 8 | UInt64(byte) }
            return number
        case 31: throw .indefiniteLength
        default: throw .reserved
        }
    }

    private mutating func simple(_ information: UInt8) throws(CBORError) -> CBORValue {
        switch information {
        case 20: return .bool(false)
        case 21: return .bool(true)
        case 22: return .null
        case 23: return .undefined
        case 25...27: return .float(Array(try take(1 << UInt64(information - 24))))
        case 31: throw .indefiniteLength
        default: throw .reserved
        }
    }

    private mutating func text(_ count: UInt64) throws(CBORError) -> String {
        guard let text = String(validating: try take(count), as: UTF8.self) else { throw .invalidUTF8 }
        return text
    }

    private mutating func array(_ count: UInt64, depth: Int) throws(CBORError) -> [CBORValue] {
        guard depth < Self.maximumDepth else { throw .tooDeep }
        // A value has at least a byte, so that a count beyond that ends before anything is reserved for it.
        guard count <= UInt64(bytes.endIndex - position) else { throw .unexpectedEnd }
        var values: [CBORValue] = []
        for _ in 0..<count { values.append(try value(depth: depth + 1)) }
        return values
    }

    private mutating func map(_ count: UInt64, depth: Int) throws(CBORError) -> [CBORValue.Entry] {
        guard depth < Self.maximumDepth else { throw .tooDeep }
        guard count <= UInt64(bytes.endIndex - position) / 2 else { throw .unexpectedEnd }
        var entries: [CBORValue.Entry] = []
        for _ in 0..<count {
            let key = try value(depth: depth + 1)
            guard !entries.contains(where: { $0.key == key }) else { throw .duplicateKey }
            entries.append(CBORValue.Entry(key, try value(depth: depth + 1)))
        }
        return entries
    }
}
