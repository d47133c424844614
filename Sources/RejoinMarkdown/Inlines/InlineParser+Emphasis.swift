extension InlineParser {
    mutating func takeDelimiters(_ byte: UInt8) {
        let start = position
        var place = position
        while place < end, bytes[place] == byte { place += 1 }
        let length = place - start
        let before: UInt32 = start > textBegin ? Characters.decode(bytes, before: start) : 0x0A
        let after: UInt32 = place < end ? Characters.decode(bytes, at: place).value : 0x0A
        let isBlankBefore = Characters.isWhitespace(before)
        let isBlankAfter = Characters.isWhitespace(after)
        let isMarkBefore = Characters.isPunctuation(before)
        let isMarkAfter = Characters.isPunctuation(after)
        let isLeftFlanking = !isBlankAfter && (!isMarkAfter || isBlankBefore || isMarkBefore)
        let isRightFlanking = !isBlankBefore && (!isMarkBefore || isBlankAfter || isMarkAfter)
        var (canOpen, canClose) = (isLeftFlanking, isRightFlanking)
        if byte == Byte.underscore {
            canOpen = isLeftFlanking && (!isRightFlanking || isMarkBefore)
            canClose = isRightFlanking && (!isLeftFlanking || isMarkAfter)
        } else if byte == Byte.tilde, length > 2 {
            (canOpen, canClose) = (false, false)
        }
        position = place
        guard canOpen || canClose else { return }
        flush(to: start)
        parts.append(Inline(.text, start, place))
        textStart = place
        delimiters.push(
            part: parts.count - 1, byte: byte, length: length, canOpen: canOpen, canClose: canClose,
            isInsideWord: !isBlankBefore && !isMarkBefore)
    }

    /// Puts the pairs of marks in place of the runs.
    mutating func assemble(_ half: [Int]) {
        var unclosed: [DelimiterStack.Pair] = []
        for run in half { unclosed += delimiters.openHalf(run) }
        assembled.removeAll(keepingCapacity: true)
        var next = 0
        for run in delimiters.runs {
            for part in next..<run.part { assembled.append(parts[part]) }
            next = run.part + 1
            var pair = run.firstClosed
            while pair >= 0 {
                assembled.append(Inline(Self.kind(of: delimiters.pairs[pair], isOpening: false)))
                pair = delimiters.pairs[pair].nextClosed
            }
            let start = parts[run.part].start
            if run.left > 0 { assembled.append(Inline(.text, start, start + run.left)) }
            pair = run.firstOpened
            while pair >= 0 {
                assembled.append(Inline(Self.kind(of: delimiters.pairs[pair], isOpening: true)))
                pair = delimiters.pairs[pair].nextOpened
            }
        }
        for part in next..<parts.count { assembled.append(parts[part]) }
        for pair in unclosed.reversed() { assembled.append(Inline(Self.kind(of: pair, isOpening: false))) }
    }

    private static func kind(of pair: DelimiterStack.Pair, isOpening: Bool) -> Inline.Kind {
        if pair.byte == Byte.tilde { return isOpening ? .openStrikethrough : .closeStrikethrough }
        if pair.isDouble { return isOpening ? .openStrong : .closeStrong }
        return isOpening ? .openEmphasis : .closeEmphasis
    }
}
