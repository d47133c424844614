/// A key as it was pressed.
package struct Key: Equatable, Hashable, Sendable {
    /// Which one.
    package enum Code: Equatable, Hashable, Sendable {
        /// A printable character, by one code point; marks come as keys of their own.
        case character(Unicode.Scalar)
        case enter, tab, backspace, escape, insert, delete
        case up, down, left, right, home, end, pageUp, pageDown
        case function(Int)
    }

    /// What was held down with it, as far as terminals tell.
    package struct Modifiers: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let shift = Modifiers(rawValue: 1)
        package static let alt = Modifiers(rawValue: 2)
        package static let control = Modifiers(rawValue: 4)
    }

    package var code: Code
    package var modifiers: Modifiers

    /// Names a key.
    package init(_ code: Code, _ modifiers: Modifiers = []) {
        self.code = code
        self.modifiers = modifiers
    }

    /// A key of a letter held with Control.
    package static func control(_ letter: Unicode.Scalar) -> Key { Key(.character(letter), .control) }

    /// A key of a letter held with Alt.
    package static func alt(_ letter: Unicode.Scalar) -> Key { Key(.character(letter), .alt) }
}

/// What comes from the terminal.
package enum Input: Equatable, Sendable {
    case key(Key)
    /// A piece of pasted text; a large paste comes in several, one after the other.
    case paste(String)
    /// The wheel was turned; -1 is up.
    case wheel(Int)
}
