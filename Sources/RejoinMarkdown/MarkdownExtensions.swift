/// What is understood beyond CommonMark.
package struct MarkdownExtensions: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Rows of cells between bars, below a line of hyphens.
    package static let tables = MarkdownExtensions(rawValue: 1)
    /// Items that begin with `[ ]` or `[x]`.
    package static let taskLists = MarkdownExtensions(rawValue: 2)
    /// Text between one or two tildes.
    package static let strikethrough = MarkdownExtensions(rawValue: 4)
    /// Addresses without brackets around them.
    package static let autolinks = MarkdownExtensions(rawValue: 8)
    /// `[^1]`, and what it stands for.
    package static let footnotes = MarkdownExtensions(rawValue: 16)
    /// Quotes that begin with `[!NOTE]` and its like.
    package static let alerts = MarkdownExtensions(rawValue: 32)
    /// Formulas between `$`, `$$`, `\(` and `\[`, kept as they were written.
    package static let math = MarkdownExtensions(rawValue: 64)

    /// Everything that models write.
    package static let all: MarkdownExtensions = [
        .tables, .taskLists, .strikethrough, .autolinks, .footnotes, .alerts, .math,
    ]
    /// CommonMark and nothing else.
    package static let none: MarkdownExtensions = []
}
