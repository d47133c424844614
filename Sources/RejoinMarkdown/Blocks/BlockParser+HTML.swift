extension BlockParser {
    /// What kind of HTML block the line begins, by CommonMark's numbers.
    ///
    /// - Parameter mayBeAnyTag: whether any complete tag alone on its line counts: not inside a paragraph.
    func htmlKind(mayBeAnyTag: Bool) -> Int32? {
        let (start, end) = (cursor.text, cursor.end)
        let position = start + 1
        guard position < end else { return nil }
        switch source[position] {
        case Byte.exclamation:
            if source.hasText("--", at: position + 1), position + 3 <= end { return 2 }
            if source.hasText("[CDATA[", at: position + 1), position + 8 <= end { return 5 }
            return position + 1 < end && source[position + 1].isLetter ? 4 : nil
        case Byte.question:
            return 3
        case let byte where byte == Byte.slash || byte.isLetter:
            break
        default:
            return nil
        }
        let isClosing = source[position] == Byte.slash
        let name = isClosing ? position + 1 : position
        var stop = name
        while stop < end, source[stop].isAlphanumeric { stop += 1 }
        if !isClosing, isOne(of: Self.verbatimTags, from: name, to: stop),
            stop == end || source[stop].isBlank || source[stop] == Byte.greater
        {
            return 1
        }
        if isOne(of: Self.blockTags, from: name, to: stop) {
            let isEnded =
                stop == end || source[stop].isBlank || source[stop] == Byte.greater
                || (source[stop] == Byte.slash && stop + 1 < end && source[stop + 1] == Byte.greater)
            if isEnded { return 6 }
        }
        guard mayBeAnyTag, let tagEnd = HTMLScanner.tag(source, from: start, to: end) else { return nil }
        for index in tagEnd..<end where !source[index].isBlank { return nil }
        return 7
    }

    /// Whether the line at hand holds what ends an HTML block of a kind.
    func endsHTML(_ kind: Int32) -> Bool {
        guard kind < 6 else { return false }
        for position in cursor.offset..<max(cursor.offset, cursor.end) {
            let isEnd: Bool
            switch (kind, source[position]) {
            case (1, Byte.less):
                isEnd =
                    source.hasTextIgnoringCase("</script>", at: position)
                    || source.hasTextIgnoringCase("</pre>", at: position)
                    || source.hasTextIgnoringCase("</style>", at: position)
                    || source.hasTextIgnoringCase("</textarea>", at: position)
            case (2, Byte.hyphen): isEnd = source.hasText("-->", at: position)
            case (3, Byte.question): isEnd = source.hasText("?>", at: position)
            case (4, Byte.greater): isEnd = true
            case (5, Byte.closeBracket): isEnd = source.hasText("]]>", at: position)
            default: isEnd = false
            }
            if isEnd { return true }
        }
        return false
    }

    private func isOne(of names: StaticString, from start: Int, to end: Int) -> Bool {
        guard end > start, end - start <= 10 else { return false }
        return names.withUTF8Buffer { names in
            var position = 0
            while position < names.count {
                var index = 0
                while start + index < end, names[position + index] == source[start + index].lowercased { index += 1 }
                if start + index == end, names[position + index] == Byte.space { return true }
                while names[position] != Byte.space { position += 1 }
                position += 1
            }
            return false
        }
    }

    private static let verbatimTags: StaticString = "script pre style textarea "

    private static let blockTags: StaticString = """
        address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt \
        fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link \
        main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead \
        title tr track ul \

        """
}
