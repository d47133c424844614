/// Cuts long lists into pieces that a small model can take.
public enum Chunks {
    /// How many items are asked for at once: more than this and small models lose count.
    public static let usualCount = 12

    /// The list in pieces of at most this many, evenly filled, each item once and in order.
    public static func of<Element>(_ items: [Element], upTo count: Int = usualCount) -> [[Element]] {
        guard !items.isEmpty else { return [] }
        let limit = max(1, count)
        let pieces = (items.count - 1) / limit + 1
        let (size, extra) = items.count.quotientAndRemainder(dividingBy: pieces)
        var chunks: [[Element]] = []
        var start = 0
        for piece in 0..<pieces {
            let end = start + size + (piece < extra ? 1 : 0)
            chunks.append(Array(items[start..<end]))
            start = end
        }
        return chunks
    }
}
