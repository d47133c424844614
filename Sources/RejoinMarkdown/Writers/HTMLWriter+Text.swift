extension HTMLWriter {
    /// Writes the text inside a block.
    mutating func write(_ text: InlineText, in stream: MarkdownStream) {
        var imageDepth = 0
        var isInLink = false
        for part in text.parts {
            switch part.kind {
            case .text:
                HTMLEscaping.append(text.bytes, from: part.start, to: part.end, to: &out)
            case .entity:
                var bytes: [UInt8] = []
                bytes.append(codePoint: UInt32(part.start))
                if part.end != 0 { bytes.append(codePoint: UInt32(part.end)) }
                HTMLEscaping.append(bytes, from: 0, to: bytes.count, to: &out)
            case .softBreak:
                out.append(imageDepth > 0 ? Byte.space : Byte.newline)
            case .hardBreak:
                if imageDepth > 0 { out.append(Byte.space) } else { put("<br>") }
            case .html:
                if imageDepth == 0, isLineBreak(text.bytes, part) {
                    put("<br>")
                } else {
                    HTMLEscaping.append(text.bytes, from: part.start, to: part.end, to: &out)
                }
            case .code:
                if imageDepth == 0 { put("<code dir=\"ltr\">") }
                writeCode(text.bytes, part)
                if imageDepth == 0 { put("</code>") }
            case .math:
                if imageDepth == 0 {
                    put(
                        part.target == 1
                            ? "<span class=\"math display\" dir=\"ltr\">" : "<span class=\"math\" dir=\"ltr\">")
                }
                HTMLEscaping.append(text.bytes, from: part.start, to: part.end, to: &out)
                if imageDepth == 0 { put("</span>") }
            case .autolink:
                writeAutolink(text.bytes, part, isLink: imageDepth == 0 && !isInLink)
            case .footnote:
                guard imageDepth == 0, !isInLink else { continue }
                put("<sup><a class=\"footnote\" href=\"#")
                putFootnote(part.target)
                put("\">")
                putLabel(of: part.target, in: stream)
                put("</a></sup>")
            case .openLink:
                guard imageDepth == 0 else { continue }
                isInLink = openLink(part.target >= 0 ? text.targets[part.target] : nil)
            case .closeLink:
                guard imageDepth == 0 else { continue }
                if isInLink { put("</a>") }
                isInLink = false
            case .openImage:
                if imageDepth == 0 { openImage(part.target >= 0 ? text.targets[part.target] : nil, isInLink: isInLink) }
                imageDepth += 1
            case .closeImage:
                imageDepth -= 1
                if imageDepth == 0 {
                    closeImage(part.target >= 0 ? text.targets[part.target] : nil, isInLink: isInLink)
                }
            case .openEmphasis where imageDepth == 0: put("<em>")
            case .closeEmphasis where imageDepth == 0: put("</em>")
            case .openStrong where imageDepth == 0: put("<strong>")
            case .closeStrong where imageDepth == 0: put("</strong>")
            case .openStrikethrough where imageDepth == 0: put("<del>")
            case .closeStrikethrough where imageDepth == 0: put("</del>")
            default: break
            }
        }
    }

    private mutating func writeCode(_ bytes: [UInt8], _ part: Inline) {
        var (start, end) = InlineCode.range(of: part, in: bytes)
        // Ends of lines are shown as blanks.
        while start < end {
            let line = bytes.withUnsafeBufferPointer { $0.first(from: start, to: end) { $0.equal(Byte.newline) } }
            HTMLEscaping.append(bytes, from: start, to: line, to: &out)
            if line < end { out.append(Byte.space) }
            start = line + 1
        }
    }

    /// Models end lines inside cells with `<br>`, which can be said safely.
    private func isLineBreak(_ bytes: [UInt8], _ part: Inline) -> Bool {
        part.end - part.start <= 6 && bytes.hasTextIgnoringCase("<br", at: part.start)
            && !bytes[(part.start + 3)..<part.end].contains {
                $0 != Byte.space && $0 != Byte.slash && $0 != Byte.greater
            }
    }

    private mutating func putLinkStart(_ address: [UInt8], mail: Bool = false, web: Bool = false) {
        put("<a rel=\"noopener noreferrer nofollow\" target=\"_blank\" href=\"")
        if mail { put("mailto:") }
        if web { put("http://") }
        HTMLEscaping.append(address: address, to: &out)
        put("\"")
    }

    private mutating func writeAutolink(_ bytes: [UInt8], _ part: Inline, isLink: Bool) {
        let address = Array(bytes[part.start..<part.end])
        let kind = AutolinkKind(rawValue: part.target) ?? .address
        let isLinked = isLink && (kind != .address || SafeAddress.mayBeLinked(address))
        if isLinked {
            putLinkStart(address, mail: kind == .mail, web: kind == .web)
            put(">")
        }
        HTMLEscaping.append(bytes, from: part.start, to: part.end, to: &out)
        if isLinked { put("</a>") }
    }

    /// Opens a link, if it goes where links may go.
    private mutating func openLink(_ target: LinkTarget?) -> Bool {
        guard let target, isAffordable(target), SafeAddress.mayBeLinked(target.destination) else { return false }
        putLinkStart(target.destination)
        putTitle(target.title)
        put(">")
        return true
    }

    private mutating func isAffordable(_ target: LinkTarget) -> Bool {
        let size = target.destination.count + (target.title?.count ?? 0)
        guard size <= allowance else { return false }
        allowance -= size
        return true
    }

    private mutating func putTitle(_ title: [UInt8]?) {
        guard let title, !title.isEmpty else { return }
        put(" title=\"")
        HTMLEscaping.append(title, from: 0, to: title.count, to: &out)
        put("\"")
    }

    /// Opens what stands for a picture; what is described inside it comes next.
    private mutating func openImage(_ target: LinkTarget?, isInLink: Bool) {
        guard !isInLink, let target, isAffordable(target), SafeAddress.mayBeLoaded(target.destination) else {
            put("<span class=\"image\">")
            return
        }
        put("<button type=\"button\" class=\"image\" data-source=\"")
        HTMLEscaping.append(address: target.destination, to: &out)
        put("\"")
        putTitle(target.title)
        put(">")
        openButtons += 1
    }

    private mutating func closeImage(_ target: LinkTarget?, isInLink: Bool) {
        if openButtons > 0 {
            openButtons -= 1
            put("</button>")
        } else {
            put("</span>")
        }
    }
}

/// The text of code inside a paragraph.
enum InlineCode {
    /// The text with its ends of lines as blanks, without the one blank at each end that does not count.
    static func text(of part: Inline, in bytes: [UInt8]) -> [UInt8] {
        let (start, end) = range(of: part, in: bytes)
        return bytes[start..<end].map { $0 == Byte.newline ? Byte.space : $0 }
    }

    /// Where the text stands that counts; it may have ends of lines in it.
    static func range(of part: Inline, in bytes: [UInt8]) -> (start: Int, end: Int) {
        let (start, end) = (part.start, part.end)
        guard end - start >= 2, isBlank(bytes[start]), isBlank(bytes[end - 1]),
            !bytes[start..<end].allSatisfy(isBlank)
        else { return (start, end) }
        return (start + 1, end - 1)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == Byte.space || byte == Byte.newline }
}

/// The direction of a text by its first strong character.
enum TextDirection {
    /// True for right to left, false for left to right, nil where no character decides.
    static func isRightToLeft(_ text: InlineText) -> Bool? {
        for part in text.parts {
            if part.kind == .entity {
                if let found = Characters.isRightToLeft(UInt32(part.start)) { return found }
            }
            guard part.kind == .text || part.kind == .autolink else { continue }
            var position = part.start
            while position < part.end {
                let (value, length) = Characters.decode(text.bytes, at: position)
                if let found = Characters.isRightToLeft(value) { return found }
                position += length
            }
        }
        return nil
    }
}
