/// What is understood beyond CommonMark.
public struct MarkdownExtensions: OptionSet, Hashable, Sendable {
    /// One bit for each extension.
    public let rawValue: UInt16

    /// Names extensions by their bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Rows of cells between bars, below a line of hyphens.
    public static let tables = MarkdownExtensions(rawValue: 1)
    /// Items that begin with `[ ]` or `[x]`.
    public static let taskLists = MarkdownExtensions(rawValue: 2)
    /// Text between one or two tildes.
    public static let strikethrough = MarkdownExtensions(rawValue: 4)
    /// Addresses without brackets around them.
    public static let autolinks = MarkdownExtensions(rawValue: 8)
    /// `[^1]`, and what it stands for.
    public static let footnotes = MarkdownExtensions(rawValue: 16)
    /// Quotes that begin with `[!NOTE]` and its like.
    public static let alerts = MarkdownExtensions(rawValue: 32)
    /// Formulas between `$`, `$$`, `\(` and `\[`, kept as they were written.
    public static let math = MarkdownExtensions(rawValue: 64)

    /// Everything that models write.
    public static let all: MarkdownExtensions = [
        .tables, .taskLists, .strikethrough, .autolinks, .footnotes, .alerts, .math,
    ]
    /// CommonMark and nothing else.
    public static let none: MarkdownExtensions = []
}
