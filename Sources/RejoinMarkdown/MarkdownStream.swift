/// Markdown that grows at its end: pieces of text in, blocks and what changed among them out.
///
/// A block that is closed is settled: it keeps its number and its kind, and its text changes meaning only when a
/// definition comes that it names. The rest is the tail, which each piece may change: what a piece costs depends on the
/// tail, not on what is settled. Half a line is taken as if it were whole, and taken back with the next piece; marks
/// that may still mean several things are not shown.
///
/// ```swift
/// var stream = MarkdownStream()
/// for piece in pieces { draw(stream.append(piece), of: stream) }
/// draw(stream.finish(), of: stream)
/// ```
public struct MarkdownStream: Sendable {
    var parser: BlockParser
    private var clean = CleanBytes()
    private var speculation: Speculation?
    /// The first byte that has not been taken as part of a whole line.
    private var lineStart = 0
    /// How far the end of a line has been looked for.
    private var searched = 0
    /// Whether the last byte ended a line as a carriage return: a newline after it is the same ending.
    private var isAfterReturn = false
    private var shown = ShownBlocks()
    /// The first block that is not settled.
    private(set) var settledEnd: BlockID = 1
    /// How much of the last line was there when it was last looked at.
    private var looked = 0
    private static let longTail = 4096
    /// Whether all text has come.
    public private(set) var isFinished = false

    /// An empty text.
    public init(extensions: MarkdownExtensions = .all) {
        parser = BlockParser(extensions: extensions)
    }

    /// A text that has all come: it is read once, and nothing of it is ever told as a change.
    public init<Bytes: Sequence<UInt8>>(whole text: Bytes, extensions: MarkdownExtensions = .all) {
        self.init(extensions: extensions)
        takeWhole(Array(text))
    }

    private mutating func takeWhole(_ text: [UInt8]) {
        parser.isWatched = false
        isFinished = true
        if CleanBytes.areClean(text) {
            // An array that somebody else holds as well is not copied.
            parser.source = text
        } else {
            text.withUnsafeBufferPointer { clean.append($0, to: &parser.source) }
            clean.finish(to: &parser.source)
        }
        parser.reserve(bytes: text.count)
        while let next = nextEnd() { takeLine(to: next) }
        if lineStart < parser.source.count { parser.take(from: lineStart, to: parser.source.count) }
        lineStart = parser.source.count
        parser.finish()
        settledEnd = parser.blocks.count
    }

    /// Takes the next piece of the text, cut anywhere, even inside a character.
    ///
    /// - Returns: what changed among the blocks.
    public mutating func append<Bytes: Sequence<UInt8>>(_ piece: Bytes) -> MarkdownChange {
        if let change = piece.withContiguousStorageIfAvailable({ take($0) }) { return change }
        return Array(piece).withUnsafeBufferPointer { take($0) }
    }

    private mutating func take(_ piece: UnsafeBufferPointer<UInt8>) -> MarkdownChange {
        precondition(!isFinished, "The text has ended.")
        let before = parser.source.count
        clean.append(piece, to: &parser.source)
        parser.credit = min(parser.credit + 16 * (parser.source.count - before), 1 << 30)
        parser.reviseWhatIsAffordable()
        guard let next = nextEnd() else {
            lookAtTail()
            return shown.change(to: &parser, settledEnd: settledEnd)
        }
        forgetTail()
        takeLine(to: next)
        while let next = nextEnd() { takeLine(to: next) }
        lookAtTail()
        return shown.change(to: &parser, settledEnd: settledEnd)
    }

    /// Takes the next piece of the text.
    public mutating func append(_ piece: String) -> MarkdownChange { append(piece.utf8) }

    /// Ends the text: everything is settled then.
    public mutating func finish() -> MarkdownChange {
        guard !isFinished else { return MarkdownChange() }
        isFinished = true
        forgetTail()
        clean.finish(to: &parser.source)
        if lineStart < parser.source.count { parser.take(from: lineStart, to: parser.source.count) }
        lineStart = parser.source.count
        parser.finish()
        settledEnd = parser.blocks.count
        parser.reviseWhatIsAffordable(all: true)
        return shown.change(to: &parser, settledEnd: settledEnd)
    }

    /// The place of the next end of a line that has come.
    private mutating func nextEnd() -> Int? {
        if isAfterReturn, searched < parser.source.count {
            isAfterReturn = false
            if parser.source[searched] == Byte.newline, searched == lineStart {
                // The line's ending had two bytes.
                lineStart += 1
                searched += 1
            }
        }
        let count = parser.source.count
        searched = parser.source.withUnsafeBufferPointer { bytes in
            bytes.first(from: searched, to: count) { $0.equal(Byte.newline) | $0.equal(Byte.carriageReturn) }
        }
        return searched < count ? searched : nil
    }

    private mutating func takeLine(to end: Int) {
        parser.take(from: lineStart, to: end)
        isAfterReturn = parser.source[end] == Byte.carriageReturn
        lineStart = end + 1
        searched = lineStart
    }

    private mutating func forgetTail() {
        if let speculation { parser.forget(speculation) }
        speculation = nil
    }

    /// Shows what there is of the last line.
    ///
    /// A tail that is very long is looked at only when it has grown by a part of itself, so that all looks together cost
    /// no more than a multiple of the text.
    private mutating func lookAtTail() {
        let length = parser.source.count - lineStart
        if speculation != nil {
            if length > Self.longTail, length - looked < looked / 16 { return }
            forgetTail()
        }
        looked = length
        settledEnd = parser.open.count > 1 ? parser.open[1] : parser.blocks.count
        speculation = parser.speculate(from: lineStart, to: parser.source.count)
    }

}

extension MarkdownStream {
    /// The block with a number, or nil where there is none.
    public func block(_ id: BlockID) -> Block? { parser.blocks.indices.contains(id) ? parser.blocks[id] : nil }

    /// One more than the highest number of a block; 0 is the document.
    public var blockCount: Int { parser.blocks.count }

    /// The text inside a paragraph or a heading, read.
    public func inlines(of id: BlockID) -> InlineText {
        var reader = InlineParser()
        return inlines(of: id, with: &reader)
    }

    func inlines(of id: BlockID, with reader: inout InlineParser) -> InlineText {
        let block = parser.blocks[id]
        return read(parser.text(of: block), isOpen: parser.isTail(block), with: &reader)
    }

    /// The cells of a row, read: as many as the table has columns.
    public func cells(of id: BlockID) -> [InlineText] {
        var reader = InlineParser()
        var found: [InlineText] = []
        var cells = rowCells(of: id)
        while let cell = cells.next(in: self, with: &reader) { found.append(cell) }
        return found
    }

    /// The cells of a row, to be read one by one: as many as the table has columns.
    func rowCells(of id: BlockID) -> RowCells {
        let row = parser.blocks[id]
        let hasLine = row.kind == .row && row.firstLine < row.endLine
        let line = hasLine ? parser.lines[Int(row.firstLine)] : TextLine(start: 0, end: 0)
        var scanner = TableScanner.Cells(parser.source, from: Int(line.start), to: Int(line.end))
        let following = scanner.next()
        return RowCells(
            row: row, end: Int(line.end), left: hasLine ? Int(parser.blocks[row.parent].detail) : 0, scanner: scanner,
            following: following)
    }

    /// Reads the cells of a row.
    struct RowCells {
        fileprivate let row: Block
        fileprivate let end: Int
        fileprivate var left: Int
        fileprivate var scanner: TableScanner.Cells
        fileprivate var following: (start: Int, end: Int, hasEscapedBar: Bool)?

        mutating func next(in stream: MarkdownStream, with reader: inout InlineParser) -> InlineText? {
            guard left > 0 else { return nil }
            left -= 1
            guard let cell = following else { return InlineText(bytes: [], parts: [], targets: []) }
            following = scanner.next()
            // The last cell may grow as long as no bar has ended it.
            let isOpen =
                following == nil && stream.parser.isTail(row) && !TableScanner.isClosed(stream.parser.source, to: end)
            var text = LeafText(bytes: stream.parser.source, start: cell.start, end: cell.end)
            if cell.hasEscapedBar { text = stream.withoutEscapedBars(cell.start, cell.end) }
            return stream.read(text, isOpen: isOpen, with: &reader)
        }
    }

    /// A bar with a backslash before it is a bar of the cell's text, whatever stands around it.
    fileprivate func withoutEscapedBars(_ start: Int, _ end: Int) -> LeafText {
        var bytes: [UInt8] = []
        for position in start..<end {
            let isEscape =
                parser.source[position] == Byte.backslash && position + 1 < end
                && parser.source[position + 1] == Byte.pipe
            if !isEscape { bytes.append(parser.source[position]) }
        }
        return LeafText(bytes: bytes, start: 0, end: bytes.count)
    }

    /// Where the cells of a table's columns stand.
    public func alignments(of id: BlockID) -> [ColumnAlignment] {
        let table = parser.blocks[id]
        var found = TableScanner.alignments(parser.source, from: Int(table.infoStart), to: Int(table.infoEnd))
        while found.count < Int(table.detail) { found.append(.none) }
        return found
    }

    /// How many lines code, HTML or a formula has.
    public func lineCount(of id: BlockID) -> Int {
        let block = parser.blocks[id]
        return Int(block.endLine - block.firstLine)
    }

    /// Appends a line of code, HTML or a formula, without its ending.
    public func appendLine(_ number: Int, of id: BlockID, to bytes: inout [UInt8]) {
        let line = parser.lines[Int(parser.blocks[id].firstLine) + number]
        for _ in 0..<line.padding { bytes.append(Byte.space) }
        bytes += parser.source[Int(line.start)..<Int(line.end)]
    }

    /// The words after a fence, or the label of a footnote.
    public func info(of id: BlockID) -> [UInt8] {
        let block = parser.blocks[id]
        guard block.kind == .code || block.kind == .footnote, block.infoStart < block.infoEnd else { return [] }
        return DefinitionScanner.unescaped(parser.source, from: Int(block.infoStart), to: Int(block.infoEnd))
    }

    fileprivate func read(_ text: consuming LeafText, isOpen: Bool, with reader: inout InlineParser) -> InlineText {
        reader.read(text, extensions: parser.extensions, references: parser.references, isOpen: isOpen)
    }
}
