/// What changed among the blocks: by number, each list in rising order.
///
/// Applied in the order of the properties, the picture of before becomes that of now: what is added stands at the end
/// of the block around it. What stands inside a block that is added or replaced is not named again.
public struct MarkdownChange: Equatable, Sendable {
    /// Blocks that are gone, with all that stood inside them.
    public var removed: [BlockID] = []
    /// Blocks that became something else; all that stands inside them is new.
    public var replaced: [BlockID] = []
    /// Blocks whose own text or marks changed; what stands inside them did not.
    public var changed: [BlockID] = []
    /// Blocks that keep lines as they are, and have other lines from a number on.
    public var extended: [ExtendedBlock] = []
    /// Blocks that are new.
    public var added: [BlockID] = []
    /// Blocks of the outermost level that will not change any more, but for definitions that they name.
    public var settled: [BlockID] = []

    /// A block whose first lines stayed as they were.
    public struct ExtendedBlock: Equatable, Sendable {
        /// The block.
        public var id: BlockID
        /// How many of its first lines are as they were.
        public var kept: Int

        /// Names a block and how many of its lines stayed.
        public init(id: BlockID, kept: Int) {
            self.id = id
            self.kept = kept
        }
    }

    /// No change.
    public init() {}

    /// Whether nothing changed.
    public var isEmpty: Bool {
        removed.isEmpty && replaced.isEmpty && changed.isEmpty && extended.isEmpty && added.isEmpty && settled.isEmpty
    }
}

/// What has been told of the blocks, to tell only what is new.
struct ShownBlocks: Sendable {
    /// A block as it was told.
    private struct Shown: Sendable {
        var block: Block
        /// Where its last line ended.
        var end: UInt32
        /// How long its text was.
        var length: Int
        /// Whether its text might still grow.
        var isTail: Bool
    }

    private var shown: [Shown] = []
    private var settled: BlockID = 1

    private enum Fate {
        case same, gone, new, replaced
    }

    /// Tells what changed since the last call.
    ///
    /// - Parameter settledEnd: the first block that is not settled.
    mutating func change(to parser: inout BlockParser, settledEnd: BlockID) -> MarkdownChange {
        var change = MarkdownChange()
        let ids = Self.sorted(parser.touched)
        parser.touched.removeAll(keepingCapacity: true)
        var fates = [Fate](repeating: .same, count: ids.count)
        // The blocks that have got something new inside: what already stood there after it has to move behind it.
        var grown: [BlockID] = []
        for (index, id) in ids.enumerated() where id > 0 {
            let old = id < shown.count && !shown[id].block.isHidden ? shown[id].block : nil
            let now = id < parser.blocks.count && !parser.blocks[id].isHidden ? parser.blocks[id] : nil
            let wasInSame = old.map { Self.fate(of: $0.parent, ids, fates) == .same } ?? false
            let isInSame = now.map { Self.fate(of: $0.parent, ids, fates) == .same } ?? false
            if let old, let now, old.parent == now.parent, wasInSame, !grown.contains(now.parent) {
                fates[index] = compare(old, now, id: id, in: parser, into: &change)
                continue
            }
            if old != nil, wasInSame { change.removed.append(id) }
            if let now {
                fates[index] = .new
                if isInSame {
                    change.added.append(id)
                    if grown.last != now.parent { grown.append(now.parent) }
                }
                remember(now, id: id, in: parser)
            } else {
                fates[index] = .gone
                if id < parser.blocks.count { remember(parser.blocks[id], id: id, in: parser) }
            }
        }
        if shown.count > parser.blocks.count { shown.removeLast(shown.count - parser.blocks.count) }
        while settled < settledEnd {
            if parser.blocks[settled].parent == 0 { change.settled.append(settled) }
            settled += 1
        }
        return change
    }

    private mutating func compare(
        _ old: Block, _ now: Block, id: BlockID, in parser: BlockParser, into change: inout MarkdownChange
    ) -> Fate {
        let last = shown[id]
        let isOther = now.kind == .table && old.infoStart != now.infoStart || old.task != now.task
        guard old.kind == now.kind, !isOther else {
            change.replaced.append(id)
            remember(now, id: id, in: parser)
            return .replaced
        }
        let (end, length) = Self.extent(of: now, in: parser)
        if now.keepsLines {
            let count = Int(now.endLine - now.firstLine)
            var kept = Int(old.endLine - old.firstLine)
            if kept > 0, kept > count || parser.lines[Int(now.firstLine) + kept - 1].end != last.end { kept -= 1 }
            kept = min(kept, count)
            if old.infoEnd != now.infoEnd {
                change.changed.append(id)
            } else if kept < count || old.endLine != now.endLine {
                change.extended.append(MarkdownChange.ExtendedBlock(id: id, kept: kept))
            }
        } else if now.kind.isContainer {
            if old.isLoose != now.isLoose { change.changed.append(id) }
        } else if old != now || end != last.end || last.isTail != parser.isTail(now) {
            // An open paragraph that is very long is shown again only when it has grown by a part of itself.
            if now.isOpen, old.isOpen, length > Self.longText, length - last.length < last.length / 16 { return .same }
            change.changed.append(id)
        }
        remember(now, id: id, in: parser)
        return .same
    }

    private static let longText = 8192

    private mutating func remember(_ block: Block, id: BlockID, in parser: BlockParser) {
        let (end, length) = Self.extent(of: block, in: parser)
        let entry = Shown(block: block, end: end, length: length, isTail: parser.isTail(block))
        while shown.count < id {
            shown.append(Shown(block: Block(.document, in: -1, line: 0), end: 0, length: 0, isTail: false))
        }
        if shown.count == id { shown.append(entry) } else { shown[id] = entry }
    }

    private static func extent(of block: Block, in parser: BlockParser) -> (end: UInt32, length: Int) {
        guard block.firstLine < block.endLine else { return (0, 0) }
        let end = parser.lines[Int(block.endLine) - 1].end
        return (end, Int(end) - Int(parser.lines[Int(block.firstLine)].start))
    }

    private static func fate(of id: BlockID, _ ids: [BlockID], _ fates: [Fate]) -> Fate {
        if id == 0 { return .same }
        var (low, high) = (0, ids.count)
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low < ids.count && ids[low] == id ? fates[low] : .same
    }

    private static func sorted(_ touched: [BlockID]) -> [BlockID] {
        var result = touched.sorted()
        var count = 0
        for id in result where count == 0 || result[count - 1] != id {
            result[count] = id
            count += 1
        }
        result.removeLast(result.count - count)
        return result
    }
}
