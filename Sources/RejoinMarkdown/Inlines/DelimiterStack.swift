/// The runs of `*`, `_` and `~` in a text, and which of them belong together.
struct DelimiterStack: Sendable {
    struct Run: Sendable {
        var part: Int
        var byte: UInt8
        /// How many marks have not been used.
        var left: Int
        let length: Int
        let canOpen: Bool
        let canClose: Bool
        /// Whether a letter or a digit stands before it.
        let isInsideWord: Bool
        var previous: Int
        var next = -1
        /// What begins with this run, the outermost first, and what ends with it, the innermost first: numbers of pairs.
        var firstOpened = -1
        var firstClosed = -1
        var lastClosed = -1
    }

    /// Two runs that belong together.
    struct Pair: Sendable {
        var isDouble: Bool
        var byte: UInt8
        var nextOpened = -1
        var nextClosed = -1
    }

    /// For each kind of closing run, below which no opening one is left.
    private struct Bottoms {
        private let start: Int
        private var places: [Int] = []

        init(_ start: Int) { self.start = start }

        subscript(kind: Int) -> Int {
            get { places.isEmpty ? start : places[kind] }
            set {
                if places.isEmpty { places = [Int](repeating: start, count: 15) }
                places[kind] = newValue
            }
        }
    }

    private(set) var runs: [Run] = []
    private(set) var pairs: [Pair] = []
    private(set) var last = -1
    private var first = -1

    var isEmpty: Bool { runs.isEmpty }

    /// Forgets everything, and keeps the room for it.
    mutating func clear() {
        runs.clear()
        pairs.clear()
        (first, last) = (-1, -1)
    }

    mutating func push(
        part: Int, byte: UInt8, length: Int, canOpen: Bool, canClose: Bool, isInsideWord: Bool
    ) {
        let index = runs.count
        runs.append(
            Run(
                part: part, byte: byte, left: length, length: length, canOpen: canOpen, canClose: canClose,
                isInsideWord: isInsideWord, previous: last))
        if last >= 0 { runs[last].next = index } else { first = index }
        last = index
    }

    /// Pairs the runs above one, and takes them off the stack.
    ///
    /// - Parameter isOpen: whether text may still come.
    /// - Returns: runs whose other half may come: of an open text only.
    mutating func settle(above bottom: Int, steps: inout Int, isOpen: Bool = false) -> [Int] {
        var closer = bottom >= 0 ? runs[bottom].next : first
        guard closer >= 0 else { return [] }
        // Below these, no run of a kind can be opened: it has been looked for in vain.
        var bottoms = Bottoms(bottom)
        while closer >= 0 {
            guard runs[closer].canClose else {
                closer = runs[closer].next
                continue
            }
            let kind = kind(of: runs[closer])
            var opener = runs[closer].previous
            while opener > bottoms[kind], !matches(opener, closer) {
                steps += 1
                opener = runs[opener].previous
            }
            guard opener > bottoms[kind] else {
                bottoms[kind] = max(bottom, runs[closer].previous)
                let next = runs[closer].next
                if !runs[closer].canOpen { unlink(closer) }
                closer = next
                continue
            }
            if runs[opener].byte == Byte.tilde, runs[opener].length != runs[closer].length {
                // One tilde does not end two: neither means anything then.
                let next = runs[closer].next
                runs[opener].next = closer
                runs[closer].previous = opener
                unlink(opener)
                unlink(closer)
                closer = next
                continue
            }
            pair(opener, closer)
            // What stands between them has no other half.
            runs[opener].next = closer
            runs[closer].previous = opener
            if runs[opener].left == 0 { unlink(opener) }
            if runs[closer].left == 0 {
                let next = runs[closer].next
                unlink(closer)
                closer = next
            }
        }
        var half: [Int] = []
        if isOpen {
            var run = bottom >= 0 ? runs[bottom].next : first
            while run >= 0 {
                if runs[run].canOpen, !runs[run].isInsideWord, runs[run].byte != Byte.tilde || runs[run].left == 2 {
                    half.append(run)
                }
                run = runs[run].next
            }
        }
        last = bottom
        if bottom >= 0 { runs[bottom].next = -1 } else { first = -1 }
        return half
    }

    private func kind(of run: Run) -> Int {
        switch run.byte {
        case Byte.star: run.length % 3 + (run.canOpen ? 3 : 0)
        case Byte.underscore: 6 + run.length % 3 + (run.canOpen ? 3 : 0)
        default: 12 + min(run.length, 2)
        }
    }

    private func matches(_ opener: Int, _ closer: Int) -> Bool {
        let (left, right) = (runs[opener], runs[closer])
        guard left.byte == right.byte, left.canOpen else { return false }
        guard right.canOpen || left.canClose else { return true }
        return (left.length + right.length) % 3 != 0 || (left.length % 3 == 0 && right.length % 3 == 0)
    }

    private mutating func pair(_ opener: Int, _ closer: Int) {
        let isDouble = runs[opener].left >= 2 && runs[closer].left >= 2
        let used = isDouble ? 2 : 1
        runs[opener].left -= used
        runs[closer].left -= used
        let pair = pairs.count
        pairs.append(Pair(isDouble: isDouble, byte: runs[opener].byte, nextOpened: runs[opener].firstOpened))
        runs[opener].firstOpened = pair
        if runs[closer].lastClosed >= 0 {
            pairs[runs[closer].lastClosed].nextClosed = pair
        } else {
            runs[closer].firstClosed = pair
        }
        runs[closer].lastClosed = pair
    }

    /// Opens what a run without another half would open.
    ///
    /// - Returns: the pairs, the outermost first.
    mutating func openHalf(_ run: Int) -> [Pair] {
        var opened: [Pair] = []
        while runs[run].left > 0 {
            let isDouble = runs[run].left >= 2
            runs[run].left -= isDouble ? 2 : 1
            pairs.append(Pair(isDouble: isDouble, byte: runs[run].byte, nextOpened: runs[run].firstOpened))
            runs[run].firstOpened = pairs.count - 1
            opened.insert(pairs[pairs.count - 1], at: 0)
            if opened.count >= 4 { runs[run].left = 0 }
        }
        return opened
    }

    private mutating func unlink(_ run: Int) {
        let (previous, next) = (runs[run].previous, runs[run].next)
        if previous >= 0 { runs[previous].next = next } else { first = next }
        if next >= 0 { runs[next].previous = previous } else { last = previous }
    }
}
