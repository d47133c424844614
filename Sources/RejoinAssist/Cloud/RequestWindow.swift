/// What of a long conversation goes into a request: the newest turns, bounded by their number and by their size.
///
/// It looks at no more turns than it may keep, so the work and the request are the same for a hundred turns and for ten
/// thousand.
public struct RequestWindow: Sendable, Hashable {
    /// The most turns.
    public var turns: Int
    /// The most bytes of all of them together.
    public var bytes: Int

    /// Bounds a request.
    public init(turns: Int, bytes: Int) {
        self.turns = turns
        self.bytes = bytes
    }

    /// The newest turns that fit, in order, without a gap.
    ///
    /// - Parameters:
    ///   - conversation: the turns, oldest first.
    ///   - size: the bytes of one.
    /// - Returns: nothing where the newest alone does not fit.
    public func newest<Turns: BidirectionalCollection>(
        of conversation: Turns, size: (Turns.Element) -> Int
    ) -> Turns.SubSequence {
        var start = conversation.endIndex
        var (count, left) = (0, bytes)
        while start != conversation.startIndex, count < turns {
            let previous = conversation.index(before: start)
            let needed = size(conversation[previous])
            guard needed >= 0, needed <= left else { break }
            left -= needed
            count += 1
            start = previous
        }
        return conversation[start...]
    }
}
