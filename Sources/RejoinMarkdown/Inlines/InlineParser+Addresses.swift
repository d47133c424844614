extension InlineParser {
    mutating func takeLess() {
        if let (behind, kind) = autolink() {
            add(.autolink, to: behind, target: kind.rawValue)
            parts[parts.count - 1].start += 1
            if behind > parts[parts.count - 1].start, bytes[behind - 1] == Byte.greater {
                parts[parts.count - 1].end -= 1
            }
            return
        }
        if let behind = htmlEnd() {
            add(.html, to: behind)
            return
        }
        if isOpen, end - position <= 33 {
            var place = position + 1
            while place < end, isSchemeByte(bytes[place]) { place += 1 }
            if place == end {
                flush(to: position)
                position = end
                textStart = end
                return
            }
        }
        position += 1
    }

    private func isSchemeByte(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte == Byte.plus || byte == Byte.dot || byte == Byte.hyphen
    }

    private func autolink() -> (end: Int, kind: AutolinkKind)? {
        let start = position + 1
        guard start < end else { return nil }
        var place = start
        if bytes[start].isLetter {
            while place < end, isSchemeByte(bytes[place]), place - start <= 32 { place += 1 }
            if place < end, bytes[place] == Byte.colon, place - start >= 2, place - start <= 32 {
                while place < end, bytes[place] > 0x20, bytes[place] != Byte.less, bytes[place] != Byte.greater,
                    bytes[place] != 0x7F
                {
                    place += 1
                }
                if place == end { return isOpen ? (end, .address) : nil }
                return bytes[place] == Byte.greater ? (place + 1, .address) : nil
            }
        }
        place = start
        while place < end, isMailByte(bytes[place]) { place += 1 }
        guard place > start, place < end, bytes[place] == Byte.at else { return nil }
        repeat {
            place += 1
            let label = place
            while place < end, bytes[place].isAlphanumeric || bytes[place] == Byte.hyphen { place += 1 }
            guard place > label, place - label <= 63, bytes[label] != Byte.hyphen, bytes[place - 1] != Byte.hyphen
            else { return nil }
        } while place < end && bytes[place] == Byte.dot
        return place < end && bytes[place] == Byte.greater ? (place + 1, .mail) : nil
    }

    private func isMailByte(_ byte: UInt8) -> Bool {
        if byte.isAlphanumeric { return true }
        switch byte {
        case Byte.openParenthesis, Byte.closeParenthesis, Byte.less, Byte.greater, Byte.openBracket, Byte.closeBracket,
            Byte.backslash, Byte.at, Byte.colon, Byte.semicolon, Byte.quote, UInt8(ascii: ","):
            return false
        default: return byte.isPunctuation
        }
    }

    private mutating func htmlEnd() -> Int? {
        let next = position + 1
        guard next < end else { return nil }
        switch bytes[next] {
        case Byte.question: return end(of: "?>", .instruction, from: next + 1)
        case Byte.exclamation:
            if bytes.hasText("--", at: next + 1), next + 3 <= end {
                if bytes.hasText(">", at: next + 3), next + 4 <= end { return next + 4 }
                if bytes.hasText("->", at: next + 3), next + 5 <= end { return next + 5 }
                return end(of: "-->", .comment, from: next + 3)
            }
            if bytes.hasText("[CDATA[", at: next + 1) { return end(of: "]]>", .data, from: next + 8) }
            guard next + 1 < end, bytes[next + 1].isLetter else { return nil }
            return end(of: ">", .declaration, from: next + 2)
        default: return HTMLScanner.tag(bytes, from: position, to: end)
        }
    }

    mutating func end(of text: StaticString, _ kind: Unended, from start: Int) -> Int? {
        guard !unended.contains(kind) else { return nil }
        if let behind = HTMLScanner.behind(text, in: bytes, from: start, to: end) { return behind }
        unended.insert(kind)
        return nil
    }

    /// Takes an address without brackets around it, at the first byte that shows one.
    mutating func takeAddress(_ byte: UInt8) {
        guard extensions.contains(.autolinks) else {
            position += 1
            return
        }
        let found: (start: Int, end: Int, kind: AutolinkKind)?
        switch byte {
        case Byte.colon: found = schemeAddress()
        case Byte.dot: found = webAddress()
        default: found = mailAddress()
        }
        guard let found else {
            position += 1
            return
        }
        flush(to: found.start)
        parts.append(Inline(.autolink, found.start, found.end, target: found.kind.rawValue))
        position = found.end
        textStart = found.end
    }

    private mutating func schemeAddress() -> (start: Int, end: Int, kind: AutolinkKind)? {
        guard bytes.hasText("://", at: position), position + 3 < end else { return nil }
        var start = position
        while start > textStart, bytes[start - 1].isLetter, position - start < 6 { start -= 1 }
        guard start == textBegin || start == textStart || !bytes[start - 1].isAlphanumeric else { return nil }
        let length = position - start
        let isKnown =
            (length == 4 && bytes.hasTextIgnoringCase("http", at: start))
            || (length == 5 && bytes.hasTextIgnoringCase("https", at: start))
            || (length == 3 && bytes.hasTextIgnoringCase("ftp", at: start))
        guard isKnown, let domain = domainEnd(from: position + 3, mayBeShort: true) else { return nil }
        return (start, addressEnd(from: start, domain: domain), .address)
    }

    private mutating func webAddress() -> (start: Int, end: Int, kind: AutolinkKind)? {
        let start = position - 3
        guard start >= textStart, bytes.hasTextIgnoringCase("www", at: start) else { return nil }
        if start > textBegin {
            let byte = bytes[start - 1]
            guard
                byte.isGap || byte == Byte.star || byte == Byte.underscore || byte == Byte.tilde
                    || byte == Byte.openParenthesis
            else { return nil }
        }
        guard let domain = domainEnd(from: start, mayBeShort: false) else { return nil }
        return (start, addressEnd(from: start, domain: domain), .web)
    }

    private mutating func domainEnd(from start: Int, mayBeShort: Bool) -> Int? {
        guard start >= refusedDomainEnd else { return nil }
        var place = start
        var (dots, underscores, underscoresBefore) = (0, 0, 0)
        while place < end {
            let byte = bytes[place]
            if byte == Byte.underscore {
                underscores += 1
            } else if byte == Byte.dot {
                underscoresBefore = underscores
                underscores = 0
                dots += 1
            } else if byte != Byte.hyphen, !byte.isAlphanumeric {
                guard byte >= 0x80 else { break }
                let (value, length) = Characters.decode(bytes, at: place)
                if Characters.isWhitespace(value) || Characters.isPunctuation(value) { break }
                place += length
                continue
            }
            place += 1
        }
        // At the end of an address they belong to the text around it.
        var last = place
        while mayBeShort, last > start, bytes[last - 1] == Byte.underscore {
            last -= 1
            underscores -= 1
        }
        if place == start || underscores > 0 || underscoresBefore > 0 || (dots == 0 && !mayBeShort) {
            refusedDomainEnd = place
            return nil
        }
        return last
    }

    private func addressEnd(from start: Int, domain: Int) -> Int {
        var place = domain
        while place < end, !bytes[place].isGap, bytes[place] != Byte.less { place += 1 }
        return withoutPunctuation(from: start, to: place)
    }

    /// The end of an address without the punctuation that belongs to the sentence around it.
    private func withoutPunctuation(from start: Int, to stop: Int) -> Int {
        var place = stop
        var surplus = 0
        for index in start..<stop {
            if bytes[index] == Byte.openParenthesis { surplus -= 1 }
            if bytes[index] == Byte.closeParenthesis { surplus += 1 }
        }
        while place > start {
            switch bytes[place - 1] {
            case Byte.question, Byte.exclamation, Byte.dot, UInt8(ascii: ","), Byte.colon, Byte.star, Byte.underscore,
                Byte.tilde, Byte.apostrophe, Byte.quote:
                place -= 1
            case Byte.closeParenthesis:
                guard surplus > 0 else { return place }
                surplus -= 1
                place -= 1
            case Byte.semicolon:
                var name = place - 1
                while name > start, bytes[name - 1].isLetter { name -= 1 }
                if name < place - 1, name > start, bytes[name - 1] == Byte.ampersand {
                    place = name - 1
                } else {
                    place -= 1
                }
            default: return place
            }
        }
        return place
    }

    private mutating func mailAddress() -> (start: Int, end: Int, kind: AutolinkKind)? {
        var start = position
        while start > textStart, isLocalByte(bytes[start - 1]) { start -= 1 }
        guard start < position else { return nil }
        var place = position + 1
        var dots = 0
        while place < end {
            let byte = bytes[place]
            if byte == Byte.dot {
                guard place + 1 < end, bytes[place + 1].isAlphanumeric else { break }
                dots += 1
            } else if byte == Byte.at {
                return nil
            } else if !byte.isAlphanumeric, byte != Byte.hyphen, byte != Byte.underscore {
                break
            }
            place += 1
        }
        guard place > position + 1, dots > 0, bytes[place - 1].isLetter else { return nil }
        let stop = withoutPunctuation(from: start, to: place)
        return stop > position + 1 ? (start, stop, .mail) : nil
    }

    private func isLocalByte(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte == Byte.dot || byte == Byte.plus || byte == Byte.hyphen || byte == Byte.underscore
    }
}
