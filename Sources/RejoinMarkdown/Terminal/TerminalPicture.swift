#if !hasFeature(Embedded)
/// A text as lines for a terminal, kept up to date at the cost of what changed.
///
/// The lines hold styled runs; which colours those get, and whether any, is the terminal's affair. Lines are in reading
/// order: a terminal that draws from left to right orders them by the direction of their paragraph.
public struct TerminalPicture: Sendable {
    /// The lines.
    public private(set) var lines: [StyledLine] = []
    /// Columns of a line.
    public let width: Int
    let text: GlyphText
    let showsAddresses: Bool
    /// The name of each kind of alert.
    let alertName: @Sendable (AlertKind) -> String

    /// The blocks that have lines of their own, in order, with the first line of each: blank lines before it included.
    private(set) var leaves: [Leaf] = []
    /// The items that have been drawn, in order, with their numbers in their lists.
    private var items: [Item] = []
    private var lastNumbers: [BlockID: Int] = [:]
    /// The lines of the last block of code, and the lexer before the last of them.
    private(set) var code = CodeProgress(id: 0, starts: [], line: 0, lexer: CodeLexer(language: []))

    struct Leaf: Sendable {
        var id: BlockID
        var firstLine: Int
    }

    private struct Item: Sendable {
        var id: BlockID
        var list: BlockID
        var number: Int
    }

    /// The widths of the columns of the table that was drawn last, which all its rows share.
    var columns: TableColumns?

    struct CodeProgress: Sendable {
        var id: BlockID
        var starts: [Int]
        var line: Int
        var lexer: CodeLexer
    }

    /// An empty picture.
    ///
    /// - Parameters:
    ///   - width: columns of a line.
    ///   - showsAddresses: whether the address of a link follows its text.
    ///   - alertName: what an alert of a kind is called.
    ///   - measure: how many columns a character takes.
    public init(
        width: Int, showsAddresses: Bool = true, alertName: @escaping @Sendable (AlertKind) -> String,
        measure: @escaping @Sendable (Character) -> Int
    ) {
        self.width = max(width, 8)
        self.showsAddresses = showsAddresses
        self.alertName = alertName
        text = GlyphText(measure: measure)
    }

    /// Draws a text anew, whatever was drawn before.
    public mutating func draw(_ stream: MarkdownStream) {
        var change = MarkdownChange()
        if stream.blockCount > 1 { change.added = [1] }
        apply(change, of: stream)
    }

    /// Follows a change.
    ///
    /// - Returns: the first line that is another than before; the count of lines where none is.
    @discardableResult
    public mutating func apply(_ change: MarkdownChange, of stream: MarkdownStream) -> Int {
        let before = lines.count
        var from = [change.removed.first, change.replaced.first, change.added.first].compactMap { $0 }.min() ?? Int.max
        var first = Int.max
        for id in change.changed where id < from {
            guard let block = stream.block(id) else { continue }
            if block.kind == .row || block.kind.isContainer {
                from = min(from, id)
            } else {
                first = min(first, redraw(id, in: stream))
            }
        }
        // A row that comes changes the widths of the columns, until there are enough of them to judge by.
        let touched = min(from, change.changed.first ?? Int.max)
        if let table = columns?.table, touched <= table + Self.judgedRows { columns = nil }
        if let row = stream.block(from), row.kind == .row, from - row.parent <= Self.judgedRows { from = row.parent }
        for lines in change.extended where lines.id < from {
            first = min(first, drawCode(lines.id, from: lines.kept, in: stream))
        }
        guard from < Int.max else { return min(first, lines.count) }
        // A block right before it may have been empty, or be so now: then it has a line of its own.
        while from > 1, let block = stream.block(from - 1), block.kind.isContainer || block.isHidden { from -= 1 }
        var keep = leaves.count
        while keep > 0, leaves[keep - 1].id >= from { keep -= 1 }
        if keep < leaves.count {
            lines.removeLast(lines.count - leaves[keep].firstLine)
            leaves.removeLast(leaves.count - keep)
        }
        while let last = items.last, last.id >= from {
            items.removeLast()
            lastNumbers[last.list] = last.number - 1
        }
        first = min(first, lines.count)
        var id = from
        while id < stream.blockCount {
            draw(id, in: stream)
            id += 1
        }
        return before == lines.count ? min(first, before) : min(first, lines.count)
    }

    /// How many rows of a table decide on the widths of its columns.
    static let judgedRows = 40

    /// Draws a leaf that changed again, in its place.
    private mutating func redraw(_ id: BlockID, in stream: MarkdownStream) -> Int {
        var (low, high) = (0, leaves.count)
        while low < high {
            let middle = (low + high) / 2
            if leaves[middle].id < id { low = middle + 1 } else { high = middle }
        }
        guard low < leaves.count, leaves[low].id == id else { return lines.count }
        let start = leaves[low].firstLine
        let rest = low + 1 < leaves.count ? Array(lines[leaves[low + 1].firstLine...]) : []
        let later = Array(leaves[(low + 1)...])
        let end = later.first?.firstLine ?? lines.count
        lines.removeLast(lines.count - start)
        leaves.removeLast(leaves.count - low)
        draw(id, in: stream)
        let shift = lines.count - end
        if code.id > id { code.starts = code.starts.map { $0 + shift } }
        lines += rest
        leaves += later.map { Leaf(id: $0.id, firstLine: $0.firstLine + shift) }
        return start
    }

    private mutating func draw(_ id: BlockID, in stream: MarkdownStream) {
        guard let block = stream.block(id), !block.isHidden else { return }
        // An item or a quote without anything in it has its mark to show.
        let isEmpty =
            block.kind.isContainer && block.kind != .list && block.kind != .table && block.kind != .document
            && (stream.block(id + 1)?.parent ?? 0) != id
        guard !block.kind.isContainer || isEmpty || block.kind == .alert else { return }
        let chain = chain(of: id, in: stream)
        let start = lines.count
        if let gap = gap(before: id, chain, in: stream) { lines.append(gap) }
        leaves.append(Leaf(id: id, firstLine: start))
        let base: MarkdownStyle = chain.contains { stream.block($0)?.kind == .quote } ? .quote : []
        switch block.kind {
        case .paragraph, .heading:
            let style = block.kind == .heading ? base.union(.heading) : base
            let inlines = stream.inlines(of: id)
            let glyphs = text.glyphs(of: inlines, style, showsAddresses: showsAddresses) { stream.info(of: $0) }
            put(
                text.lines(of: glyphs, width: room(chain, in: stream)), chain, in: stream,
                isRightToLeft: TextDirection.isRightToLeft(inlines) ?? false)
        case .rule:
            let line = [Glyph](
                repeating: Glyph(character: "─", columns: 1, look: Glyph.Look(style: .mark)),
                count: room(chain, in: stream))
            put([line[...]], chain, in: stream)
        case .code, .html, .math:
            code = CodeProgress(id: id, starts: [], line: 0, lexer: CodeLexer(language: stream.info(of: id)))
            _ = drawCode(id, from: 0, in: stream)
        case .row:
            put(rowLines(id, block, room: room(chain, in: stream), in: stream), chain, in: stream)
        case .alert:
            let name = block.alert.map(alertName) ?? ""
            put([text.glyphs(name.utf8, Glyph.Look(style: [.alert, .strong]))[...]], chain + [id], in: stream)
        default:
            put([[]], chain + [id], in: stream)
        }
    }

    /// Draws lines of code from a number on; they end the picture, or the block is drawn anew.
    private mutating func drawCode(_ id: BlockID, from kept: Int, in stream: MarkdownStream) -> Int {
        guard code.id == id, leaves.last?.id == id else { return redraw(id, in: stream) }
        let isCode = stream.block(id)?.kind == .code
        let chain = chain(of: id, in: stream)
        let first = min(kept, code.starts.count)
        if first < code.starts.count {
            lines.removeLast(lines.count - code.starts[first])
            code.starts.removeLast(code.starts.count - first)
        }
        let start = lines.count
        var (number, lexer) = (0, CodeLexer(language: isCode ? stream.info(of: id) : []))
        if code.line <= first { (number, lexer) = (code.line, code.lexer) }
        let count = stream.lineCount(of: id)
        let style: MarkdownStyle =
            isCode ? [.code, .block] : stream.block(id)?.kind == .math ? .math : .source
        let room = room(chain, in: stream)
        while number < count {
            if number == count - 1 { (code.line, code.lexer) = (number, lexer) }
            var line: [UInt8] = []
            stream.appendLine(number, of: id, to: &line)
            let spans = lexer.line(line)
            if number >= first {
                code.starts.append(lines.count)
                var glyphs: [Glyph] = []
                for span in spans {
                    glyphs += text.glyphs(line[span.start..<span.end], Glyph.Look(style: style, role: span.role))
                }
                put(text.pieces(of: glyphs, width: room), chain, in: stream, isFirst: number == 0)
            }
            number += 1
        }
        return start
    }

    /// Appends lines with what the blocks around them put before each.
    private mutating func put(
        _ content: [ArraySlice<Glyph>], _ chain: [BlockID], in stream: MarkdownStream,
        isFirst: Bool = true, isRightToLeft: Bool = false
    ) {
        for (number, line) in content.enumerated() {
            let start = margin(chain, isFirst: isFirst && number == 0, in: stream)
            lines.append(StyledLine(start + line, isRightToLeft: isRightToLeft))
        }
    }

    /// The blocks around a block, from the outermost on.
    private func chain(of id: BlockID, in stream: MarkdownStream) -> [BlockID] {
        var chain: [BlockID] = []
        var next = stream.block(id)?.parent ?? 0
        while next > 0 {
            chain.append(next)
            next = stream.block(next)?.parent ?? 0
        }
        return chain.reversed()
    }

    /// How many columns are left for text: never so few that it could not be read.
    private mutating func room(_ chain: [BlockID], in stream: MarkdownStream) -> Int {
        let used = margin(chain, isFirst: false, in: stream).reduce(0) { $0 + $1.columns }
        return max(width - used, 1)
    }

    /// What stands before a line of a block: bars of quotes, and marks of the items that begin with it.
    private mutating func margin(
        _ chain: [BlockID], isFirst: Bool, in stream: MarkdownStream
    ) -> [Glyph] {
        var parts: [[Glyph]] = []
        for id in chain {
            guard let block = stream.block(id) else { continue }
            let isBegun = isFirst && isFirstInside(id)
            let mark: String
            switch block.kind {
            case .quote, .alert: mark = "│ "
            case .footnote: mark = "[" + String(decoding: stream.info(of: id), as: UTF8.self) + "] "
            case .item: mark = itemMark(id, block, in: stream)
            default: continue
            }
            let glyphs = text.glyphs(mark.utf8, Glyph.Look(style: .mark))
            let isBar = block.kind == .quote || block.kind == .alert
            parts.append(
                isBegun || isBar
                    ? glyphs
                    : [Glyph](
                        repeating: Glyph(character: " ", columns: 1, look: Glyph.Look()),
                        count: glyphs.reduce(0) { $0 + $1.columns }))
        }
        // Where blocks stand too deep for the width, the outer ones lose their margins.
        var columns = parts.reduce(0) { $0 + $1.reduce(0) { $0 + $1.columns } }
        while columns > width / 2, parts.count > 1 {
            columns -= parts.removeFirst().reduce(0) { $0 + $1.columns }
        }
        let start = parts.flatMap { $0 }
        return columns > width / 2 ? Array(start.prefix(width / 2)) : start
    }

    /// Whether the leaf that is being drawn is the first inside a block around it.
    private func isFirstInside(_ id: BlockID) -> Bool { leaves.count < 2 || leaves[leaves.count - 2].id < id }

    private mutating func itemMark(_ id: BlockID, _ item: Block, in stream: MarkdownStream) -> String {
        switch item.task {
        case .undone: return "☐ "
        case .done: return "☑ "
        case .none: break
        }
        guard let start = stream.block(item.parent)?.start else { return "• " }
        var (low, high) = (0, items.count)
        while low < high {
            let middle = (low + high) / 2
            if items[middle].id < id { low = middle + 1 } else { high = middle }
        }
        if low == items.count || items[low].id != id {
            let number = lastNumbers[item.parent, default: 0] + 1
            lastNumbers[item.parent] = number
            items.insert(Item(id: id, list: item.parent, number: number), at: low)
        }
        let (number, isTooLarge) = start.addingReportingOverflow(items[low].number - 1)
        return isTooLarge ? "• " : "\(number). "
    }

    /// The blank line before a block, if one belongs there.
    private mutating func gap(before id: BlockID, _ chain: [BlockID], in stream: MarkdownStream) -> StyledLine? {
        guard let last = leaves.last, let block = stream.block(id), block.kind != .row || id == block.parent + 1 else {
            return nil
        }
        // The outermost block that begins here.
        var top = id
        var outside = chain
        while let parent = outside.last, parent > last.id {
            top = parent
            outside.removeLast()
        }
        guard let begun = stream.block(top), let parent = stream.block(begun.parent) else { return nil }
        if begun.parent == last.id, parent.kind == .alert { return nil }
        switch parent.kind {
        case .list where !parent.isLoose: return nil
        case .item:
            if let list = stream.block(parent.parent), !list.isLoose { return nil }
        default: break
        }
        var line = margin(outside, isFirst: false, in: stream)
        while line.last?.character == " " { line.removeLast() }
        return StyledLine(line)
    }
}
#endif
