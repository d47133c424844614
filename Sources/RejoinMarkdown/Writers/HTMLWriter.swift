/// Writes blocks as HTML that is safe to show: whatever the text says, only elements of this writer come out.
///
/// HTML in the text is shown as text. Links go to `http`, `https` and `mailto` only. A picture is a button that names its
/// address (`data-source`); nothing is loaded by itself. Each paragraph has the direction of its first strong character,
/// code goes from left to right.
///
/// Every block's element has its number (`data-block`), and what stands inside it goes into the element with that number
/// in `data-inside`; a page applies ``patches(for:in:)`` by them.
public struct HTMLWriter: Sendable {
    /// What the ids of footnotes begin with, so that several texts can stand on one page.
    public let prefix: [UInt8]
    /// How many bytes the addresses of references may still add.
    var allowance = 0
    /// The last block of code, read on where it ended.
    var lexed: Lexed?
    /// How many buttons for pictures are open: none or one.
    var openButtons = 0
    var out = OutputBytes()
    /// Reads the text inside blocks.
    private var reader = InlineParser()
    /// Where the cells of the last table's columns stand.
    private var alignments: [ColumnAlignment] = []
    private var alignedTable: BlockID = -1

    /// The state of the lexer before a line of a block.
    struct Lexed: Sendable {
        var id: BlockID
        var line: Int
        var lexer: CodeLexer
    }

    /// A writer for one text.
    ///
    /// - Parameter prefix: letters, digits and hyphens only; unlike that of any other text on the page.
    public init(prefix: String = "") {
        self.prefix = Array(prefix.utf8).filter { $0.isAlphanumeric || $0 == Byte.hyphen }
    }

    /// The whole text as HTML.
    public mutating func html(of stream: MarkdownStream) -> [UInt8] {
        begin(stream)
        out.reserve(stream.parser.source.count * 3)
        write(0, in: stream)
        return end()
    }

    /// A block as HTML, with all that stands inside it.
    public mutating func html(of id: BlockID, in stream: MarkdownStream) -> [UInt8] {
        begin(stream)
        if id > 0 { write(id, in: stream) }
        return end()
    }

    mutating func begin(_ stream: MarkdownStream) {
        alignedTable = -1
        // A long address that is named often must not make much of little; CommonMark's own program has the same bound.
        allowance = max(100_000, stream.parser.source.count)
    }

    mutating func end() -> [UInt8] { out.take() }

    /// Writes a block, and all that stands inside it.
    private mutating func write(_ id: BlockID, in stream: MarkdownStream) {
        // No recursion: a text decides how deep this is.
        var inside: [BlockID] = []
        var next = id
        while let block = stream.block(next), next == id || block.parent >= id {
            while let last = inside.last, last != block.parent { close(inside.removeLast(), in: stream) }
            if !block.isHidden {
                open(next, block, in: stream)
                if block.kind.isContainer { inside.append(next) }
            }
            next += 1
        }
        while let last = inside.popLast() { close(last, in: stream) }
    }

    mutating func put(_ text: StaticString) { out.append(text) }

    mutating func put(number: Int) { out.append(number: number) }

    /// Writes the number of a block as the last attribute of a tag.
    private mutating func endTag(_ id: BlockID, _ attribute: StaticString = " data-block=\"") {
        put(attribute)
        put(number: id)
        put("\">")
    }

    /// Ends the tag of an element that is a block's and has in it what stands inside the block.
    private mutating func endContainerTag(_ id: BlockID) {
        put(" data-block=\"")
        put(number: id)
        endTag(id, "\" data-inside=\"")
    }

    private mutating func open(_ id: BlockID, _ block: Block, in stream: MarkdownStream) {
        switch block.kind {
        case .document: break
        case .quote:
            put("<blockquote")
            endContainerTag(id)
        case .alert:
            put("<div class=\"alert\" role=\"note\" data-alert=\"")
            switch block.alert {
            case .note?, nil: put("note")
            case .tip?: put("tip")
            case .important?: put("important")
            case .warning?: put("warning")
            case .caution?: put("caution")
            }
            put("\"")
            endContainerTag(id)
        case .list:
            if let start = block.start {
                put("<ol")
                if start != 1 {
                    put(" start=\"")
                    put(number: start)
                    put("\"")
                }
            } else {
                put("<ul")
            }
            if !block.isLoose { put(" class=\"tight\"") }
            endContainerTag(id)
        case .item:
            put("<li")
            if block.task != .none { put(" class=\"task\"") }
            endContainerTag(id)
            if block.task == .undone { put("<input type=\"checkbox\" disabled>") }
            if block.task == .done { put("<input type=\"checkbox\" disabled checked>") }
        case .footnote:
            put("<div class=\"footnote\" id=\"")
            putFootnote(id)
            put("\"")
            endContainerTag(id)
            put("<span class=\"footnote-label\">")
            putLabel(of: id, in: stream)
            put("</span>")
        case .paragraph:
            let text = stream.inlines(of: id, with: &reader)
            put("<p")
            finishText(id, text, in: stream)
            put("</p>")
        case .heading:
            let text = stream.inlines(of: id, with: &reader)
            put("<h")
            put(number: block.level)
            finishText(id, text, in: stream)
            put("</h")
            put(number: block.level)
            put(">")
        case .rule:
            put("<hr")
            endTag(id)
        case .code:
            put("<pre dir=\"ltr\"")
            endTag(id)
            put("<code")
            putLanguage(stream.info(of: id))
            endTag(id, " data-inside=\"")
            writeLines(of: id, from: 0, in: stream)
            put("</code></pre>")
        case .html, .math:
            put(block.kind == .math ? "<pre class=\"math\" dir=\"ltr\"" : "<pre class=\"source\" dir=\"ltr\"")
            endContainerTag(id)
            writeLines(of: id, from: 0, in: stream)
            put("</pre>")
        case .table:
            put("<div class=\"table\"")
            endTag(id)
            endTag(id, "<table><tbody data-inside=\"")
        case .row:
            writeRow(id, block, in: stream)
        }
    }

    private mutating func close(_ id: BlockID, in stream: MarkdownStream) {
        guard let block = stream.block(id) else { return }
        switch block.kind {
        case .quote: put("</blockquote>")
        case .alert, .footnote: put("</div>")
        case .list: put(block.start == nil ? "</ul>" : "</ol>")
        case .item: put("</li>")
        case .table: put("</tbody></table></div>")
        default: break
        }
    }

    /// Writes the rest of an element that holds text, up to its end.
    private mutating func finishText(_ id: BlockID, _ text: consuming InlineText, in stream: MarkdownStream) {
        switch TextDirection.isRightToLeft(text) {
        case nil: endTag(id)
        case true?: endTag(id, " dir=\"rtl\" data-block=\"")
        case false?: endTag(id, " dir=\"ltr\" data-block=\"")
        }
        write(text, in: stream)
        reader.reuse(text)
    }

    private mutating func putLanguage(_ info: [UInt8]) {
        let name = info.prefix { !$0.isBlank }
        guard !name.isEmpty, name.count <= 32 else { return }
        for byte in name where !byte.isAlphanumeric && byte != Byte.hyphen && byte != Byte.plus && byte != Byte.hash {
            return
        }
        put(" data-language=\"")
        for byte in name { out.append(byte) }
        put("\"")
    }

    mutating func putFootnote(_ id: BlockID) {
        out.append(prefix, from: 0, to: prefix.count)
        put("footnote-")
        put(number: id)
    }

    mutating func putLabel(of id: BlockID, in stream: MarkdownStream) {
        let label = stream.info(of: id)
        HTMLEscaping.append(label, from: 0, to: label.count, to: &out)
    }

    private mutating func writeRow(_ id: BlockID, _ row: Block, in stream: MarkdownStream) {
        // The heading is the block right behind its table.
        let isHeading = id == row.parent + 1
        put("<tr")
        endTag(id)
        if alignedTable != row.parent {
            alignments = stream.alignments(of: row.parent)
            alignedTable = row.parent
        }
        var cells = stream.rowCells(of: id)
        for alignment in alignments {
            guard let cell = cells.next(in: stream, with: &reader) else { break }
            put(isHeading ? "<th scope=\"col\"" : "<td")
            switch alignment {
            case .none: break
            case .left: put(" class=\"left\"")
            case .centre: put(" class=\"centre\"")
            case .right: put(" class=\"right\"")
            }
            switch TextDirection.isRightToLeft(cell) {
            case nil: put(">")
            case true?: put(" dir=\"rtl\">")
            case false?: put(" dir=\"ltr\">")
            }
            write(cell, in: stream)
            reader.reuse(cell)
            put(isHeading ? "</th>" : "</td>")
        }
        put("</tr>")
    }

    /// Writes the lines of code, HTML or a formula from a number on, each in an element of its own.
    mutating func writeLines(of id: BlockID, from first: Int, in stream: MarkdownStream) {
        let count = stream.lineCount(of: id)
        let isCode = stream.block(id)?.kind == .code
        var lexer = CodeLexer(language: isCode ? stream.info(of: id) : [])
        var number = 0
        if let lexed, lexed.id == id, lexed.line <= first { (lexer, number) = (lexed.lexer, lexed.line) }
        var line: [UInt8] = []
        line.reserveCapacity(128)
        while number < count {
            line.removeAll(keepingCapacity: true)
            stream.appendLine(number, of: id, to: &line)
            // The last line may still grow: it is read again then.
            if isCode, number == count - 1 { lexed = Lexed(id: id, line: number, lexer: lexer.atRest) }
            let spans = lexer.line(line)
            if number >= first { write(line, spans) }
            number += 1
        }
    }

    private mutating func write(_ line: [UInt8], _ spans: [CodeSpan]) {
        put("<span class=\"line\">")
        for span in spans {
            if span.role == .plain {
                HTMLEscaping.append(line, from: span.start, to: span.end, to: &out)
                continue
            }
            put("<span class=\"")
            put(span.role.name)
            put("\">")
            HTMLEscaping.append(line, from: span.start, to: span.end, to: &out)
            put("</span>")
        }
        put("\n</span>")
    }
}
