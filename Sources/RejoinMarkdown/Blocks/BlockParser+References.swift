/// The text of one block that has inline content: lines joined, without the blanks at its end.
struct LeafText: Sendable {
    var bytes: [UInt8]
    var start: Int
    var end: Int
}

extension BlockParser {
    /// The lines of a block as one text; where they stand together in the source nothing is copied.
    func text(of block: Block) -> LeafText {
        var (first, last) = (Int(block.firstLine), Int(block.endLine) - 1)
        while first <= last, isBlankLine(first) { first += 1 }
        guard first <= last else { return LeafText(bytes: [], start: 0, end: 0) }
        while isBlankLine(last) { last -= 1 }
        var isWhole = true
        for index in first..<last where isWhole {
            isWhole = lines[index].end + 1 == lines[index + 1].start && source[Int(lines[index].end)] == Byte.newline
        }
        var leaf: LeafText
        if isWhole {
            leaf = LeafText(bytes: source, start: Int(lines[first].start), end: Int(lines[last].end))
        } else {
            var joined: [UInt8] = []
            for index in first...last {
                if index > first { joined.append(Byte.newline) }
                joined += source[Int(lines[index].start)..<Int(lines[index].end)]
            }
            leaf = LeafText(bytes: joined, start: 0, end: joined.count)
        }
        while leaf.end > leaf.start, leaf.bytes[leaf.end - 1].isBlank { leaf.end -= 1 }
        return leaf
    }

    private func isBlankLine(_ index: Int) -> Bool { lines[index].start >= lines[index].end }

    /// Takes the definitions of links that a paragraph begins with; one that has nothing else is hidden.
    mutating func takeDefinitions(of id: BlockID) {
        let block = blocks[id]
        guard block.firstLine < block.endLine else {
            blocks[id].isHidden = true
            return
        }
        let first = lines[Int(block.firstLine)]
        guard first.start < first.end, source[Int(first.start)] == Byte.openBracket else { return }
        let text = text(of: blocks[id])
        var position = text.start
        while position < text.end, text.bytes[position] == Byte.openBracket {
            steps += 1
            guard let found = DefinitionScanner.read(text.bytes, from: position, to: text.end) else { break }
            define(.link(found.target), label: found.labelStart, to: found.labelEnd, in: text.bytes)
            for index in position..<found.end where text.bytes[index] == Byte.newline { blocks[id].firstLine += 1 }
            position = found.end
        }
        if position >= text.end {
            blocks[id].firstLine = block.endLine
            blocks[id].isHidden = true
        }
        if position > text.start {
            // What is left may name what has just been defined.
            if !isSpeculating { blocks[id].revision &+= 1 }
            touch(id)
        }
    }

    mutating func define(_ target: References.Target, label start: Int, to end: Int, in bytes: [UInt8]) {
        guard !isSpeculating, let label = References.normalized(bytes, from: start, to: end) else { return }
        for id in references.define(target, label: label) { revise(id) }
    }

    /// Notes each label that a closed block may name, so that a later definition finds it.
    mutating func nameLabels(of id: BlockID) {
        let block = blocks[id]
        guard isWatched, !isSpeculating, !block.isHidden else { return }
        let (first, last) = (Int(block.firstLine), Int(block.endLine))
        let hasBracket = source.withUnsafeBufferPointer { source in
            (first..<last).contains { index in
                let end = Int(lines[index].end)
                return source.first(from: Int(lines[index].start), to: end) { $0.equal(Byte.closeBracket) } < end
            }
        }
        guard hasBracket else { return }
        let text = text(of: blocks[id])
        var opening = -1
        var position = text.start
        while position < text.end {
            switch text.bytes[position] {
            case Byte.backslash: position += 1
            case Byte.openBracket: opening = position
            case Byte.closeBracket:
                if opening >= 0, position - opening - 1 <= References.longestLabel,
                    let label = References.normalized(text.bytes, from: opening + 1, to: position)
                {
                    references.wait(id, for: label)
                }
                opening = -1
            default: break
            }
            position += 1
        }
    }

    /// Shows a block again, because a definition came that it names.
    ///
    /// What that may cost is earned by the text that comes in: a long paragraph that names many labels is not read again
    /// for each of them.
    private mutating func revise(_ id: BlockID) {
        postponed.append(id)
        reviseWhatIsAffordable()
    }

    mutating func reviseWhatIsAffordable(all: Bool = false) {
        while firstPostponed < postponed.count {
            let id = postponed[firstPostponed]
            let block = blocks[id]
            var cost = 64
            for index in Int(block.firstLine)..<Int(block.endLine) { cost += lines[index].count }
            guard all || cost <= credit else { return }
            credit = max(0, credit - cost)
            blocks[id].revision &+= 1
            touch(id)
            firstPostponed += 1
        }
        postponed.removeAll(keepingCapacity: true)
        firstPostponed = 0
    }
}
