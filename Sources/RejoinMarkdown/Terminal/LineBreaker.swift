#if !hasFeature(Embedded)
/// Decides where the lines of a paragraph end, character by character.
///
/// A line ends after a blank or a hyphen, or between characters of scripts that are written without blanks, as far right
/// as it can; a word that is longer than a line is cut between characters. Blanks at the end of a line hang over it.
/// Closing punctuation does not begin a line, opening punctuation does not end one. A decision once made does not
/// depend on what follows, so that text that grows at its end keeps its lines.
package struct LineBreaker: Sendable {
    private let width: Int
    private var column = 0
    private var lineStart = 0
    /// Where the line may end best, and the column there.
    private var opportunity: (position: Int, column: Int)?
    private var previous: (character: Character, columns: Int)?

    /// Starts a paragraph.
    ///
    /// - Parameter width: columns of a line, at least 2.
    package init(width: Int) { self.width = max(width, 2) }

    /// Takes the next character.
    ///
    /// - Parameters:
    ///   - columns: how many it takes.
    ///   - position: where it stands, in whatever units the caller counts; it grows from call to call.
    /// - Returns: where a new line begins, if this character does not fit the old one.
    package mutating func append(_ character: Character, columns: Int, at position: Int) -> Int? {
        let current = (character: character, columns: columns)
        if let previous, position > lineStart, Self.mayBreak(between: previous, and: current) {
            opportunity = (position, column)
        }
        previous = current
        if character == " " {
            // One that does not fit hangs.
            column += column < width ? 1 : 0
            return nil
        }
        if column + columns <= width || column == 0 {
            column += columns
            return nil
        }
        // What would move down with a character may be too long together with it: then it is cut here.
        if let opportunity, column - opportunity.column + columns <= width {
            lineStart = opportunity.position
            column -= opportunity.column
        } else {
            lineStart = position
            column = 0
        }
        opportunity = nil
        column += columns
        return lineStart
    }

    /// Opening and closing punctuation beside which scripts without blanks are not broken.
    private static let opening: Set<Character> = ["(", "[", "{", "（", "［", "｛", "「", "『", "【", "《", "〈", "〔", "“", "‘"]
    private static let closing: Set<Character> = [
        ")", "]", "}", ",", ".", ":", ";", "!", "?", "）", "］", "｝", "」", "』", "】", "》", "〉", "〕", "”", "’", "、",
        "。", "，", "．", "：", "；", "！", "？", "ー", "…",
    ]

    private typealias Measured = (character: Character, columns: Int)

    private static func mayBreak(between left: Measured, and right: Measured) -> Bool {
        if right.character == " " { return false }
        if left.character == " " { return true }
        if left.character.isASCII, right.character.isASCII {
            return left.character == "-" && right.character.isLetter
        }
        if left.character == "–" || left.character == "—" { return true }
        guard isIdeographic(left) || isIdeographic(right) else { return false }
        return !opening.contains(left.character) && !closing.contains(right.character)
    }

    private static func isIdeographic(_ measured: Measured) -> Bool {
        guard measured.columns == 2, let first = measured.character.unicodeScalars.first else { return false }
        return first.value >= 0x1100
    }
}
#endif
