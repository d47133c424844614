/// Finds a long common subsequence of two sequences of numbers, in linear space and a bounded number of steps.
///
/// Equal ends are taken off first. What is left is split in the middle of a shortest path (Myers, 1986) where that is
/// found within a few hundred differences, else at the elements that both have once (patience), else left as changed.
struct SequenceComparison {
    private let old: [Int]
    private let new: [Int]
    /// Which elements of the old sequence are kept.
    private(set) var isKept: [Bool]
    /// Which elements of the new sequence were there before: as many, and in the same order.
    private(set) var isCommon: [Bool]

    private var steps = 1_000_000
    private static let longestPath = 256
    /// How often each number occurs in the part that is looked at, and where last; zero between uses.
    private var oldCounts: [Int32]
    private var newCounts: [Int32]
    private var places: [Int]
    private var forward: [Int] = []
    private var backward: [Int] = []

    /// Compares sequences of numbers from 0 to below `kinds`.
    init(old: [Int], new: [Int], kinds: Int) {
        self.old = old
        self.new = new
        isKept = Array(repeating: false, count: old.count)
        isCommon = Array(repeating: false, count: new.count)
        oldCounts = Array(repeating: 0, count: kinds)
        newCounts = Array(repeating: 0, count: kinds)
        places = Array(repeating: 0, count: kinds)
    }

    private struct Block {
        var old: Range<Int>
        var new: Range<Int>
    }

    mutating func run() {
        var blocks = [Block(old: 0..<old.count, new: 0..<new.count)]
        while let block = blocks.popLast() {
            let rest = trimmed(block)
            if rest.old.isEmpty || rest.new.isEmpty || !sharesAnything(rest) { continue }
            if let snake = middle(of: rest) {
                keep(snake)
                blocks.append(
                    Block(
                        old: rest.old.lowerBound..<snake.old.lowerBound, new: rest.new.lowerBound..<snake.new.lowerBound
                    ))
                blocks.append(
                    Block(
                        old: snake.old.upperBound..<rest.old.upperBound, new: snake.new.upperBound..<rest.new.upperBound
                    ))
            } else {
                blocks += split(rest)
            }
        }
    }

    private mutating func keep(_ block: Block) {
        for index in block.old { isKept[index] = true }
        for index in block.new { isCommon[index] = true }
    }

    /// Keeps equal ends and returns what is between them.
    private mutating func trimmed(_ block: Block) -> Block {
        var rest = block
        while let first = rest.old.first, let other = rest.new.first, old[first] == new[other] {
            keep(Block(old: first..<first + 1, new: other..<other + 1))
            rest = Block(old: first + 1..<rest.old.upperBound, new: other + 1..<rest.new.upperBound)
        }
        while let last = rest.old.last, let other = rest.new.last, old[last] == new[other] {
            keep(Block(old: last..<last + 1, new: other..<other + 1))
            rest = Block(old: rest.old.lowerBound..<last, new: rest.new.lowerBound..<other)
        }
        return rest
    }

    /// Whether the two parts have an element in common: where they have none a search would look at everything for it.
    private mutating func sharesAnything(_ block: Block) -> Bool {
        for index in block.old { oldCounts[old[index]] = 1 }
        let isShared = block.new.contains { oldCounts[new[$0]] > 0 }
        for index in block.old { oldCounts[old[index]] = 0 }
        return isShared
    }

    /// The equal run, perhaps an empty one, in the middle of a shortest path; `nil` where the path is too long.
    private mutating func middle(of block: Block) -> Block? {
        let width = block.old.count
        let height = block.new.count
        let limit = min((width + height + 1) / 2, Self.longestPath)
        let offset = limit + 1
        let delta = width - height
        let isOdd = delta % 2 != 0
        // One place for each diagonal; -1 where none was reached.
        forward = Array(repeating: -1, count: 2 * offset + 1)
        backward = forward
        for length in 0...limit {
            steps -= 2 * (length + 1)
            guard steps > 0 else { return nil }
            for diagonal in stride(from: -length, through: length, by: 2) {
                let start = Self.start(forward, offset + diagonal, diagonal, length, width, height)
                guard start >= 0 else { continue }
                var end = start
                while end < width, end - diagonal < height,
                    old[block.old.lowerBound + end] == new[block.new.lowerBound + end - diagonal]
                {
                    end += 1
                }
                forward[offset + diagonal] = end
                let opposite = delta - diagonal
                guard isOdd, abs(opposite) < length, backward[offset + opposite] >= 0,
                    end + backward[offset + opposite] >= width
                else { continue }
                return snake(block, start, end, diagonal)
            }
            for diagonal in stride(from: -length, through: length, by: 2) {
                let start = Self.start(backward, offset + diagonal, diagonal, length, width, height)
                guard start >= 0 else { continue }
                var end = start
                while end < width, end - diagonal < height,
                    old[block.old.upperBound - 1 - end] == new[block.new.upperBound - 1 - end + diagonal]
                {
                    end += 1
                }
                backward[offset + diagonal] = end
                let opposite = delta - diagonal
                guard !isOdd, abs(opposite) <= length, forward[offset + opposite] >= 0,
                    end + forward[offset + opposite] >= width
                else { continue }
                return snake(block, width - end, width - start, opposite)
            }
        }
        return nil
    }

    private func snake(_ block: Block, _ start: Int, _ end: Int, _ diagonal: Int) -> Block {
        let old = block.old.lowerBound
        let new = block.new.lowerBound - diagonal
        return Block(old: old + start..<old + end, new: new + start..<new + end)
    }

    /// How far a path of this length gets on a diagonal before its equal run; -1 where it does not.
    private static func start(
        _ reached: [Int], _ index: Int, _ diagonal: Int, _ length: Int, _ width: Int, _ height: Int
    ) -> Int {
        if length == 0 { return 0 }
        let left = reached[index - 1]
        let above = reached[index + 1]
        var start = -1
        if left >= 0, left < width, left + 1 - diagonal <= height { start = left + 1 }
        if above >= 0, above - diagonal <= height { start = max(start, above) }
        return start
    }

    /// Keeps the elements that both parts have once and in the same order, and returns what is between them.
    private mutating func split(_ block: Block) -> [Block] {
        steps -= 4 * (block.old.count + block.new.count)
        guard steps > 0 else { return [] }
        for index in block.old { oldCounts[old[index]] += 1 }
        for index in block.new {
            newCounts[new[index]] += 1
            places[new[index]] = index
        }
        var candidates: [(old: Int, new: Int)] = []
        for index in block.old where oldCounts[old[index]] == 1 && newCounts[old[index]] == 1 {
            candidates.append((index, places[old[index]]))
        }
        for index in block.old { oldCounts[old[index]] = 0 }
        for index in block.new { newCounts[new[index]] = 0 }
        var blocks: [Block] = []
        var oldStart = block.old.lowerBound
        var newStart = block.new.lowerBound
        for anchor in Self.longestIncreasing(candidates) {
            keep(Block(old: anchor.old..<anchor.old + 1, new: anchor.new..<anchor.new + 1))
            blocks.append(Block(old: oldStart..<anchor.old, new: newStart..<anchor.new))
            oldStart = anchor.old + 1
            newStart = anchor.new + 1
        }
        guard !blocks.isEmpty else { return [] }
        blocks.append(Block(old: oldStart..<block.old.upperBound, new: newStart..<block.new.upperBound))
        return blocks
    }

    /// The longest run of pairs that rises on both sides; the first side rises already.
    private static func longestIncreasing(_ pairs: [(old: Int, new: Int)]) -> [(old: Int, new: Int)] {
        // The pair that ends the best run of each length, and for each pair the one before it.
        var ends: [Int] = []
        var previous = Array(repeating: -1, count: pairs.count)
        for index in pairs.indices {
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if pairs[ends[middle]].new < pairs[index].new { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var run: [(old: Int, new: Int)] = []
        var index = ends.last ?? -1
        while index >= 0 {
            run.append(pairs[index])
            index = previous[index]
        }
        return run.reversed()
    }
}
