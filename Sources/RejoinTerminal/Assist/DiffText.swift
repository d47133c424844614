import RejoinAssist

/// Two texts as one that shows what is taken out and what is put in, by colour, or by marks where there is none.
struct DiffText {
    let isColoured: Bool

    /// The difference of two texts for a terminal; nothing of either can steer it.
    func text(before: String, after: String) -> String {
        WordDiff(before: before, after: after).parts.map { part in
            let words = HarmlessText.whole(part.text)
            return switch (part.kind, isColoured) {
            case (.same, _): words
            case (.removed, true): Self.styled(words, Style(.red, .dim))
            case (.added, true): Self.styled(words, Style(.green, .bold))
            case (.removed, false): "[-\(words)-]"
            case (.added, false): "{+\(words)+}"
            }
        }.joined()
    }

    private static func styled(_ text: String, _ style: Style) -> String {
        style.sequence + text + Style.plain.sequence
    }
}
