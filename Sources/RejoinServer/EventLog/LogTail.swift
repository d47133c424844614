/// The newest durable events of a log, encoded, held in memory for readers that follow closely.
///
/// One stretch of bytes with a mark at the start of each event: any cursor inside is found at once, and any number of
/// events is handed over as one copy. What is older than `maximumBytes` is let go: such a reader goes to the store.
struct LogTail: Sendable {
    /// The number of the first event held.
    private(set) var firstSeq: Int
    /// The number of the last event held, or one less than `firstSeq`.
    var lastSeq: Int { firstSeq + starts.count - 1 }
    private var bytes: [UInt8] = []
    private var starts: [Int] = []
    private let maximumBytes: Int

    /// Starts empty, after `seq`.
    init(after seq: Int, maximumBytes: Int) {
        firstSeq = seq + 1
        self.maximumBytes = maximumBytes
    }

    /// Adds encoded events that follow the last one; `starts` are their offsets in `encoded`.
    mutating func append(_ encoded: [UInt8], starts newStarts: [Int]) {
        let base = bytes.count
        bytes.append(contentsOf: encoded)
        for start in newStarts { starts.append(base + start) }
        // Cut to half when full, so that the cost of moving is spread over as many bytes.
        if bytes.count > maximumBytes { cut(to: maximumBytes / 2) }
    }

    private mutating func cut(to target: Int) {
        let least = bytes.count - target
        // The last event always stays, however large it is.
        guard let kept = starts.firstIndex(where: { $0 >= least }) ?? starts.indices.last, kept > 0 else { return }
        let offset = starts[kept]
        bytes.removeFirst(offset)
        starts.removeFirst(kept)
        for index in starts.indices { starts[index] -= offset }
        firstSeq += kept
    }

    /// What a reader at a cursor gets.
    enum Reading: Equatable {
        /// Events after the cursor, the last of which is `lastSeq`.
        case events([UInt8], lastSeq: Int)
        /// The cursor is at the end.
        case upToDate
        /// The events after the cursor are older than what is held.
        case older
    }

    /// Reads after a cursor, at most about `maximumBytes`, whole events and at least one.
    func read(after seq: Int, maximumBytes: Int) -> Reading {
        guard seq < lastSeq else { return .upToDate }
        guard seq >= firstSeq - 1 else { return .older }
        let first = seq + 1 - firstSeq
        let start = starts[first]
        guard bytes.count - start > maximumBytes else { return .events(Array(bytes[start...]), lastSeq: lastSeq) }
        var last = first
        while last + 1 < starts.count, starts[last + 1] - start <= maximumBytes { last += 1 }
        let end = last + 1 < starts.count ? starts[last + 1] : bytes.count
        return .events(Array(bytes[start..<end]), lastSeq: firstSeq + last)
    }
}
