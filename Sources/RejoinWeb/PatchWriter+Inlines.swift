#if arch(wasm32)
import RejoinMarkdown

/// What the content of a block is made of; `Web/patch.js` holds the same list.
enum InlineOperation: UInt8 {
    case text = 16
    case emphasis = 17
    case strong = 18
    case strikethrough = 19
    /// address, title: a link until its `close`.
    case link = 20
    /// address, title: an image that is not loaded; its description follows until `close`.
    case image = 21
    /// A link whose address has not come or is not allowed, until its `close`.
    case plain = 22
    case close = 23
    case lineBreak = 24
    case code = 25
    case math = 26
    /// A formula on a line of its own.
    case displayMath = 27
    /// number: a mark of the footnote of that block.
    case footnote = 28
    /// alignment: a cell until its `close`.
    case cell = 29
    /// A line of code until its `close`; its parts are spans.
    case line = 30
    /// The words after a fence, or a footnote's label.
    case info = 31
    /// role, text: a part of a line of code.
    case span = 32
}

extension PatchWriter {
    /// Writes the text inside a block.
    mutating func inlines(_ inlines: InlineText, of stream: MarkdownStream) {
        for part in inlines.parts {
            let slice = { inlines.bytes[part.start..<part.end] }
            switch part.kind {
            case .text, .html: text(.text, slice())
            case .entity: text(.text, Self.characters(part.start, part.end))
            case .softBreak: text(.text, CollectionOfOne(UInt8(ascii: "\n")))
            case .hardBreak: put(.lineBreak)
            case .code: text(.code, Self.code(slice()))
            case .math: text(part.target == 1 ? .displayMath : .math, slice())
            case .autolink: autolink(slice(), AutolinkKind(rawValue: part.target) ?? .address)
            case .footnote:
                put(.footnote)
                number(part.target)
                string(stream.info(of: part.target))
            case .openEmphasis: put(.emphasis)
            case .openStrong: put(.strong)
            case .openStrikethrough: put(.strikethrough)
            case .openLink: open(.link, part.target, inlines)
            case .openImage: open(.image, part.target, inlines)
            case .closeEmphasis, .closeStrong, .closeStrikethrough, .closeLink, .closeImage: put(.close)
            }
        }
    }

    private mutating func open(_ operation: InlineOperation, _ target: Int, _ inlines: InlineText) {
        guard inlines.targets.indices.contains(target), SafeAddress.isAllowed(inlines.targets[target].destination)
        else {
            return put(.plain)
        }
        put(operation)
        string(inlines.targets[target].destination)
        string(inlines.targets[target].title ?? [])
    }

    private mutating func autolink(_ text: ArraySlice<UInt8>, _ kind: AutolinkKind) {
        var address: [UInt8] =
            switch kind {
            case .address: []
            case .mail: Array("mailto:".utf8)
            case .web: Array("http://".utf8)
            }
        address += text
        if SafeAddress.isAllowed(address) {
            put(.link)
            string(address)
            string([UInt8]())
        } else {
            put(.plain)
        }
        self.text(.text, text)
        put(.close)
    }

    /// Code without the blanks that only kept its marks apart, on one line.
    private static func code(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var code = bytes.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }
        let blank = UInt8(ascii: " ")
        if code.count > 2, code.first == blank, code.last == blank, code.contains(where: { $0 != blank }) {
            code.removeLast()
            code.removeFirst()
        }
        return code
    }

    private static func characters(_ first: Int, _ second: Int) -> [UInt8] {
        var text = ""
        for value in [first, second] where value != 0 {
            text.unicodeScalars.append(UInt32(exactly: value).flatMap(Unicode.Scalar.init) ?? "\u{FFFD}")
        }
        return Array(text.utf8)
    }
}

/// Which addresses a link may have: those of other pages, with nothing that runs here.
enum SafeAddress {
    /// Whether an address begins with a scheme of the list.
    ///
    /// Browsers skip controls and blanks inside a scheme, so an address that begins with any has none.
    static func isAllowed(_ address: [UInt8]) -> Bool {
        guard let colon = address.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = address[..<colon].map { (65...90).contains($0) ? $0 | 0x20 : $0 }
        return ["http", "https", "mailto"].contains { scheme.elementsEqual($0.utf8) }
    }
}
#endif
