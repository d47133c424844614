/// Names a block of one stream for as long as the stream lives.
///
/// Blocks are numbered in the order in which they begin, so a block's number is above that of the one around it.
public typealias BlockID = Int

/// What a block is.
public enum BlockKind: UInt8, Equatable, Sendable {
    /// The whole text; number 0.
    case document
    /// A quote.
    case quote
    /// A quote that says what kind of remark it is; ``Block/alert`` names the kind.
    case alert
    /// A list of items.
    case list
    /// An item of a list.
    case item
    /// What a footnote stands for.
    case footnote
    /// A paragraph.
    case paragraph
    /// A heading; ``Block/level`` is 1 to 6.
    case heading
    /// A line across.
    case rule
    /// Code, fenced or indented.
    case code
    /// HTML as it was written.
    case html
    /// A formula as it was written.
    case math
    /// A table; its rows are blocks of their own, the first is the heading.
    case table
    /// A row of a table.
    case row

    /// Whether other blocks stand inside it.
    public var isContainer: Bool {
        switch self {
        case .document, .quote, .alert, .list, .item, .footnote, .table: true
        default: false
        }
    }
}

/// The kinds of remark that an alert can be.
public enum AlertKind: Int32, CaseIterable, Sendable {
    /// What GitHub calls them.
    case note, tip, important, warning, caution
}

/// Where the cells of a column stand.
public enum ColumnAlignment: UInt8, Sendable {
    /// As its line below the heading says.
    case none, left, centre, right
}

/// One block: its kind, its place, and where its text stands in the source.
public struct Block: Equatable, Sendable {
    /// What it is.
    public internal(set) var kind: BlockKind
    /// Whether text that follows may still belong to it.
    public internal(set) var isOpen = true
    /// Whether there is nothing to show: it held definitions of links only.
    public internal(set) var isHidden = false
    /// Of a list: whether blank lines stand between its items or inside them.
    public internal(set) var isLoose = false
    /// Of an item: whether it is a task, and then whether it is done.
    public internal(set) var task: TaskState = .none
    var isFenced = false
    var hasChildren = false
    /// Of a paragraph: whether a line in it was one below a table's heading, of another number of columns.
    var refusesTable = false
    /// The character of a list's marker or a fence.
    var marker: UInt8 = 0
    /// The block around it; the document has none, and -1 here.
    public var parent: BlockID { Int(outer) }
    private let outer: Int32
    /// The range of its lines among all lines of text.
    var firstLine: Int32 = 0
    var endLine: Int32 = 0
    /// The level of a heading, the number of a list's first item, a fence's length, the kind of HTML or of an alert,
    /// the columns of a table.
    var detail: Int32 = 0
    /// How far the text of an item or of fenced code is indented.
    var indent: Int32 = 0
    /// Where the words after a fence, the label of a footnote or the line below a table's heading stand in the source.
    var infoStart: UInt32 = 0
    var infoEnd: UInt32 = 0
    /// Grows where a definition that came later changes what the text means.
    var revision: UInt32 = 0

    init(_ kind: BlockKind, in parent: BlockID, line: Int) {
        self.kind = kind
        outer = Int32(truncatingIfNeeded: parent)
        firstLine = Int32(truncatingIfNeeded: line)
        endLine = firstLine
    }

    /// Whether an item is a task.
    public enum TaskState: UInt8, Sendable {
        /// No task, one to do, one that is done.
        case none, undone, done
    }

    /// Of a heading: 1 to 6.
    public var level: Int { kind == .heading ? Int(detail) : 0 }

    /// Of an ordered list: the number of its first item; nil for a list with bullets.
    public var start: Int? {
        kind == .list && (marker == Byte.dot || marker == Byte.closeParenthesis) ? Int(detail) : nil
    }

    /// Of an alert: what it is.
    public var alert: AlertKind? { kind == .alert ? AlertKind(rawValue: detail) : nil }

    /// Of HTML, code and formulas: whether the lines are kept as they are.
    var keepsLines: Bool { kind == .code || kind == .html || kind == .math }

    func canContain(_ child: BlockKind) -> Bool {
        switch kind {
        case .list: child == .item
        case .table: child == .row
        case .document, .quote, .alert, .item, .footnote: child != .item && child != .row
        default: false
        }
    }
}

/// A line of a block's text: a range of the source.
struct TextLine: Sendable {
    var start: UInt32
    var end: UInt32
    /// Blanks before it that stand for a part of a tab.
    var padding: UInt8 = 0

    var count: Int { Int(end - start) }
}
