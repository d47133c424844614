extension InlineParser {
    mutating func takeDollar() {
        guard extensions.contains(.math), position + 1 < end else {
            position += 1
            return
        }
        if bytes[position + 1] == Byte.dollar {
            if let behind = end(of: "$$", .mathBlock, from: position + 2), behind > position + 4 {
                add(.math, to: behind, target: 1)
            } else {
                if isOpen, position + 2 < end, !bytes[position + 2].isGap {
                    add(.math, to: end, target: 1)
                    return
                }
                while position < end, bytes[position] == Byte.dollar { position += 1 }
            }
            return
        }
        let isInsideWord = position > textBegin && bytes[position - 1].isAlphanumeric
        guard !isInsideWord, !bytes[position + 1].isGap else {
            position += 1
            return
        }
        var place = position + 1
        while place < end, bytes[place] != Byte.dollar {
            place += bytes[place] == Byte.backslash && place + 1 < end ? 2 : 1
        }
        let isEnded =
            place < end && !bytes[place - 1].isGap && (place + 1 == end || !bytes[place + 1].isAlphanumeric)
        if isEnded { add(.math, to: place + 1) } else { position += 1 }
    }

    /// Takes a formula between `\(` and `\)` or `\[` and `\]`.
    mutating func takeEscapedMath(_ opening: UInt8) -> Bool {
        let isAlone = opening == Byte.openBracket
        let behind =
            isAlone
            ? end(of: "\\]", .mathBracket, from: position + 2)
            : end(of: "\\)", .mathParenthesis, from: position + 2)
        if let behind, behind > position + 4 {
            add(.math, to: behind, target: isAlone ? 1 : 0)
            return true
        }
        if behind == nil, isOpen, position + 2 < end {
            add(.math, to: end, target: isAlone ? 1 : 0)
            return true
        }
        return false
    }
}
