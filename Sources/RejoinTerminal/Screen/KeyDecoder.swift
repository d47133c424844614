/// Reads the bytes of a terminal as keys, one byte at a time.
///
/// It knows the sequences of xterm and of those that follow it (CSI, SS3, modifiers, bracketed paste, the wheel in SGR
/// form), UTF-8, and Escape before a key for Alt. What it does not know it swallows whole. Whatever comes, it holds a
/// bounded number of bytes and traps on none.
package struct KeyDecoder: Sendable {
    private enum State {
        case ground
        case escape
        /// After `ESC O`.
        case singleShift
        /// After `ESC [`.
        case sequence
        /// Inside of a sequence that nobody needs and that ends with ST or BEL.
        case string(sawEscape: Bool)
        case character(needed: Int)
        case paste
    }

    private var state = State.ground
    private var held: [UInt8] = []
    private var hasAlt = false

    /// Starts between keys.
    package init() {}

    /// Whether an Escape, or something that began like a sequence, waits for more: after a while without more,
    /// ``timeOut()`` is due.
    package var isWaiting: Bool { if case .ground = state { false } else { true } }

    /// Takes the next byte.
    package mutating func feed(_ byte: UInt8, into inputs: inout [Input]) {
        switch state {
        case .ground: begin(byte, into: &inputs)
        case .escape: feedEscape(byte, into: &inputs)
        case .singleShift:
            state = .ground
            let modifiers: Key.Modifiers = hasAlt ? .alt : []
            hasAlt = false
            if let code = Self.letter(byte) { inputs.append(.key(Key(code, modifiers))) }
        case .sequence: feedSequence(byte, into: &inputs)
        case .string(let sawEscape):
            if byte == 0x07 || byte == 0x9C || sawEscape && byte == UInt8(ascii: "\\") {
                state = .ground
                hasAlt = false
            } else {
                state = .string(sawEscape: byte == 0x1B)
            }
        case .character(let needed): feedCharacter(byte, needed: needed, into: &inputs)
        case .paste: feedPaste(byte, into: &inputs)
        }
    }

    /// No byte came for a while: what has begun like a sequence was the Escape key, and what is held of a paste is
    /// given.
    package mutating func timeOut(into inputs: inout [Input]) {
        switch state {
        case .ground: return
        case .escape: inputs.append(.key(Key(.escape, hasAlt ? .alt : [])))
        case .singleShift: inputs.append(.key(Key(.character("O"), .alt)))
        case .sequence where held.isEmpty: inputs.append(.key(Key(.character("["), .alt)))
        case .paste:
            // The end may still come, or its beginning may be held.
            givePaste(upTo: held.count - Self.pasteTail(held), into: &inputs)
            return
        case .sequence, .string, .character: break
        }
        state = .ground
        held.removeAll(keepingCapacity: true)
        hasAlt = false
    }

    private mutating func begin(_ byte: UInt8, into inputs: inout [Input]) {
        let modifiers: Key.Modifiers = hasAlt ? .alt : []
        switch byte {
        case 0x1B:
            state = .escape
            return
        case 0x0D: inputs.append(.key(Key(.enter, modifiers)))
        case 0x09: inputs.append(.key(Key(.tab, modifiers)))
        case 0x7F: inputs.append(.key(Key(.backspace, modifiers)))
        case 0x00: inputs.append(.key(Key(.character(" "), modifiers.union(.control))))
        case 0x01...0x1A:
            inputs.append(.key(Key(.character(Unicode.Scalar(byte + 0x60)), modifiers.union(.control))))
        case 0x1C...0x1F:
            inputs.append(.key(Key(.character(Unicode.Scalar(byte + 0x40)), modifiers.union(.control))))
        case 0x20...0x7E: inputs.append(.key(Key(.character(Unicode.Scalar(byte)), modifiers)))
        case 0xC2...0xDF: return hold(byte, needed: 1)
        case 0xE0...0xEF: return hold(byte, needed: 2)
        case 0xF0...0xF4: return hold(byte, needed: 3)
        default: break
        }
        hasAlt = false
    }

    private mutating func hold(_ byte: UInt8, needed: Int) {
        held = [byte]
        state = .character(needed: needed)
    }

    private mutating func feedEscape(_ byte: UInt8, into inputs: inout [Input]) {
        held.removeAll(keepingCapacity: true)
        switch byte {
        case UInt8(ascii: "["): state = .sequence
        case UInt8(ascii: "O"): state = .singleShift
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"):
            state = .string(sawEscape: false)
        case 0x1B:
            // The first was a key; this one may begin something.
            if hasAlt { inputs.append(.key(Key(.escape))) }
            hasAlt = true
        default:
            hasAlt = true
            state = .ground
            begin(byte, into: &inputs)
        }
    }

    private mutating func feedSequence(_ byte: UInt8, into inputs: inout [Input]) {
        switch byte {
        case 0x1B:
            // Broken off; another begins.
            held.removeAll(keepingCapacity: true)
            hasAlt = false
            state = .escape
        case 0x20...0x3F:
            // Longer than any that is known: only its end still matters.
            if held.count < 32 { held.append(byte) }
        case 0x40...0x7E:
            state = .ground
            // The Linux console's function keys have a second bracket.
            if byte == UInt8(ascii: "["), held.isEmpty {
                state = .sequence
                held = [byte]
                return
            }
            finish(byte, into: &inputs)
            if case .ground = state { held.removeAll(keepingCapacity: true) }
            hasAlt = false
        default: break
        }
    }

    private mutating func finish(_ final: UInt8, into inputs: inout [Input]) {
        if held.first == UInt8(ascii: "[") {
            if (0x41...0x45).contains(final) { inputs.append(.key(Key(.function(Int(final) - 0x40)))) }
            return
        }
        if held.first == UInt8(ascii: "<") {
            let numbers = Self.numbers(held.dropFirst())
            if final == UInt8(ascii: "M"), let button = numbers.first, button & 0x43 == 64 || button & 0x43 == 65 {
                inputs.append(.wheel(button & 1 == 0 ? -1 : 1))
            }
            return
        }
        // Private sequences begin with a mark; they answer questions that nobody has asked.
        if let first = held.first, first > 0x3B { return }
        let numbers = Self.numbers(held[...])
        var modifiers = Self.modifiers(numbers.count > 1 ? numbers[1] : 1)
        if hasAlt { modifiers.insert(.alt) }
        switch final {
        case UInt8(ascii: "~"):
            if numbers.first == 200 {
                state = .paste
                held.removeAll(keepingCapacity: true)
            } else if numbers.first == 27, numbers.count > 2 {
                key(numbers[2], modifiers, into: &inputs)
            } else if let code = Self.numbered(numbers.first ?? 0) {
                inputs.append(.key(Key(code, modifiers)))
            }
        case UInt8(ascii: "u"): key(numbers.first ?? 0, modifiers, into: &inputs)
        case UInt8(ascii: "Z"): inputs.append(.key(Key(.tab, modifiers.union(.shift))))
        case UInt8(ascii: "M"): break
        default: if let code = Self.letter(final) { inputs.append(.key(Key(code, modifiers))) }
        }
    }

    /// A key that the terminal names by its code point.
    private func key(_ number: Int, _ modifiers: Key.Modifiers, into inputs: inout [Input]) {
        switch number {
        case 13: inputs.append(.key(Key(.enter, modifiers)))
        case 9: inputs.append(.key(Key(.tab, modifiers)))
        case 27: inputs.append(.key(Key(.escape, modifiers)))
        case 8, 127: inputs.append(.key(Key(.backspace, modifiers)))
        case 32..<0x110000:
            guard let scalar = UInt32(exactly: number).flatMap({ Unicode.Scalar($0) }) else { return }
            if (0x80..<0xA0).contains(scalar.value) || (0xE000..<0xF900).contains(scalar.value) { return }
            inputs.append(.key(Key(.character(scalar), modifiers)))
        default: break
        }
    }

    private mutating func feedCharacter(_ byte: UInt8, needed: Int, into inputs: inout [Input]) {
        guard byte & 0xC0 == 0x80 else {
            // Cut short: what came is no character, and this byte begins anew.
            state = .ground
            hasAlt = false
            begin(byte, into: &inputs)
            return
        }
        held.append(byte)
        guard needed == 1 else {
            state = .character(needed: needed - 1)
            return
        }
        state = .ground
        let scalars = String(decoding: held, as: UTF8.self).unicodeScalars
        held.removeAll(keepingCapacity: true)
        if scalars.count == 1, let scalar = scalars.first, scalar != "\u{FFFD}", scalar.value >= 0xA0 {
            inputs.append(.key(Key(.character(scalar), hasAlt ? .alt : [])))
        }
        hasAlt = false
    }

    private mutating func feedPaste(_ byte: UInt8, into inputs: inout [Input]) {
        held.append(byte)
        if byte == UInt8(ascii: "~"), held.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) {
            givePaste(upTo: held.count - Self.pasteEnd.count, into: &inputs)
            held.removeAll()
            state = .ground
        } else if held.count >= Self.pastePiece {
            givePaste(upTo: held.count - Self.pasteTail(held), into: &inputs)
        }
    }

    private mutating func givePaste(upTo end: Int, into inputs: inout [Input]) {
        guard end > 0 else { return }
        inputs.append(.paste(String(decoding: held[..<end], as: UTF8.self)))
        held.removeFirst(end)
    }

    private static let pasteEnd = Array("\u{1B}[201~".utf8)
    private static let pastePiece = 16 << 10

    /// How many bytes at the end may belong to the mark of a paste's end, or to a character that is not whole.
    private static func pasteTail(_ bytes: [UInt8]) -> Int {
        for count in stride(from: min(pasteEnd.count - 1, bytes.count), to: 0, by: -1)
        where bytes.suffix(count).elementsEqual(pasteEnd.prefix(count)) {
            return count
        }
        // A carriage return may belong to the line feed that follows.
        if bytes.last == 0x0D { return 1 }
        for (count, byte) in bytes.suffix(3).reversed().enumerated() {
            if byte & 0xC0 == 0x80 { continue }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return length > count + 1 ? count + 1 : 0
        }
        return 0
    }

    /// Numbers between semicolons; missing ones are 0, absurd ones a large number.
    private static func numbers(_ bytes: ArraySlice<UInt8>) -> [Int] {
        bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { digits in
            var value = 0
            for digit in digits {
                // A colon begins details that are not needed.
                guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { break }
                value = min(value * 10 + Int(digit - UInt8(ascii: "0")), 0x110000)
            }
            return value
        }
    }

    private static func modifiers(_ number: Int) -> Key.Modifiers {
        let bits = max(number, 1) - 1
        var modifiers: Key.Modifiers = []
        if bits & 1 != 0 { modifiers.insert(.shift) }
        if bits & 2 != 0 { modifiers.insert(.alt) }
        if bits & 4 != 0 { modifiers.insert(.control) }
        return modifiers
    }

    private static func letter(_ byte: UInt8) -> Key.Code? {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "M"): .enter
        case UInt8(ascii: "P"): .function(1)
        case UInt8(ascii: "Q"): .function(2)
        case UInt8(ascii: "R"): .function(3)
        case UInt8(ascii: "S"): .function(4)
        default: nil
        }
    }

    private static func numbered(_ number: Int) -> Key.Code? {
        switch number {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23, 24: .function(number - 12)
        default: nil
        }
    }
}
