/// Cuts growing text so that no character that a person sees is ever shown in part.
public enum WholeCharacters {
    /// The part of a text that can be shown.
    ///
    /// The last character of a text that grows may still be joined by what comes next: an accent, the other half of a
    /// flag, the next member of a family. It is held back until something follows or the text is whole; a line break is
    /// not, since nothing joins it. The work does not depend on the length of the text, and
    /// nothing is copied but the last chunk.
    ///
    /// - Parameter mayGrow: whether more is to come.
    public static func shown(of text: GrowingText, mayGrow: Bool) -> GrowingText {
        guard mayGrow, let last = text.lastScalar, last != "\n" else { return text }
        return text.withoutLastCharacter
    }
}
