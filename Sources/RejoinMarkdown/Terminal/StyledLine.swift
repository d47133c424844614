#if !hasFeature(Embedded)
/// What text means, for a terminal to show as it can.
public struct MarkdownStyle: OptionSet, Hashable, Sendable {
    /// One bit for each meaning.
    public let rawValue: UInt16

    /// Names meanings by their bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// What matters much.
    public static let strong = MarkdownStyle(rawValue: 1)
    /// What is stressed.
    public static let emphasis = MarkdownStyle(rawValue: 2)
    /// What does not hold any more.
    public static let strikethrough = MarkdownStyle(rawValue: 4)
    /// Code, inside a line or in lines of its own.
    public static let code = MarkdownStyle(rawValue: 8)
    /// What can be followed.
    public static let link = MarkdownStyle(rawValue: 16)
    /// A heading.
    public static let heading = MarkdownStyle(rawValue: 32)
    /// Text inside a quote.
    public static let quote = MarkdownStyle(rawValue: 64)
    /// What is not text: bullets, bars, lines, numbers.
    public static let mark = MarkdownStyle(rawValue: 128)
    /// HTML as it was written.
    public static let source = MarkdownStyle(rawValue: 256)
    /// A formula.
    public static let math = MarkdownStyle(rawValue: 512)
    /// The name of an alert.
    public static let alert = MarkdownStyle(rawValue: 1024)
    /// Code in lines of its own, beside ``code``.
    public static let block = MarkdownStyle(rawValue: 2048)
}

/// A part of a line that looks the same all along.
public struct StyledRun: Equatable, Sendable {
    /// The text: no control characters, nothing that turns directions.
    public var text: String
    /// What it means.
    public var style: MarkdownStyle
    /// What it is as code.
    public var role: CodeRole
    /// Where it leads, if a link may go there.
    public var link: String?
    /// Of a table's row: which cell it stands in, from 1 on; 0 elsewhere.
    ///
    /// The direction of one cell has no bearing on what stands in the next.
    public var cell: Int
    /// Whether the paragraph or the cell that it belongs to goes from right to left.
    public var isRightToLeft: Bool
}

/// One line for a terminal, in the order in which it is read.
public struct StyledLine: Equatable, Sendable {
    /// Its parts.
    public var runs: [StyledRun]
    /// Whether it stands at the right edge: it belongs to a paragraph that goes from right to left.
    public var isRightToLeft = false

    /// Its text without any style.
    public var text: String { runs.reduce(into: "") { $0 += $1.text } }
}

/// A character with its columns and its look.
struct Glyph {
    /// How a character looks.
    struct Look: Equatable {
        var style: MarkdownStyle = []
        var role = CodeRole.plain
        var link: String?
        var cell = 0
        var isRightToLeft = false
    }

    var character: Character
    var columns: Int
    var look: Look

    var isBreak: Bool { character == "\n" }
}

extension StyledLine {
    /// Joins characters that look the same.
    init(_ glyphs: some Sequence<Glyph>, isRightToLeft: Bool = false) {
        runs = []
        self.isRightToLeft = isRightToLeft
        var look: Glyph.Look?
        for glyph in glyphs {
            if glyph.look == look {
                runs[runs.count - 1].text.append(glyph.character)
            } else {
                look = glyph.look
                runs.append(
                    StyledRun(
                        text: String(glyph.character), style: glyph.look.style, role: glyph.look.role,
                        link: glyph.look.link, cell: glyph.look.cell,
                        isRightToLeft: isRightToLeft || glyph.look.isRightToLeft))
            }
        }
    }
}
#endif
