#if !hasFeature(Embedded)
/// A place between two lines of a picture, which stays the same place while lines above it come and go.
public struct PicturePlace: Equatable, Sendable {
    /// The block that it stands behind, or in; 0 is the beginning.
    var block: BlockID = 0
    /// How many lines of the block stand before it; nil for all of them.
    var lines: Int?

    /// The beginning.
    public init() {}

    /// Whether it does not stand in the midst of a block.
    public var isBetweenBlocks: Bool { lines == nil }

    init(behind block: BlockID, lines: Int? = nil) {
        self.block = block
        self.lines = lines
    }
}

extension TerminalPicture {
    /// The number of the first line behind a place.
    public func line(at place: PicturePlace) -> Int {
        let next = leaf(notBefore: place.block + 1)
        if let count = place.lines, next > 0, leaves[next - 1].id == place.block {
            return min(leaves[next - 1].firstLine + count, lines.count)
        }
        return next < leaves.count ? leaves[next].firstLine : lines.count
    }

    /// The place before which nothing changes any more, but for definitions that come late.
    ///
    /// Lines of code are settled one by one, all else block by block.
    public func settled(of stream: MarkdownStream) -> PicturePlace {
        let next = leaf(notBefore: stream.isFinished ? stream.blockCount : stream.settledEnd)
        if next == leaves.count - 1, let last = leaves.last, let block = stream.block(last.id), block.isFenced,
            block.parent == 0, code.id == last.id, let line = code.starts.last, line > last.firstLine
        {
            return PicturePlace(behind: last.id, lines: line - last.firstLine)
        }
        return next > 0 ? PicturePlace(behind: leaves[next - 1].id) : PicturePlace()
    }

    /// The last place between two blocks that has at most so many lines before it.
    public func place(notBehind line: Int) -> PicturePlace {
        var next = leaves.count
        while next > 0, (next < leaves.count ? leaves[next].firstLine : lines.count) > line { next -= 1 }
        return next > 0 ? PicturePlace(behind: leaves[next - 1].id) : PicturePlace()
    }

    private func leaf(notBefore id: BlockID) -> Int {
        var (low, high) = (0, leaves.count)
        while low < high {
            let middle = (low + high) / 2
            if leaves[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
#endif
