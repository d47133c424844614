/// Follows a growing JSON text byte by byte and lets through what stands in one text property of the outermost object.
///
/// It knows just enough of JSON for that: strings, escapes, depth, and whether a string is a name. What comes before the
/// first brace, such as a fence, is passed over; the first such property counts, and nothing after it.
struct FieldScanner: Sendable {
    private enum State: Sendable {
        /// Before the first brace.
        case before
        /// Between strings.
        case between
        /// In a string that is no name of the outermost object and not the field.
        case string
        /// In a name of the outermost object.
        case name
        /// In the field.
        case field
        /// The field has ended.
        case done
    }

    private enum Escape: Sendable {
        case none
        case started
        case code(digits: Int, value: UInt32)
    }

    private let field: [UInt8]
    private var state: State = .before
    private var escape: Escape = .none
    private var depth = 0
    /// Whether the next string at depth 1 is a name.
    private var expectsName = false
    private var name: [UInt8] = []
    private var highSurrogate: UInt32?

    init(field: String) {
        self.field = Array(field.utf8)
    }

    /// Takes one byte; what may be shown is appended.
    mutating func take(_ byte: UInt8, into shown: inout [UInt8]) {
        switch state {
        case .done: return
        case .before:
            guard byte == UInt8(ascii: "{") else { return }
            depth = 1
            expectsName = true
            state = .between
        case .between: takeBetween(byte)
        case .string:
            if takeInString(byte) == .closed { state = .between }
        case .name:
            guard let piece = takeInString(byte) else { return }
            switch piece {
            case .closed: state = .between
            case .byte(let byte): name.append(byte)
            case .scalar(let scalar): name.append(contentsOf: Array(String(scalar).utf8))
            }
        case .field:
            guard let piece = takeInString(byte) else { return }
            flushSurrogate(into: &shown)
            switch piece {
            case .closed: state = .done
            case .byte(let byte): shown.append(byte)
            case .scalar(let scalar): shown.append(contentsOf: String(scalar).utf8)
            }
        }
    }

    private mutating func takeBetween(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            if depth <= 0 { state = .done }
        case UInt8(ascii: ",") where depth == 1: expectsName = true
        case UInt8(ascii: "\"") where depth == 1 && expectsName:
            expectsName = false
            name = []
            state = .name
        case UInt8(ascii: "\""):
            highSurrogate = nil
            state = depth == 1 && name == field ? .field : .string
        default: break
        }
    }

    private enum Piece: Equatable {
        case closed
        case byte(UInt8)
        case scalar(Unicode.Scalar)
    }

    /// What a byte of a string stands for; nothing while an escape is not whole.
    private mutating func takeInString(_ byte: UInt8) -> Piece? {
        switch escape {
        case .none:
            switch byte {
            case UInt8(ascii: "\""): return .closed
            case UInt8(ascii: "\\"):
                escape = .started
                return nil
            default: return .byte(byte)
            }
        case .started:
            escape = .none
            switch byte {
            case UInt8(ascii: "n"): return .byte(0x0A)
            case UInt8(ascii: "t"): return .byte(0x09)
            case UInt8(ascii: "r"): return .byte(0x0D)
            case UInt8(ascii: "b"): return .byte(0x08)
            case UInt8(ascii: "f"): return .byte(0x0C)
            case UInt8(ascii: "u"):
                escape = .code(digits: 0, value: 0)
                return nil
            default: return .byte(byte)
            }
        case .code(let digits, let value):
            guard let digit = Self.hexadecimal(byte) else {
                // Not JSON; the end will say so. The preview goes on without it.
                escape = .none
                return byte == UInt8(ascii: "\"") ? .closed : .scalar("\u{FFFD}")
            }
            let code = value << 4 | digit
            guard digits == 3 else {
                escape = .code(digits: digits + 1, value: code)
                return nil
            }
            escape = .none
            return scalar(of: code)
        }
    }

    private mutating func scalar(of code: UInt32) -> Piece? {
        if let high = highSurrogate, (0xDC00..<0xE000).contains(code) {
            highSurrogate = nil
            return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (code - 0xDC00)).map { .scalar($0) }
        }
        if (0xD800..<0xDC00).contains(code) {
            // Two first halves in a row: the earlier one is lost, as the end will say.
            highSurrogate = code
            return nil
        }
        return .scalar(Unicode.Scalar(code) ?? "\u{FFFD}")
    }

    /// A first half that no second half followed is shown as the sign for a broken character.
    private mutating func flushSurrogate(into shown: inout [UInt8]) {
        guard highSurrogate != nil else { return }
        highSurrogate = nil
        shown.append(contentsOf: "\u{FFFD}".utf8)
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
