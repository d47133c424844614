import RejoinMarkdown

/// Writes HTML as the specifications' examples have it, raw HTML passed through: for comparing, never for showing.
struct ReferenceWriter {
    let stream: MarkdownStream
    private var out: [UInt8] = []
    private var footnotes: [BlockID] = []
    private var uses: [BlockID: Int] = [:]

    static func html(of text: String, extensions: MarkdownExtensions = .none) -> String {
        var stream = MarkdownStream(extensions: extensions)
        _ = stream.append(text)
        _ = stream.finish()
        return html(of: stream)
    }

    static func html(of stream: MarkdownStream) -> String { String(decoding: bytes(of: stream), as: UTF8.self) }

    static func bytes(of stream: MarkdownStream) -> [UInt8] {
        var writer = ReferenceWriter(stream: stream)
        writer.writeAll()
        return writer.out
    }

    private init(stream: MarkdownStream) { self.stream = stream }

    private mutating func put(_ text: String) { out += text.utf8 }

    private mutating func newline() {
        if let last = out.last, last != 0x0A { out.append(0x0A) }
    }

    private mutating func writeAll() {
        for child in children(of: 0) where stream.block(child)?.kind != .footnote { write(child) }
        var next = 0
        while next < footnotes.count {
            if next == 0 { put("<section class=\"footnotes\" data-footnotes>\n<ol>\n") }
            put("<li id=\"fn\">\n")
            for child in children(of: footnotes[next]) { write(child) }
            put("</li>\n")
            next += 1
        }
        if next > 0 { put("</ol>\n</section>\n") }
    }

    private func children(of id: BlockID) -> [BlockID] {
        var found: [BlockID] = []
        var next = id + 1
        while let block = stream.block(next), block.parent >= id {
            if block.parent == id, !block.isHidden { found.append(next) }
            next += 1
        }
        return found
    }

    private mutating func write(_ id: BlockID) {
        guard let block = stream.block(id) else { return }
        switch block.kind {
        case .document, .footnote, .row: break
        case .quote, .alert:
            newline()
            put("<blockquote>\n")
            for child in children(of: id) { write(child) }
            newline()
            put("</blockquote>\n")
        case .list: writeList(id, block)
        case .item: break
        case .paragraph:
            newline()
            put("<p>")
            write(stream.inlines(of: id))
            put("</p>\n")
        case .heading:
            newline()
            put("<h\(block.level)>")
            write(stream.inlines(of: id))
            put("</h\(block.level)>\n")
        case .rule:
            newline()
            put("<hr />\n")
        case .code:
            newline()
            let info = stream.info(of: id)
            let language = info.prefix { $0 != 0x20 && $0 != 0x09 }
            if language.isEmpty {
                put("<pre><code>")
            } else {
                put("<pre><code class=\"language-")
                escape(Array(language))
                put("\">")
            }
            writeLines(of: id, escaped: true)
            put("</code></pre>\n")
        case .html, .math:
            newline()
            writeLines(of: id, escaped: false)
        case .table: writeTable(id)
        }
    }

    private mutating func writeLines(of id: BlockID, escaped: Bool) {
        for number in 0..<stream.lineCount(of: id) {
            var line: [UInt8] = []
            stream.appendLine(number, of: id, to: &line)
            line.append(0x0A)
            if escaped { escape(line) } else { out += line }
        }
    }

    private mutating func writeList(_ id: BlockID, _ list: Block) {
        newline()
        if let start = list.start { put(start == 1 ? "<ol>\n" : "<ol start=\"\(start)\">\n") } else { put("<ul>\n") }
        for item in children(of: id) {
            put("<li>")
            switch stream.block(item)?.task {
            case .undone?: put("<input type=\"checkbox\" disabled=\"\" /> ")
            case .done?: put("<input type=\"checkbox\" checked=\"\" disabled=\"\" /> ")
            default: break
            }
            for child in children(of: item) {
                if !list.isLoose, stream.block(child)?.kind == .paragraph {
                    write(stream.inlines(of: child))
                } else {
                    newline()
                    write(child)
                }
                if !list.isLoose, child != children(of: item).last { newline() }
            }
            put("</li>\n")
        }
        put(list.start == nil ? "</ul>\n" : "</ol>\n")
    }

    private mutating func writeTable(_ id: BlockID) {
        newline()
        let alignments = stream.alignments(of: id)
        put("<table>\n")
        for (number, row) in children(of: id).enumerated() {
            put(number == 0 ? "<thead>\n<tr>\n" : number == 1 ? "<tbody>\n<tr>\n" : "<tr>\n")
            for (cell, alignment) in zip(stream.cells(of: row), alignments) {
                let name = number == 0 ? "th" : "td"
                put("<\(name)")
                switch alignment {
                case .none: break
                case .left: put(" align=\"left\"")
                case .centre: put(" align=\"center\"")
                case .right: put(" align=\"right\"")
                }
                put(">")
                write(cell)
                put("</\(name)>\n")
            }
            put("</tr>\n")
            if number == 0 { put("</thead>\n") }
        }
        if children(of: id).count > 1 { put("</tbody>\n") }
        put("</table>\n")
    }

    private mutating func escape(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "<"): put("&lt;")
            case UInt8(ascii: ">"): put("&gt;")
            case UInt8(ascii: "&"): put("&amp;")
            case UInt8(ascii: "\""): put("&quot;")
            default: out.append(byte)
            }
        }
    }

    private mutating func escapeAddress(_ bytes: [UInt8]) {
        for byte in bytes {
            let isSafe =
                (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A)
                || "-_.+!*(),%#@?=;:/,$~".utf8.contains(byte)
            if isSafe {
                out.append(byte)
            } else if byte == UInt8(ascii: "&") {
                put("&amp;")
            } else if byte == UInt8(ascii: "'") {
                put("&#x27;")
            } else {
                let digits = Array("0123456789ABCDEF".utf8)
                out += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
    }

    private mutating func write(_ text: InlineText) {
        var imageDepth = 0
        for part in text.parts {
            let bytes = part.kind == .entity ? [] : Array(text.bytes[min(part.start, part.end)..<part.end])
            switch part.kind {
            case .text: escape(bytes)
            case .entity:
                for value in [part.start, part.end] where value != 0 {
                    escape(Array(String(Unicode.Scalar(UInt32(value)).map(Character.init) ?? "\u{FFFD}").utf8))
                }
            case .softBreak: put("\n")
            case .hardBreak: put(imageDepth > 0 ? "\n" : "<br />\n")
            case .code:
                if imageDepth == 0 { put("<code>") }
                escape(Self.code(bytes))
                if imageDepth == 0 { put("</code>") }
            case .html: if imageDepth == 0 { out += bytes }
            case .math: escape(bytes)
            case .footnote:
                if !footnotes.contains(part.target) { footnotes.append(part.target) }
                put("<sup class=\"footnote-ref\">\((footnotes.firstIndex(of: part.target) ?? 0) + 1)</sup>")
            case .autolink:
                if imageDepth == 0 {
                    put("<a href=\"")
                    put(part.target == 1 ? "mailto:" : part.target == 2 ? "http://" : "")
                    escapeAddress(bytes)
                    put("\">")
                }
                escape(bytes)
                if imageDepth == 0 { put("</a>") }
            case .openEmphasis where imageDepth == 0: put("<em>")
            case .closeEmphasis where imageDepth == 0: put("</em>")
            case .openStrong where imageDepth == 0: put("<strong>")
            case .closeStrong where imageDepth == 0: put("</strong>")
            case .openStrikethrough where imageDepth == 0: put("<del>")
            case .closeStrikethrough where imageDepth == 0: put("</del>")
            case .openLink where imageDepth == 0:
                put("<a href=\"")
                if part.target >= 0 {
                    escapeAddress(text.targets[part.target].destination)
                    writeTitle(text.targets[part.target].title)
                } else {
                    put("\"")
                }
                put(">")
            case .closeLink where imageDepth == 0: put("</a>")
            case .openImage:
                if imageDepth == 0 {
                    put("<img src=\"")
                    if part.target >= 0 { escapeAddress(text.targets[part.target].destination) }
                    put("\" alt=\"")
                }
                imageDepth += 1
            case .closeImage:
                imageDepth -= 1
                if imageDepth == 0 {
                    if part.target >= 0 { writeTitle(text.targets[part.target].title) } else { put("\"") }
                    put(" />")
                }
            default: break
            }
        }
    }

    private mutating func writeTitle(_ title: [UInt8]?) {
        put("\"")
        guard let title else { return }
        put(" title=\"")
        escape(title)
        put("\"")
    }

    static func code(_ bytes: [UInt8]) -> [UInt8] {
        let line = bytes.map { $0 == 0x0A ? 0x20 : $0 }
        guard line.count >= 2, line.first == 0x20, line.last == 0x20, line.contains(where: { $0 != 0x20 }) else {
            return line
        }
        return Array(line.dropFirst().dropLast())
    }
}
