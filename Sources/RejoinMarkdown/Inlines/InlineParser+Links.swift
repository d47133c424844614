extension InlineParser {
    mutating func takeOpenBracket(isImage: Bool) {
        if !isImage, extensions.contains(.footnotes), takeFootnote() { return }
        flush(to: position)
        let length = isImage ? 2 : 1
        parts.append(Inline(.text, position, position + length))
        if !brackets.isEmpty { brackets[brackets.count - 1].hasInner = true }
        brackets.append(
            Bracket(part: parts.count - 1, isImage: isImage, delimiter: delimiters.last, text: position + length))
        position += length
        textStart = position
    }

    private mutating func takeFootnote() -> Bool {
        guard position + 2 < end, bytes[position + 1] == Byte.caret else { return false }
        var place = position + 2
        while place < end, place - position <= References.longestLabel {
            let byte = bytes[place]
            if byte == Byte.closeBracket { break }
            if byte == Byte.openBracket || byte.isGap { return false }
            place += 1
        }
        if isOpen, place >= end || place + 1 == end {
            // It has not come whole, or what it stands for may begin here.
            if place >= end || footnote(to: place) == nil {
                flush(to: position)
                position = end
                textStart = end
                return true
            }
        }
        guard place < end, bytes[place] == Byte.closeBracket, let block = footnote(to: place) else { return false }
        add(.footnote, to: place + 1, target: block)
        return true
    }

    private func footnote(to place: Int) -> BlockID? {
        guard let label = References.normalized(bytes, from: position + 1, to: place),
            case .footnote(let block)? = references[label]
        else { return nil }
        return block
    }

    mutating func takeCloseBracket() {
        guard let bracket = brackets.popLast() else {
            position += 1
            return
        }
        let isActive = bracket.isImage || brackets.count >= inactiveBelow
        inactiveBelow = min(inactiveBelow, brackets.count)
        guard isActive else {
            position += 1
            return
        }
        let behind = position + 1
        var found = inlineTarget(from: behind) ?? referenceTarget(of: bracket, from: behind)
        if found == nil, isOpen, mayBecomeLink(from: behind) { found = (nil, end) }
        guard let found else {
            position += 1
            return
        }
        flush(to: position)
        if let target = found.target { targets.append(target) }
        let number = found.target == nil ? -1 : targets.count - 1
        parts[bracket.part] = Inline(bracket.isImage ? .openImage : .openLink, target: number)
        if delimiters.last > bracket.delimiter { _ = delimiters.settle(above: bracket.delimiter, steps: &steps) }
        if !bracket.isImage {
            inactiveBelow = brackets.count
            // Inside a link an address is text.
            for index in bracket.part..<parts.count where parts[index].kind == .autolink {
                parts[index] = Inline(.text, parts[index].start, parts[index].end)
            }
        }
        parts.append(Inline(bracket.isImage ? .closeImage : .closeLink, target: number))
        position = found.end
        textStart = position
    }

    private func inlineTarget(from start: Int) -> (target: LinkTarget?, end: Int)? {
        guard start < end, bytes[start] == Byte.openParenthesis else { return nil }
        var place = DefinitionScanner.gap(bytes, from: start + 1, to: end)
        guard let destination = DefinitionScanner.destination(bytes, from: place, to: end) else { return nil }
        var target = LinkTarget(
            destination: DefinitionScanner.unescaped(bytes, from: destination.textStart, to: destination.textEnd),
            title: nil)
        place = DefinitionScanner.gap(bytes, from: destination.end, to: end)
        if place > destination.end, let behind = DefinitionScanner.title(bytes, from: place, to: end) {
            target.title = DefinitionScanner.unescaped(bytes, from: place + 1, to: behind - 1)
            place = DefinitionScanner.gap(bytes, from: behind, to: end)
        }
        guard place < end, bytes[place] == Byte.closeParenthesis else { return nil }
        return (target, place + 1)
    }

    private func referenceTarget(of bracket: Bracket, from start: Int) -> (target: LinkTarget?, end: Int)? {
        guard !references.isEmpty else { return nil }
        var (from, to) = (bracket.text, start - 1)
        var behind = start
        if let labelEnd = DefinitionScanner.label(bytes, from: start, to: end) {
            behind = labelEnd
            if labelEnd - start > 2 { (from, to) = (start + 1, labelEnd - 1) }
        }
        if from == bracket.text, bracket.hasInner || to - from > References.longestLabel { return nil }
        guard let label = References.normalized(bytes, from: from, to: to), case .link(let target)? = references[label]
        else { return nil }
        return (target, behind)
    }

    /// Whether the address of a link may be on its way: what there is of it is not shown.
    private func mayBecomeLink(from start: Int) -> Bool {
        guard start < end else { return true }
        switch bytes[start] {
        case Byte.openBracket:
            return end - start < References.longestLabel
                && DefinitionScanner.label(bytes, from: start, to: end) == nil
                && !bytes[(start + 1)..<end].contains(Byte.openBracket)
        case Byte.openParenthesis:
            let address = DefinitionScanner.gap(bytes, from: start + 1, to: end)
            if address == end { return true }
            var place = address
            if bytes[place] == Byte.less {
                while place < end, bytes[place] != Byte.greater, bytes[place] != Byte.newline { place += 1 }
                if place == end { return true }
                if bytes[place] == Byte.newline { return false }
                place += 1
            } else {
                while place < end, bytes[place] > 0x20, bytes[place] != Byte.closeParenthesis { place += 1 }
            }
            let title = DefinitionScanner.gap(bytes, from: place, to: end)
            if title == end { return true }
            guard title > place, end - title < References.longestLabel else { return false }
            let byte = bytes[title]
            guard byte == Byte.quote || byte == Byte.apostrophe || byte == Byte.openParenthesis else { return false }
            guard let behind = DefinitionScanner.title(bytes, from: title, to: end) else { return true }
            return DefinitionScanner.gap(bytes, from: behind, to: end) == end
        default:
            return false
        }
    }
}
