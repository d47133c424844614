#if !hasFeature(Embedded)
/// What stands on a terminal in place of characters that would do something there.
///
/// Control characters become their pictures; those that end lines or turn the direction of what stands around them
/// become the replacement character.
package enum HarmlessCharacters {
    /// What is written for a code point: itself, nearly always.
    package static func picture(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        // The pictures of the control characters stand in the same order as the characters.
        case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
        case 0x7F: "\u{2421}"
        case 0x80..<0xA0, 0x2028...0x202E, 0x2066...0x2069: "\u{FFFD}"
        default: scalar
        }
    }

    /// What is written for a character; what is harmful is always one by itself.
    static func picture(of character: Character) -> Character {
        for scalar in character.unicodeScalars {
            let picture = picture(of: scalar)
            if picture != scalar { return Character(picture) }
        }
        return character
    }
}
#endif
