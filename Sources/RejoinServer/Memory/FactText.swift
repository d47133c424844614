import RejoinCore

/// The text of a fact: one line of bounded length, without anything that is not seen.
///
/// A fact goes into the context of every later answer, so it is never more than a quoted sentence there.
package enum FactText {
    /// The most characters that a fact has.
    package static let maximumLength = 200
    /// The most bytes that a fact has: characters can be made of many.
    package static let maximumBytes = 800

    /// A text made fit; nil if it says nothing or is too long.
    package static func cleaned(_ text: String) -> String? {
        var line = String.UnicodeScalarView()
        var wantsSpace = false
        for scalar in text.unicodeScalars.prefix(4096) {
            if scalar.properties.isWhitespace || scalar.isControl {
                wantsSpace = !line.isEmpty
                continue
            }
            if isUnseen(scalar) { continue }
            if wantsSpace { line.append(" ") }
            wantsSpace = false
            line.append(scalar)
        }
        let cleaned = String(line)
        guard cleaned.contains(where: { $0.isLetter || $0.isNumber }), cleaned.count <= maximumLength,
            cleaned.utf8.count <= maximumBytes
        else { return nil }
        return cleaned
    }

    /// Characters that change how others are read without being seen, tags and what turns the direction of text.
    ///
    /// The joiners stay: words of several scripts, and many emoji, are not the same without them.
    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .surrogate, .privateUse, .unassigned: true
        case .format: scalar.value != 0x200C && scalar.value != 0x200D
        default: false
        }
    }
}
