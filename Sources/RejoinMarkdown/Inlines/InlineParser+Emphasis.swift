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

    /// The parts with the pairs of marks put in place of the runs.
    mutating func assemble(_ half: [Int]) -> [Inline] {
        var unclosed: [DelimiterStack.Pair] = []
        for run in half { unclosed += delimiters.openHalf(run) }
        var result: [Inline] = []
        result.reserveCapacity(parts.count + delimiters.pairs.count * 2)
        var next = 0
        for run in delimiters.runs {
            result += parts[next..<run.part]
            next = run.part + 1
            var pair = run.firstClosed
            while pair >= 0 {
                result.append(Inline(Self.kind(of: delimiters.pairs[pair], isOpening: false)))
                pair = delimiters.pairs[pair].nextClosed
            }
            let start = parts[run.part].start
            if run.left > 0 { result.append(Inline(.text, start, start + run.left)) }
            pair = run.firstOpened
            while pair >= 0 {
                result.append(Inline(Self.kind(of: delimiters.pairs[pair], isOpening: true)))
                pair = delimiters.pairs[pair].nextOpened
            }
        }
        result += parts[next...]
        for pair in unclosed.reversed() { result.append(Inline(Self.kind(of: pair, isOpening: false))) }
        return result
    }

    private static func kind(of pair: DelimiterStack.Pair, isOpening: Bool) -> Inline.Kind {
        if pair.byte == Byte.tilde { return isOpening ? .openStrikethrough : .closeStrikethrough }
        if pair.isDouble { return isOpening ? .openStrong : .closeStrong }
        return isOpening ? .openEmphasis : .closeEmphasis
    }
}
