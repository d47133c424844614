#if arch(wasm32)
import RejoinMarkdown

/// Code that was read as far as its lines are whole.
struct CodeReading {
    var block: BlockID = 0
    var lines = 0
    var lexer: CodeLexer

    /// Begins a block of code.
    init(block: BlockID = 0, lexer: CodeLexer = CodeLexer(language: [])) {
        self.block = block
        self.lexer = lexer
    }
}

/// Writes what changed among the blocks of a text as bytes that the page turns into nodes.
///
/// The page makes elements of its own choosing from a closed list of kinds, so nothing written here can become markup:
/// this side names kinds and gives text, the other side owns tags and attributes. Numbers are LEB128, texts are UTF-8
/// after their length.
struct PatchWriter {
    /// What a patch is made of; `Web/patch.js` holds the same list.
    enum Operation: UInt8 {
        /// Ends the content of a block.
        case endBlock = 0
        /// number, parent, kind, detail, flags, content: a block at the end of its parent.
        case add = 1
        /// As `add`: takes the place of the block of that number.
        case replace = 2
        /// As `add`: the block of that number has other content or other marks.
        case change = 3
        /// number, kept, lines: a block that keeps lines has others from there on.
        case extend = 4
        /// number: the block is gone.
        case remove = 5
        /// Everything is drawn afresh.
        case reset = 6
    }

    private(set) var bytes: [UInt8] = []
    /// How far the code that grows has been read for its colours.
    private(set) var reading: CodeReading

    /// Goes on from where the patch before ended.
    init(after reading: CodeReading) { self.reading = reading }

    /// Writes all blocks.
    mutating func whole(_ stream: MarkdownStream) {
        put(.reset)
        var id = 1
        while id < stream.blockCount {
            id = tree(id, .add, of: stream)
        }
    }

    /// Writes a change.
    mutating func change(_ change: MarkdownChange, of stream: MarkdownStream) {
        for id in change.removed {
            put(.remove)
            number(id)
        }
        for id in change.replaced { _ = tree(id, .replace, of: stream) }
        for id in change.changed { if let block = stream.block(id) { self.block(id, block, .change, of: stream) } }
        for extended in change.extended {
            put(.extend)
            number(extended.id)
            number(extended.kept)
            lines(from: extended.kept, of: extended.id, in: stream)
            put(.endBlock)
        }
        for id in change.added { _ = tree(id, .add, of: stream) }
    }

    /// Writes a block and all that stands inside it, and gives the number after it.
    private mutating func tree(_ id: BlockID, _ operation: Operation, of stream: MarkdownStream) -> BlockID {
        guard let root = stream.block(id) else { return id + 1 }
        if !root.isHidden { block(id, root, operation, of: stream) }
        var next = id + 1
        // What stands inside a block follows it in number, up to the first that stands in one before it.
        while let inner = stream.block(next), inner.parent >= id {
            if !inner.isHidden { block(next, inner, .add, of: stream) }
            next += 1
        }
        return next
    }

    private mutating func block(_ id: BlockID, _ block: Block, _ operation: Operation, of stream: MarkdownStream) {
        put(operation)
        number(id)
        number(max(0, block.parent))
        bytes.append(block.kind.rawValue)
        number(detail(of: block))
        bytes.append((block.isLoose ? 1 : 0) | (block.task.rawValue << 1))
        switch block.kind {
        case .paragraph, .heading: inlines(stream.inlines(of: id), of: stream)
        case .row: row(id, block, of: stream)
        case .code, .html, .math:
            if block.kind == .code { text(.info, stream.info(of: id)) }
            lines(from: 0, of: id, in: stream)
        case .footnote: text(.info, stream.info(of: id))
        default: break
        }
        put(.endBlock)
    }

    private func detail(of block: Block) -> Int {
        switch block.kind {
        case .heading: block.level
        // One more than the first number, so that 0 is a list with bullets.
        case .list: block.start.map { $0 + 1 } ?? 0
        case .alert: Int(block.alert?.rawValue ?? 0)
        default: 0
        }
    }

    private mutating func lines(from first: Int, of id: BlockID, in stream: MarkdownStream) {
        let count = stream.lineCount(of: id)
        if reading.block != id || reading.lines > first {
            let isCode = stream.block(id)?.kind == .code
            reading = CodeReading(block: id, lexer: CodeLexer(language: isCode ? stream.info(of: id) : []))
        }
        var line: [UInt8] = []
        while reading.lines < count {
            line.removeAll(keepingCapacity: true)
            stream.appendLine(reading.lines, of: id, to: &line)
            // The last line may still grow: it is read again with the next patch, from the state before it.
            var lexer = reading.lexer
            let spans = lexer.line(line)
            if reading.lines >= first { write(line, spans) }
            if reading.lines == count - 1 { return }
            reading.lexer = lexer
            reading.lines += 1
        }
    }

    private mutating func write(_ line: [UInt8], _ spans: [CodeSpan]) {
        put(.line)
        for span in spans {
            put(.span)
            bytes.append(span.role.rawValue)
            string(line[span.start..<span.end])
        }
        put(.close)
    }

    private mutating func row(_ id: BlockID, _ block: Block, of stream: MarkdownStream) {
        let alignments = stream.alignments(of: block.parent)
        for (index, cell) in stream.cells(of: id).enumerated() {
            bytes.append(InlineOperation.cell.rawValue)
            bytes.append(index < alignments.count ? alignments[index].rawValue : 0)
            inlines(cell, of: stream)
            bytes.append(InlineOperation.close.rawValue)
        }
    }

    // MARK: Bytes

    private mutating func put(_ operation: Operation) { bytes.append(operation.rawValue) }

    mutating func put(_ operation: InlineOperation) { bytes.append(operation.rawValue) }

    mutating func number(_ value: Int) {
        var rest = UInt(bitPattern: value)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func text(_ operation: InlineOperation, _ text: some Collection<UInt8>) {
        put(operation)
        string(text)
    }

    mutating func string(_ text: some Collection<UInt8>) {
        number(text.count)
        bytes += text
    }
}
#endif
