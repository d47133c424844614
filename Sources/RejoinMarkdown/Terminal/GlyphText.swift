#if !hasFeature(Embedded)
/// Turns read text into characters with looks, and breaks them into lines.
struct GlyphText {
    /// How many columns a character takes.
    let measure: @Sendable (Character) -> Int

    /// The characters of a text from outside: control characters are shown as their pictures.
    func glyphs(_ bytes: some Collection<UInt8>, _ look: Glyph.Look) -> [Glyph] {
        var result: [Glyph] = []
        result.reserveCapacity(bytes.count)
        // Nearly every text is plain: its characters need not be looked for.
        for byte in bytes {
            guard byte >= 0x20, byte < 0x7F else { return slowGlyphs(bytes, look) }
            result.append(Glyph(character: Character(Unicode.Scalar(byte)), columns: 1, look: look))
        }
        return result
    }

    private func slowGlyphs(_ bytes: some Collection<UInt8>, _ look: Glyph.Look) -> [Glyph] {
        let text = String(decoding: bytes, as: UTF8.self)
        var result: [Glyph] = []
        result.reserveCapacity(text.utf8.count)
        for character in text {
            if character == "\t" {
                let blanks = 4 - result.count % 4
                for _ in 0..<blanks { result.append(Glyph(character: " ", columns: 1, look: look)) }
                continue
            }
            let safe = HarmlessCharacters.picture(of: character)
            result.append(Glyph(character: safe, columns: measure(safe), look: look))
        }
        return result
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
                let shown = String(result[start...].map { $0.character })
                let isOther = shown != link && "mailto:" + shown != link
                // A text that is itself an address must not hide another one.
                if showsAddresses || shown.contains("://") || shown.hasPrefix("www."), outer == nil, isOther {
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
        var bytes = OutputBytes()
        HTMLEscaping.append(address: address, to: &bytes)
        return String(decoding: bytes.take(), as: UTF8.self).split(separator: "&amp;", omittingEmptySubsequences: false)
            .joined(separator: "&")
    }

    /// Breaks characters into lines of a width; blanks at the ends of lines are left out.
    func lines(of glyphs: [Glyph], width: Int) -> [ArraySlice<Glyph>] {
        var lines: [ArraySlice<Glyph>] = []
        var breaker = LineBreaker(width: width)
        var start = 0
        for (index, glyph) in glyphs.enumerated() {
            if glyph.isBreak {
                lines.append(Self.trimmed(glyphs[start..<index]))
                start = index + 1
                breaker = LineBreaker(width: width)
            } else if let next = breaker.append(glyph.character, columns: glyph.columns, at: index) {
                lines.append(Self.trimmed(glyphs[start..<next]))
                start = next
            }
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
