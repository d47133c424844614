import RejoinMarkdown

/// Makes text from outside safe to write to a terminal, piece by piece.
///
/// A model's words may hold anything, escape sequences that rewrite the screen or the clipboard included. Line feeds
/// and tabs pass; every other control character is shown as its picture, and characters that reorder what stands
/// around them as a replacement character. Carriage returns before a line feed are dropped.
package struct HarmlessText: Sendable {
    private var holdsReturn = false

    /// Starts at the beginning of a text.
    package init() {}

    /// Takes the next piece and gives what may be written of it.
    package mutating func append(_ piece: String) -> String {
        if !holdsReturn, Self.isHarmless(piece) { return piece }
        var scalars = String.UnicodeScalarView()
        for scalar in piece.unicodeScalars {
            if holdsReturn {
                holdsReturn = false
                if scalar != "\n" { scalars.append("\u{240D}") }
            }
            if scalar == "\r" { holdsReturn = true } else { scalars.append(Self.picture(of: scalar)) }
        }
        return String(scalars)
    }

    /// What was held back, at the end of the text.
    package mutating func finish() -> String {
        defer { holdsReturn = false }
        return holdsReturn ? "\u{240D}" : ""
    }

    /// A whole text at once, on one line: for titles and names.
    package static func line(_ text: String) -> String {
        var harmless = HarmlessText()
        let safe = harmless.append(text) + harmless.finish()
        return String(safe.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    }

    /// A whole text at once.
    package static func whole(_ text: String) -> String {
        var harmless = HarmlessText()
        return harmless.append(text) + harmless.finish()
    }

    private static func picture(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        scalar == "\n" || scalar == "\t" ? scalar : HarmlessCharacters.picture(of: scalar)
    }

    /// Looks at bytes alone, because nearly every piece is harmless.
    private static func isHarmless(_ piece: String) -> Bool {
        for byte in piece.utf8 {
            // C2 and E2 lead the dangerous ones (and harmless others, which the slow way lets pass).
            if byte < 0x20 ? byte != 0x0A && byte != 0x09 : byte == 0x7F || byte == 0xC2 || byte == 0xE2 {
                return false
            }
        }
        return true
    }
}
