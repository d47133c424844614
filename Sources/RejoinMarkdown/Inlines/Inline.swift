/// A part of the text inside a block, in the order in which it is read.
///
/// Emphasis and links begin with one part and end with another.
public struct Inline: Equatable, Sendable {
    /// What a part is.
    public enum Kind: UInt8, Sendable {
        /// Text as it stands in the bytes from ``Inline/start`` to ``Inline/end``.
        case text
        /// One or two characters that were written as an entity: ``Inline/start`` and ``Inline/end`` are code points,
        /// the second perhaps 0.
        case entity
        /// A line of the source ended here.
        case softBreak
        /// A line ends here.
        case hardBreak
        /// Code; ends of lines in it are blanks, and it may have one blank at each end that does not count.
        case code
        /// HTML as it was written.
        case html
        /// A formula as it was written, with its marks; ``Inline/target`` is 1 for one that stands alone.
        case math
        /// An address that stands for itself; ``Inline/target`` says what has to be put before it.
        case autolink
        /// A mark of a footnote that is defined; ``Inline/target`` is the block with its text.
        case footnote
        /// Stressed text.
        case openEmphasis, closeEmphasis
        /// Text that matters much.
        case openStrong, closeStrong
        /// Text that does not hold any more.
        case openStrikethrough, closeStrikethrough
        /// A link; ``Inline/target`` is its number in ``InlineText/targets``, or -1 while its address has not come.
        case openLink, closeLink
        /// An image, with its description inside; ``Inline/target`` as for links.
        case openImage, closeImage
    }

    /// What it is.
    public var kind: Kind
    /// Where its text begins in ``InlineText/bytes``.
    public var start: Int
    /// Where its text ends.
    public var end: Int
    /// More about some kinds.
    public var target: Int

    init(_ kind: Kind, _ start: Int = 0, _ end: Int = 0, target: Int = 0) {
        self.kind = kind
        self.start = start
        self.end = end
        self.target = target
    }
}

/// What comes before an address that stands for itself.
public enum AutolinkKind: Int, Sendable {
    /// Nothing: it has a scheme.
    case address
    /// `mailto:`.
    case mail
    /// `http://`.
    case web
}

/// The text inside a block, read.
public struct InlineText: Sendable {
    /// What the parts point into.
    public var bytes: [UInt8]
    /// The parts.
    public var parts: [Inline]
    /// Where the links and images point.
    public var targets: [LinkTarget]
}
