/// Why a text is not the JSON that was asked for, and where.
public struct JSONError: Error, Equatable, Sendable {
    /// What is wrong, as a closed list.
    public enum Reason: String, Sendable {
        case unexpectedEnd, unexpectedByte, trailingBytes, tooDeep, duplicateName, invalidEscape, invalidUTF8
        case controlCharacter, invalidNumber, numberOutOfRange
    }

    /// What is wrong.
    public let reason: Reason
    /// The byte at which it was noticed, from 0.
    public let offset: Int

    /// Notes a reason at a place.
    public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

/// A strict reader of RFC 8259 JSON: one value, whole, in UTF-8.
///
/// Stricter than most on purpose, because the bytes come from outside: repeated names, lone surrogates, numbers
/// beyond a double and nesting beyond `maximumDepth` are refused.
public struct JSONReader {
    private let bytes: ArraySlice<UInt8>
    private let maximumDepth: Int
    private var position: Int

    /// Reads one JSON value that fills `bytes`.
    ///
    /// - Parameter maximumDepth: how many arrays and objects may be open at once.
    /// - Throws: ``JSONError`` naming the first fault and its offset.
    public static func parse(_ bytes: ArraySlice<UInt8>, maximumDepth: Int = 64) throws(JSONError) -> JSONValue {
        var reader = JSONReader(bytes: bytes, maximumDepth: maximumDepth, position: bytes.startIndex)
        reader.skipSpace()
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.position == bytes.endIndex else { throw reader.error(.trailingBytes) }
        return value
    }

    /// Reads one JSON value that fills `bytes`.
    public static func parse(_ bytes: [UInt8], maximumDepth: Int = 64) throws(JSONError) -> JSONValue {
        try parse(bytes[...], maximumDepth: maximumDepth)
    }

    private func error(_ reason: JSONError.Reason) -> JSONError { JSONError(reason, at: position - bytes.startIndex) }

    private mutating func skipSpace() {
        while position < bytes.endIndex {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    private func peek() throws(JSONError) -> UInt8 {
        guard position < bytes.endIndex else { throw error(.unexpectedEnd) }
        return bytes[position]
    }

    private mutating func expect(_ literal: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for offset in 0..<literal.utf8CodeUnitCount {
            guard try peek() == literal.utf8Start[offset] else { throw error(.unexpectedByte) }
            position += 1
        }
        return value
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        switch try peek() {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try expect("true", .bool(true))
        case UInt8(ascii: "f"): return try expect("false", .bool(false))
        case UInt8(ascii: "n"): return try expect("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw error(.unexpectedByte)
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= maximumDepth else { throw error(.tooDeep) }
        position += 1
        var object = JSONObject()
        var names: Set<String> = []
        skipSpace()
        if try peek() == UInt8(ascii: "}") {
            position += 1
            return .object(object)
        }
        while true {
            skipSpace()
            guard try peek() == UInt8(ascii: "\"") else { throw error(.unexpectedByte) }
            let start = position
            let name = try string()
            guard names.insert(name).inserted else {
                throw JSONError(.duplicateName, at: start - bytes.startIndex)
            }
            skipSpace()
            guard try peek() == UInt8(ascii: ":") else { throw error(.unexpectedByte) }
            position += 1
            skipSpace()
            object.members.append(.init(name: name, value: try value(depth: depth)))
            skipSpace()
            switch try peek() {
            case UInt8(ascii: ","): position += 1
            case UInt8(ascii: "}"):
                position += 1
                return .object(object)
            default: throw error(.unexpectedByte)
            }
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= maximumDepth else { throw error(.tooDeep) }
        position += 1
        var elements: [JSONValue] = []
        skipSpace()
        if try peek() == UInt8(ascii: "]") {
            position += 1
            return .array(elements)
        }
        while true {
            skipSpace()
            elements.append(try value(depth: depth))
            skipSpace()
            switch try peek() {
            case UInt8(ascii: ","): position += 1
            case UInt8(ascii: "]"):
                position += 1
                return .array(elements)
            default: throw error(.unexpectedByte)
            }
        }
    }

    private mutating func string() throws(JSONError) -> String {
        position += 1
        let start = position
        while position < bytes.endIndex {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                let text = try utf8(bytes[start..<position], at: start)
                position += 1
                return text
            case UInt8(ascii: "\\"): return try escapedString(from: start)
            case 0..<0x20: throw error(.controlCharacter)
            default: position += 1
            }
        }
        throw error(.unexpectedEnd)
    }

    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        var unescaped = Array(bytes[start..<position])
        while position < bytes.endIndex {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return try utf8(unescaped[...], at: start)
            case UInt8(ascii: "\\"):
                position += 1
                try escape(into: &unescaped)
            case 0..<0x20: throw error(.controlCharacter)
            default:
                unescaped.append(byte)
                position += 1
            }
        }
        throw error(.unexpectedEnd)
    }

    private mutating func escape(into unescaped: inout [UInt8]) throws(JSONError) {
        let kind = try peek()
        position += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(kind)
        case UInt8(ascii: "b"): unescaped.append(0x08)
        case UInt8(ascii: "f"): unescaped.append(0x0C)
        case UInt8(ascii: "n"): unescaped.append(0x0A)
        case UInt8(ascii: "r"): unescaped.append(0x0D)
        case UInt8(ascii: "t"): unescaped.append(0x09)
        case UInt8(ascii: "u"):
            var code = try hexadecimal()
            if (0xD800..<0xDC00).contains(code) {
                guard try peek() == UInt8(ascii: "\\") else { throw error(.invalidEscape) }
                position += 1
                guard try peek() == UInt8(ascii: "u") else { throw error(.invalidEscape) }
                position += 1
                let low = try hexadecimal()
                guard (0xDC00..<0xE000).contains(low) else { throw error(.invalidEscape) }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw error(.invalidEscape) }
            unescaped.append(contentsOf: UTF8.encode(scalar)!)  // A scalar always has an encoding.
        default: throw error(.invalidEscape)
        }
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            let byte = try peek()
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): code = code << 4 | UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): code = code << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): code = code << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
            default: throw error(.invalidEscape)
            }
            position += 1
        }
        return code
    }

    private func utf8(_ raw: ArraySlice<UInt8>, at start: Int) throws(JSONError) -> String {
        guard let text = String(validating: raw, as: UTF8.self) else {
            throw JSONError(.invalidUTF8, at: start - bytes.startIndex)
        }
        return text
    }

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = position
        var isWhole = true
        if try peek() == UInt8(ascii: "-") { position += 1 }
        if try peek() == UInt8(ascii: "0") { position += 1 } else { try digits() }
        if position < bytes.endIndex, bytes[position] == UInt8(ascii: ".") {
            isWhole = false
            position += 1
            try digits()
        }
        if position < bytes.endIndex, bytes[position] | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            position += 1
            if try peek() == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let integer = Int(text) { return .integer(integer) }
        guard let number = Double(text) else { throw JSONError(.invalidNumber, at: start - bytes.startIndex) }
        guard number.isFinite else { throw JSONError(.numberOutOfRange, at: start - bytes.startIndex) }
        return .number(number)
    }

    private mutating func digits() throws(JSONError) {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(try peek()) else { throw error(.invalidNumber) }
        while position < bytes.endIndex, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
            position += 1
        }
    }
}
