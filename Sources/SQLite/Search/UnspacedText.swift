/// Text in scripts that put no spaces between words: what a person looks for there is any stretch of characters.
///
/// Each run is indexed as its overlapping pairs of characters and its last character, so that a stretch of two or more
/// is a phrase of pairs and a single character a prefix.
package enum UnspacedText {
    /// Han, kana, Hangul, Thai, Lao, Khmer, Burmese and their neighbours.
    package static func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x0E00: false
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF: true
        case 0x2E80...0x2FDF, 0x3005...0x3007, 0x3021...0x3029, 0x3031...0x303C, 0x3041...0x30FA, 0x30FC...0x318F:
            true
        case 0x31A0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA960...0xA97F, 0xAC00...0xD7FF: true
        case 0xF900...0xFAFF, 0xFF66...0xFF9F, 0x1B000...0x1B16F, 0x20000...0x3FFFF: true
        default: false
        }
    }

    /// What the index of pairs holds of a text; nil if there is nothing of such scripts in it.
    package static func pairs(of text: String) -> String? {
        var pairs = ""
        var previous: Unicode.Scalar?
        func append(_ scalars: Unicode.Scalar...) {
            if !pairs.isEmpty { pairs += " " }
            pairs.unicodeScalars.append(contentsOf: scalars)
        }
        for scalar in text.unicodeScalars {
            let isUnspaced = contains(scalar)
            if let last = previous { isUnspaced ? append(last, scalar) : append(last) }
            previous = isUnspaced ? scalar : nil
        }
        if let previous { append(previous) }
        return pairs.isEmpty ? nil : pairs
    }

    /// The expression that finds a run in the index of pairs.
    package static func expression(for run: Substring) -> String {
        let scalars = Array(run.unicodeScalars)
        guard scalars.count > 1 else { return "\"\(run)\" *" }
        var phrase = ""
        for (first, second) in zip(scalars, scalars.dropFirst()) {
            if !phrase.isEmpty { phrase += " " }
            phrase.unicodeScalars.append(contentsOf: [first, second])
        }
        return "\"\(phrase)\""
    }
}
