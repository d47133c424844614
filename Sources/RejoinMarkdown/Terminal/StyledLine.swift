#if !hasFeature(Embedded)
/// What text means, for a terminal to show as it can.
package struct MarkdownStyle: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let strong = MarkdownStyle(rawValue: 1)
    package static let emphasis = MarkdownStyle(rawValue: 2)
    package static let strikethrough = MarkdownStyle(rawValue: 4)
    /// Code, inside a line or in lines of its own.
    package static let code = MarkdownStyle(rawValue: 8)
    /// What can be followed.
    package static let link = MarkdownStyle(rawValue: 16)
    package static let heading = MarkdownStyle(rawValue: 32)
    /// Text inside a quote.
    package static let quote = MarkdownStyle(rawValue: 64)
    /// What is not text: bullets, bars, lines, numbers.
    package static let mark = MarkdownStyle(rawValue: 128)
    /// HTML as it was written.
    package static let source = MarkdownStyle(rawValue: 256)
    package static let math = MarkdownStyle(rawValue: 512)
    /// The name of an alert.
    package static let alert = MarkdownStyle(rawValue: 1024)
}

/// A part of a line that looks the same all along.
package struct StyledRun: Equatable, Sendable {
    /// The text: no control characters, nothing that turns directions.
    package var text: String
    /// What it means.
    package var style: MarkdownStyle
    /// What it is as code.
    package var role: CodeRole
    /// Where it leads, if a link may go there.
    package var link: String?
}

/// One line for a terminal, in the order in which it is read.
package struct StyledLine: Equatable, Sendable {
    /// Its parts.
    package var runs: [StyledRun]

    /// Its text without any style.
    package var text: String { runs.reduce(into: "") { $0 += $1.text } }
}

/// A character with its columns and its look.
struct Glyph {
    /// How a character looks.
    struct Look: Equatable {
        var style: MarkdownStyle = []
        var role = CodeRole.plain
        var link: String?
    }

    var character: Character
    var columns: Int
    var look: Look

    var isBreak: Bool { character == "\n" }
}

extension StyledLine {
    /// Joins characters that look the same.
    init(_ glyphs: some Sequence<Glyph>) {
        runs = []
        for glyph in glyphs {
            if let last = runs.last, last.style == glyph.look.style, last.role == glyph.look.role,
                last.link == glyph.look.link
            {
                runs[runs.count - 1].text.append(glyph.character)
            } else {
                runs.append(
                    StyledRun(
                        text: String(glyph.character), style: glyph.look.style, role: glyph.look.role,
                        link: glyph.look.link))
            }
        }
    }
}
#endif
