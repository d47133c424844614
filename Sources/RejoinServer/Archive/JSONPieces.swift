/// Cuts a stream of JSON into its outermost values: the elements of an outer array, or values one after the other.
///
/// Holds one value at a time, whatever the whole is. It only counts brackets and knows texts; whether a value is valid
/// is for its reader to say.
package struct JSONPieces {
    /// What was cut off.
    package enum Piece: Equatable, Sendable {
        case value([UInt8])
        /// A value beyond the largest size: its bytes were dropped.
        case tooLarge
        /// The stream ended within a value.
        case cutShort
    }

    /// The largest value, in bytes.
    private let maximumSize: Int
    private var piece: [UInt8] = []
    private var isTooLarge = false
    private var depth = 0
    private var isInText = false
    private var isEscaped = false
    /// The outer array has begun; nil until the first byte tells whether there is one.
    private var isInArray: Bool?
    private var hasEnded = false

    package init(maximumSize: Int) { self.maximumSize = maximumSize }

    /// Takes bytes and hands over each value that they complete.
    package mutating func feed(_ bytes: [UInt8], _ emit: (Piece) -> Void) {
        var start = 0
        for (index, byte) in bytes.enumerated() {
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
                continue
            }
            if isInArray == nil, !Self.comesBefore(byte) {
                isInArray = byte == UInt8(ascii: "[")
                if isInArray == true {
                    piece = []
                    start = index + 1
                    continue
                }
            }
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth > 0 {
                    depth -= 1
                    if depth == 0, isInArray == false {
                        take(bytes[start...index])
                        end(emit)
                        start = index + 1
                    }
                } else {
                    take(bytes[start..<index])
                    end(emit)
                    start = index + 1
                    hasEnded = isInArray == true
                }
            case UInt8(ascii: ","), UInt8(ascii: "\n"):
                let separates = byte == UInt8(ascii: ",") ? isInArray == true : isInArray == false
                if separates, depth == 0 {
                    take(bytes[start..<index])
                    end(emit)
                    start = index + 1
                }
            default: break
            }
        }
        take(bytes[start...])
    }

    /// Hands over what is left; a value that never ended is reported.
    package mutating func finish(_ emit: (Piece) -> Void) {
        let isCut = depth > 0 || isInText
        if isCut { piece = [] } else { end(emit) }
        if isCut || (isInArray == true && !hasEnded) { emit(.cutShort) }
    }

    /// Whether a byte may stand before the first value: space, and those of a mark of byte order.
    private static func comesBefore(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0xEF || byte == 0xBB || byte == 0xBF
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) {
        guard !isTooLarge else { return }
        if piece.count + bytes.count > maximumSize {
            isTooLarge = true
            piece = []
        } else {
            piece += bytes
        }
    }

    private mutating func end(_ emit: (Piece) -> Void) {
        defer {
            piece.removeAll(keepingCapacity: piece.count < 1 << 20)
            isTooLarge = false
        }
        if isTooLarge { return emit(.tooLarge) }
        // A mark of byte order before the first value is no part of it.
        if piece.starts(with: [0xEF, 0xBB, 0xBF]) { piece.removeFirst(3) }
        if piece.contains(where: { $0 > 0x20 }) { emit(.value(piece)) }
    }
}
