/// Takes complete lines and builds blocks; what has been built is never looked at again.
///
/// The blocks stand in one array, each after the one around it, and so do the lines of text: only the last block that
/// holds text grows, so its lines always end the array. That makes it cheap to look at half a line and take it back
/// (``Speculation``).
struct BlockParser: Sendable {
    let extensions: MarkdownExtensions
    /// The text so far.
    var source: [UInt8] = []
    var blocks: [Block] = [Block(.document, in: -1, line: 0)]
    var lines: [TextLine] = []
    /// The blocks that are open, from the document inwards.
    var open: [BlockID] = [0]
    var cursor = LineCursor(from: 0, to: 0)
    /// Whether the line before was blank in a way that makes a list loose.
    var isAfterBlank = false
    /// How many of the open blocks the line at hand goes on with.
    var matched = 0
    /// Whether the line at hand may still grow: then nothing outlives it.
    var isSpeculating = false
    /// How many lines of text will not be taken back.
    var certainLines = 0
    /// Whether anybody asks what changed.
    var isWatched = true
    /// The blocks that changed since the last look, in any order, perhaps more than once.
    var touched: [BlockID] = []
    var references: References
    /// The first block that began on the line at hand.
    var firstNew = 0
    /// Blocks that name a definition that has come, and are too long to be shown again at once.
    var postponed: [BlockID] = []
    var firstPostponed = 0
    /// How many bytes may be shown again.
    var credit = 1 << 16
    /// How many steps have been taken, for tests of growth.
    var steps = 0

    /// How deep blocks may stand inside each other; what is deeper is text.
    static let deepest = 100

    init(extensions: MarkdownExtensions) {
        self.extensions = extensions
        references = References()
    }

    /// Makes room for what a text of a length mostly becomes.
    mutating func reserve(bytes: Int) {
        lines.reserveCapacity(bytes / 32)
        blocks.reserveCapacity(bytes / 32)
    }

    /// The innermost open block.
    var tip: BlockID { open[open.count - 1] }

    var isEverythingMatched: Bool { matched == open.count }

    /// Whether the text of a block may still grow.
    func isTail(_ block: Block) -> Bool { block.isOpen || Int(block.endLine) > certainLines }

    @inline(__always)
    mutating func touch(_ id: BlockID) {
        if isWatched, touched.last != id { touched.append(id) }
    }

    /// Takes a line, its ending left out.
    mutating func take(from start: Int, to end: Int) {
        cursor = LineCursor(from: start, to: end)
        steps += 1
        guard matchContainers() else {
            isAfterBlank = false
            return
        }
        switch openBlocks() {
        case .text: addText()
        case .taken: isAfterBlank = false
        case .held: break
        }
    }

    /// What is left of a line when the blocks that it begins are open.
    enum Opening {
        /// Text, or nothing but blanks.
        case text
        /// Nothing: it has all been used.
        case taken
        /// Half a line that may begin several things: nothing is shown of it.
        case held
    }

    private mutating func addText() {
        let blank = cursor.isBlank
        if !isEverythingMatched, !blank, blocks[tip].kind == .paragraph {
            addParagraphLine()
            isAfterBlank = false
            return
        }
        closeUnmatched()
        let id = tip
        var isEmptyItem = false
        switch blocks[id].kind {
        case .code, .html, .math:
            // Lines of an indented block that are blank so far may turn out not to belong to it: `close` drops them.
            append(cursor.rest(), to: id)
            if blocks[id].kind == .html, endsHTML(blocks[id].detail) { closeTip() }
        case .paragraph:
            if !blank { addParagraphLine() }
        case .table:
            if !blank { addRow() }
        case .heading, .rule, .row:
            break
        default:
            if blank {
                isEmptyItem = blocks[id].kind == .item && !blocks[id].hasChildren && id >= firstNew
            } else {
                cursor.advanceToText()
                addParagraph()
            }
        }
        let isQuiet =
            blocks[id].kind == .quote || blocks[id].kind == .alert || blocks[id].kind == .heading
            || blocks[id].kind == .rule || (blocks[id].kind == .code && blocks[id].isFenced)
        isAfterBlank = blank && !isQuiet && !isEmptyItem
    }

    /// Appends a line to the block that holds the last ones.
    mutating func append(_ line: TextLine, to id: BlockID) {
        lines.append(line)
        blocks[id].endLine = Int32(truncatingIfNeeded: lines.count)
        touch(id)
    }

    private mutating func addParagraph() {
        if startsAlert() { return }
        var rest = cursor.rest()
        if extensions.contains(.taskLists), let state = taskMark(at: cursor.offset) {
            blocks[tip].task = state
            touch(tip)
            rest.start += 3
            while rest.start < rest.end, source[Int(rest.start)].isBlank { rest.start += 1 }
            if rest.start == rest.end { return }
        }
        append(rest, to: add(.paragraph))
    }

    private mutating func addParagraphLine() {
        cursor.findText(in: source)
        cursor.advanceToText()
        append(cursor.rest(), to: tip)
    }

    /// Whether the first paragraph of an item begins with a task's mark.
    private func taskMark(at position: Int) -> Block.TaskState? {
        guard blocks[tip].kind == .item, !blocks[tip].hasChildren, position + 3 < cursor.end,
            source[position] == Byte.openBracket, source[position + 2] == Byte.closeBracket,
            source[position + 3].isBlank
        else { return nil }
        switch source[position + 1] {
        case Byte.space: return .undone
        case UInt8(ascii: "x"), UInt8(ascii: "X"): return .done
        default: return nil
        }
    }

    /// Begins a block inside the innermost one that may hold it.
    @discardableResult
    mutating func add(_ kind: BlockKind) -> BlockID {
        closeUnmatched()
        while !blocks[tip].canContain(kind) { closeTip() }
        let parent = tip
        if blocks[parent].hasChildren, isAfterBlank {
            let list = kind == .item ? parent : blocks[parent].kind == .item ? blocks[parent].parent : -1
            if list > 0, !blocks[list].isLoose {
                blocks[list].isLoose = true
                touch(list)
            }
        }
        blocks[parent].hasChildren = true
        let id = blocks.count
        blocks.append(Block(kind, in: parent, line: lines.count))
        open.append(id)
        matched = open.count
        touch(id)
        return id
    }

    mutating func closeUnmatched() {
        while open.count > matched { closeTip() }
    }

    mutating func closeTip() {
        let id = open.removeLast()
        matched = min(matched, open.count)
        blocks[id].isOpen = false
        touch(id)
        switch blocks[id].kind {
        case .paragraph:
            takeDefinitions(of: id)
            nameLabels(of: id)
        case .heading, .row:
            nameLabels(of: id)
        case .code where !blocks[id].isFenced, .html:
            while blocks[id].endLine > blocks[id].firstLine, isBlank(lines[Int(blocks[id].endLine) - 1]) {
                blocks[id].endLine -= 1
            }
        default:
            break
        }
    }

    private func isBlank(_ line: TextLine) -> Bool {
        for position in Int(line.start)..<Int(line.end) where !source[position].isBlank { return false }
        return true
    }

    /// Closes everything: there is no more text.
    mutating func finish() {
        while open.count > 1 { closeTip() }
        blocks[0].isOpen = false
        certainLines = lines.count
    }
}
