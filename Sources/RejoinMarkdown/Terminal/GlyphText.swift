#if !hasFeature(Embedded)
/// Turns read text into characters with looks, and breaks them into lines.
struct GlyphText {
    /// How many columns a character takes.
    let measure: @Sendable (Character) -> Int

    /// The characters of a text from outside: control characters are shown as what could not be read.
    func glyphs(_ bytes: some Sequence<UInt8>, _ look: Glyph.Look) -> [Glyph] {
        let text = String(decoding: Array(bytes), as: UTF8.self)
        var result: [Glyph] = []
        result.reserveCapacity(text.utf8.count)
        for character in text {
            if character == "\t" {
                let blanks = 4 - result.count % 4
                for _ in 0..<blanks { result.append(Glyph(character: " ", columns: 1, look: look)) }
                continue
            }
            let safe = Self.isHarmless(character) ? character : "\u{FFFD}"
            result.append(Glyph(character: safe, columns: measure(safe), look: look))
        }
        return result
    }

    private static func isHarmless(_ character: Character) -> Bool {
        for scalar in character.unicodeScalars {
            switch scalar.value {
            case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029: return false
            default: continue
            }
        }
        return true
    }

    /// The characters of the text inside a block.
    ///
    /// - Parameter showsAddresses: whether the address of a link follows its text where that is another.
    func glyphs(of text: InlineText, _ base: MarkdownStyle, showsAddresses: Bool, label: (BlockID) -> [UInt8])
        -> [Glyph]
    {
        var result: [Glyph] = []
        var look = Glyph.Look(style: base)
        var links: [(outer: String?, start: Int, isLinked: Bool)] = []
        var depths: [MarkdownStyle: Int] = [:]
        func change(_ style: MarkdownStyle, by step: Int) {
            depths[style, default: 0] += step
            if depths[style, default: 0] > 0 { look.style.insert(style) } else { look.style.remove(style) }
        }
        for part in text.parts {
            switch part.kind {
            case .text: result += glyphs(text.bytes[part.start..<part.end], look)
            case .entity:
                var bytes: [UInt8] = []
                bytes.append(codePoint: UInt32(part.start))
                if part.end != 0 { bytes.append(codePoint: UInt32(part.end)) }
                result += glyphs(bytes, look)
            case .softBreak: result.append(Glyph(character: " ", columns: 1, look: look))
            case .hardBreak: result.append(Glyph(character: "\n", columns: 0, look: look))
            case .code:
                var other = look
                other.style.insert(.code)
                result += glyphs(InlineCode.text(of: part, in: text.bytes), other)
            case .html, .math:
                var other = look
                other.style.insert(part.kind == .math ? .math : .source)
                let bytes = text.bytes[part.start..<part.end].map { $0 == Byte.newline ? Byte.space : $0 }
                result += glyphs(bytes, other)
            case .autolink:
                var other = look
                let address = Array(text.bytes[part.start..<part.end])
                let kind = AutolinkKind(rawValue: part.target) ?? .address
                if kind != .address || SafeAddress.mayBeLinked(address) {
                    let start = kind == .mail ? "mailto:" : kind == .web ? "http://" : ""
                    other.link = start + Self.written(address)
                    other.style.insert(.link)
                }
                result += glyphs(address, other)
            case .footnote:
                var other = look
                other.style.insert(.mark)
                result += glyphs(Array("[".utf8) + label(part.target) + Array("]".utf8), other)
            case .openLink, .openImage:
                let address = part.target >= 0 ? text.targets[part.target].destination : []
                let isLinked = SafeAddress.mayBeLinked(address)
                links.append((look.link, result.count, isLinked))
                guard isLinked else { continue }
                look.link = Self.written(address)
                change(.link, by: 1)
            case .closeLink, .closeImage:
                guard let (outer, start, isLinked) = links.popLast(), isLinked, let link = look.link else { continue }
                let shown = String(result[start...].map(\.character))
                if showsAddresses, outer == nil, shown != link, "mailto:" + shown != link {
                    var other = look
                    other.style = base.union(.mark)
                    result += glyphs(" (\(link))".utf8, other)
                }
                look.link = outer
                change(.link, by: -1)
            case .openEmphasis: change(.emphasis, by: 1)
            case .closeEmphasis: change(.emphasis, by: -1)
            case .openStrong: change(.strong, by: 1)
            case .closeStrong: change(.strong, by: -1)
            case .openStrikethrough: change(.strikethrough, by: 1)
            case .closeStrikethrough: change(.strikethrough, by: -1)
            }
        }
        return result
    }

    /// An address as it can be handed to a terminal.
    private static func written(_ address: [UInt8]) -> String {
        var bytes: [UInt8] = []
        HTMLEscaping.append(address: address, to: &bytes)
        return String(decoding: bytes, as: UTF8.self).split(separator: "&amp;", omittingEmptySubsequences: false)
            .joined(separator: "&")
    }

    /// Breaks characters into lines of a width: behind blanks, hyphens, and characters of two columns.
    func lines(of glyphs: [Glyph], width: Int) -> [ArraySlice<Glyph>] {
        var lines: [ArraySlice<Glyph>] = []
        var start = 0
        var columns = 0
        var opportunity: Int?
        var columnsAtOpportunity = 0
        var index = 0
        while index < glyphs.count {
            let glyph = glyphs[index]
            if glyph.isBreak {
                lines.append(Self.trimmed(glyphs[start..<index]))
                (start, columns, opportunity) = (index + 1, 0, nil)
            } else if columns + glyph.columns > width, glyph.character != " ", index > start {
                let end = opportunity ?? index
                lines.append(Self.trimmed(glyphs[start..<end]))
                columns = opportunity == nil ? 0 : columns - columnsAtOpportunity
                start = end
                opportunity = nil
                continue
            } else {
                columns += glyph.columns
                let next = index + 1 < glyphs.count ? glyphs[index + 1] : nil
                let mayBreak =
                    glyph.character == " " || glyph.columns == 2 || next?.columns == 2
                    || (glyph.character == "-" && next?.character.isLetter == true)
                if mayBreak { (opportunity, columnsAtOpportunity) = (index + 1, columns) }
            }
            index += 1
        }
        lines.append(Self.trimmed(glyphs[start...]))
        return lines
    }

    /// Cuts characters where a width is full, as code wants it.
    func pieces(of glyphs: [Glyph], width: Int) -> [ArraySlice<Glyph>] {
        var pieces: [ArraySlice<Glyph>] = []
        var start = 0
        var columns = 0
        for (index, glyph) in glyphs.enumerated() {
            if columns + glyph.columns > width, index > start {
                pieces.append(glyphs[start..<index])
                (start, columns) = (index, 0)
            }
            columns += glyph.columns
        }
        pieces.append(glyphs[start...])
        return pieces
    }

    private static func trimmed(_ line: ArraySlice<Glyph>) -> ArraySlice<Glyph> {
        var line = line
        while line.last?.character == " " { line.removeLast() }
        return line
    }
}
#endif
