/// Reads JSON5 one Unicode scalar at a time, for ``JSON5/parse(_:)``.
struct JSON5Reader {
    /// How deep arrays and objects may nest: far more than a configuration needs, far less than a stack holds.
    static let maximumDepth = 32

    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var position = JSON5.Position()
    private var depth = 0

    init(_ bytes: [UInt8]) throws(JSON5.Failure) {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(bytes.count)
        var position = JSON5.Position()
        decoding: while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar):
                position.advance(over: scalar, after: scalars.last)
                scalars.append(scalar)
            case .emptyInput: break decoding
            case .error: throw JSON5.Failure(position: position, message: "the file is not UTF-8 here")
            }
        }
        self.scalars = scalars
    }

    mutating func document() throws(JSON5.Failure) -> JSON5 {
        try skipSpace()
        let value = try self.value()
        try skipSpace()
        guard peek == nil else { throw unexpected("the end of the file") }
        return value
    }

    // MARK: Values

    private mutating func value() throws(JSON5.Failure) -> JSON5 {
        let start = position
        switch peek {
        case "{":
            return JSON5(
                value: .object(try nested { reader throws(JSON5.Failure) in try reader.members() }), position: start)
        case "[":
            return JSON5(
                value: .array(try nested { reader throws(JSON5.Failure) in try reader.elements() }), position: start)
        case "\"", "'": return JSON5(value: .string(try string()), position: start)
        case let scalar? where scalar.isDigit || "+-.".unicodeScalars.contains(scalar):
            return JSON5(value: .number(try number()), position: start)
        case let scalar? where scalar.startsIdentifier:
            let word = try identifier()
            switch word {
            case "null": return JSON5(value: .null, position: start)
            case "true": return JSON5(value: .bool(true), position: start)
            case "false": return JSON5(value: .bool(false), position: start)
            case "Infinity", "NaN": throw JSON5.Failure(position: start, message: "\(word) is not a value here")
            default:
                throw JSON5.Failure(position: start, message: "expected a value, not \(word); text needs quotes")
            }
        default: throw unexpected("a value")
        }
    }

    private mutating func nested<Result>(
        _ body: (inout JSON5Reader) throws(JSON5.Failure) -> Result
    ) throws(JSON5.Failure) -> Result {
        guard depth < Self.maximumDepth else {
            throw failure("nested more than \(Self.maximumDepth) deep")
        }
        depth += 1
        advance()
        let result = try body(&self)
        depth -= 1
        return result
    }

    private mutating func elements() throws(JSON5.Failure) -> [JSON5] {
        var elements: [JSON5] = []
        while true {
            try skipSpace()
            if take("]") { return elements }
            elements.append(try value())
            try skipSpace()
            guard take(",") || peek == "]" else { throw unexpected("\",\" or \"]\"") }
        }
    }

    private mutating func members() throws(JSON5.Failure) -> [JSON5.Member] {
        var members: [JSON5.Member] = []
        var seen: [String: JSON5.Position] = [:]
        while true {
            try skipSpace()
            if take("}") { return members }
            let start = position
            let name: String
            switch peek {
            case "\"", "'": name = try string()
            case let scalar? where scalar.startsIdentifier || scalar == "\\": name = try identifier()
            default: throw unexpected("a key or \"}\"")
            }
            if let first = seen.updateValue(start, forKey: name) {
                throw JSON5.Failure(
                    position: start, message: "\"\(name)\" is written twice, first in line \(first.line)")
            }
            try skipSpace()
            guard take(":") else { throw unexpected("\":\" after the key \"\(name)\"") }
            try skipSpace()
            members.append(JSON5.Member(name: name, position: start, value: try value()))
            try skipSpace()
            guard take(",") || peek == "}" else { throw unexpected("\",\" or \"}\"") }
        }
    }

    // MARK: Numbers

    private mutating func number() throws(JSON5.Failure) -> Double {
        let start = position
        let isNegative = peek == "-"
        if peek == "-" || peek == "+" { advance() }
        let magnitude: Double
        if peek == "0", peek(1) == "x" || peek(1) == "X" {
            advance()
            advance()
            magnitude = try hexadecimal()
        } else if peek == "I" || peek == "N" {
            throw JSON5.Failure(position: start, message: "\(try identifier()) is not a value here")
        } else {
            magnitude = try decimal()
        }
        if let next = peek, next.continuesIdentifier { throw unexpected("the number to end") }
        guard magnitude.isFinite else { throw JSON5.Failure(position: start, message: "the number is too large") }
        return isNegative ? -magnitude : magnitude
    }

    private mutating func hexadecimal() throws(JSON5.Failure) -> Double {
        guard peek?.hexValue != nil else { throw unexpected("a hexadecimal digit") }
        var value = 0.0
        while let digit = peek?.hexValue {
            value = value * 16 + Double(digit)
            advance()
        }
        return value
    }

    private mutating func decimal() throws(JSON5.Failure) -> Double {
        if peek == "0", peek(1)?.isDigit == true { throw failure("a number does not start with 0") }
        // Swift's own conversion rounds rightly; it only wants digits on both sides of the point.
        var whole = digits()
        var fraction = ""
        if take(".") { fraction = digits() }
        guard !whole.isEmpty || !fraction.isEmpty else { throw unexpected("a digit") }
        if whole.isEmpty { whole = "0" }
        var text = whole + "." + (fraction.isEmpty ? "0" : fraction)
        if peek == "e" || peek == "E" {
            advance()
            text += "e"
            if peek == "-" || peek == "+" {
                text += peek == "-" ? "-" : ""
                advance()
            }
            let exponent = digits()
            guard !exponent.isEmpty else { throw unexpected("a digit of the exponent") }
            text += exponent
        }
        return Double(text) ?? .infinity
    }

    private mutating func digits() -> String {
        var text = String.UnicodeScalarView()
        while let scalar = peek, scalar.isDigit {
            text.append(scalar)
            advance()
        }
        return String(text)
    }

    // MARK: Strings and names

    private mutating func string() throws(JSON5.Failure) -> String {
        let start = position
        let quote = peek
        advance()
        var text = String.UnicodeScalarView()
        while let scalar = peek {
            switch scalar {
            case quote:
                advance()
                return String(text)
            case "\\":
                advance()
                if let escaped = try escape() { text.append(escaped) }
            case "\n", "\r": throw failure("the text that starts in column \(start.column) does not end in its line")
            default:
                text.append(scalar)
                advance()
            }
        }
        throw JSON5.Failure(position: start, message: "the text that starts here does not end")
    }

    /// What follows a backslash; nil for a line that goes on in the next.
    private mutating func escape() throws(JSON5.Failure) -> Unicode.Scalar? {
        guard let scalar = peek else { throw failure("the file ends after a backslash") }
        switch scalar {
        case "u": return try unicodeEscape()
        case "x":
            advance()
            return Unicode.Scalar(UInt8(try hexDigits(2)))
        case "\r":
            advance()
            _ = take("\n")
            return nil
        case "\n", "\u{2028}", "\u{2029}":
            advance()
            return nil
        case "0":
            guard peek(1)?.isDigit != true else { throw failure("a digit does not follow \\0") }
            advance()
            return "\0"
        case "1"..."9": throw failure("a backslash does not stand before a digit")
        default:
            advance()
            return Self.escapes[scalar] ?? scalar
        }
    }

    private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
        "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t", "v": "\u{B}",
    ]

    private mutating func unicodeEscape() throws(JSON5.Failure) -> Unicode.Scalar {
        let start = position
        advance()
        var value = UInt32(try hexDigits(4))
        if (0xD800..<0xDC00).contains(value), peek == "\\", peek(1) == "u" {
            advance()
            advance()
            let low = UInt32(try hexDigits(4))
            if (0xDC00..<0xE000).contains(low) { value = 0x1_0000 + ((value - 0xD800) << 10) + (low - 0xDC00) }
        }
        guard let scalar = Unicode.Scalar(value) else {
            throw JSON5.Failure(position: start, message: "half of a surrogate pair is not a character")
        }
        return scalar
    }

    private mutating func hexDigits(_ count: Int) throws(JSON5.Failure) -> Int {
        var value = 0
        for _ in 0..<count {
            guard let digit = peek?.hexValue else { throw unexpected("a hexadecimal digit") }
            value = value * 16 + digit
            advance()
        }
        return value
    }

    private mutating func identifier() throws(JSON5.Failure) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = peek {
            if scalar == "\\" {
                let start = position
                advance()
                guard peek == "u" else { throw unexpected("\"u\" after a backslash in a key") }
                let escaped = try unicodeEscape()
                guard text.isEmpty ? escaped.startsIdentifier : escaped.continuesIdentifier else {
                    throw JSON5.Failure(position: start, message: "this character needs a key in quotes")
                }
                text.append(escaped)
            } else if text.isEmpty ? scalar.startsIdentifier : scalar.continuesIdentifier {
                text.append(scalar)
                advance()
            } else {
                break
            }
        }
        return String(text)
    }

    // MARK: Space and place

    private mutating func skipSpace() throws(JSON5.Failure) {
        while let scalar = peek {
            if scalar.isJSON5Space {
                advance()
            } else if scalar == "/", peek(1) == "/" {
                while let scalar = peek, !scalar.endsLine { advance() }
            } else if scalar == "/", peek(1) == "*" {
                let start = position
                advance()
                advance()
                while !(peek == "*" && peek(1) == "/") {
                    guard peek != nil else {
                        throw JSON5.Failure(position: start, message: "the comment that starts here does not end")
                    }
                    advance()
                }
                advance()
                advance()
            } else {
                return
            }
        }
    }

    private var peek: Unicode.Scalar? { peek(0) }

    private func peek(_ offset: Int) -> Unicode.Scalar? {
        index + offset < scalars.count ? scalars[index + offset] : nil
    }

    private mutating func advance() {
        guard index < scalars.count else { return }
        position.advance(over: scalars[index], after: index > 0 ? scalars[index - 1] : nil)
        index += 1
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        advance()
        return true
    }

    private func failure(_ message: String) -> JSON5.Failure { JSON5.Failure(position: position, message: message) }

    private func unexpected(_ expected: String) -> JSON5.Failure {
        switch peek {
        case nil: failure("expected \(expected), but the file ends")
        case let scalar? where scalar.properties.generalCategory == .control:
            failure("expected \(expected), not the character U+" + String(scalar.value, radix: 16, uppercase: true))
        case let scalar?: failure("expected \(expected), not \"\(scalar)\"")
        }
    }
}

extension JSON5.Position {
    /// Moves past a scalar; CR LF is one end of a line.
    fileprivate mutating func advance(over scalar: Unicode.Scalar, after previous: Unicode.Scalar?) {
        if scalar == "\n", previous == "\r" { return }
        if scalar.endsLine {
            line += 1
            column = 1
        } else {
            column += 1
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }

    fileprivate var hexValue: Int? {
        switch self {
        case "0"..."9": Int(value) - 0x30
        case "a"..."f": Int(value) - 0x61 + 10
        case "A"..."F": Int(value) - 0x41 + 10
        default: nil
        }
    }

    fileprivate var endsLine: Bool { self == "\n" || self == "\r" || self == "\u{2028}" || self == "\u{2029}" }

    fileprivate var isJSON5Space: Bool {
        switch self {
        case "\t", "\u{B}", "\u{C}", " ", "\u{A0}", "\u{FEFF}": true
        default: endsLine || properties.generalCategory == .spaceSeparator
        }
    }

    fileprivate var startsIdentifier: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber: true
        default: self == "$" || self == "_"
        }
    }

    fileprivate var continuesIdentifier: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: true
        default: startsIdentifier || self == "\u{200C}" || self == "\u{200D}"
        }
    }
}
