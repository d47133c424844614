internal import RejoinCore
internal import SQLite

/// Where appended entries go first: one row for all entries of a transaction.
///
/// Three hundred running answers grow a little each few milliseconds. Putting each piece beside its own answer's log
/// writes a page of the file for every piece, some fifty times its size. So a transaction writes its pieces one after
/// the other into one row, and once these rows have grown to a bound they are sorted into the log in large segments.
/// The file alone says what is where: any process may read the journal or settle it at any time.
enum Journal {
    /// When the journal is sorted into the log.
    struct Limits: Sendable {
        /// How many rows a reader may have to walk through.
        var rows = 500
        /// How many bytes a reader may have to walk through.
        var bytes = 128 << 10
        /// How long a segment of the log grows before the next one begins.
        var segment = 64 << 10
    }

    /// One entry as a row holds it.
    struct Entry {
        /// The key of the answer.
        var key: Int64
        var firstSeq: Int
        var lastSeq: Int
        var bytes: ArraySlice<UInt8>
    }

    /// What comes before an entry's bytes: three numbers of eight bytes, and their count in eight more.
    private static let headerSize = 32

    /// Appends an entry to a row that is being put together.
    static func append(key: Int64, _ entry: LogEntry, to row: inout [UInt8]) {
        let header = (
            key.littleEndian, Int64(entry.firstSeq).littleEndian, Int64(entry.lastSeq).littleEndian,
            Int64(entry.bytes.count).littleEndian
        )
        withUnsafeBytes(of: header) { row.append(contentsOf: $0) }
        row.append(contentsOf: entry.bytes)
    }

    /// Reads the entries of a row in order.
    static func walk(_ row: [UInt8], _ visit: (Entry) throws(SQLiteFailure) -> Void) throws(SQLiteFailure) {
        var position = 0
        while position < row.count {
            guard row.count - position >= headerSize else { throw .corrupt("a journal row is cut short") }
            let start = position
            let (key, first, last, count) = row.withUnsafeBytes { raw in
                func number(_ index: Int) -> Int64 {
                    Int64(littleEndian: raw.loadUnaligned(fromByteOffset: start + index * 8, as: Int64.self))
                }
                return (number(0), number(1), number(2), number(3))
            }
            position += headerSize
            guard count >= 0, count <= row.count - position else { throw .corrupt("a journal row is cut short") }
            let end = position + Int(count)
            try visit(
                Entry(
                    key: key, firstSeq: Int(truncatingIfNeeded: first), lastSeq: Int(truncatingIfNeeded: last),
                    bytes: row[position..<end]))
            position = end
        }
    }
}

extension StoreTransaction {
    /// Reads the journal's entries in the order they were appended.
    func walkJournal(_ visit: (Journal.Entry) throws(SQLiteFailure) -> Void) throws(SQLiteFailure) {
        try connection.walk("SELECT entries FROM journal ORDER BY batch") { row throws(SQLiteFailure) in
            try Journal.walk(row.bytes(0), visit)
            return true
        }
    }

    /// The last number of each answer that the journal holds something of, by the answer's key.
    func journalNumbers() throws(SQLiteFailure) -> [Int64: Int] {
        var numbers: [Int64: Int] = [:]
        try walkJournal { (entry) throws(SQLiteFailure) in numbers[entry.key] = entry.lastSeq }
        return numbers
    }

    /// Writes a row and settles the journal once it has grown to its limits.
    func journal(_ row: [UInt8]) throws {
        try connection.run("INSERT INTO journal (entries) VALUES (?)", .bytes(row))
        var size = try running.journalSize ?? journalSize()
        if running.journalSize != nil { size = (size.rows + 1, size.bytes + row.count) }
        running.journalSize = size
        if size.rows >= running.limits.rows || size.bytes >= running.limits.bytes { try settleJournal() }
    }

    private func journalSize() throws -> (rows: Int, bytes: Int) {
        try connection.first("SELECT count(*), coalesce(sum(length(entries)), 0) FROM journal") {
            ($0.integer(0), $0.integer(1))
        } ?? (0, 0)
    }

    /// Sorts what the journal holds into the log and empties it.
    func settleJournal() throws {
        struct Segment {
            var firstSeq: Int
            var lastSeq: Int
            var bytes: [UInt8]
        }
        var segments: [Int64: [Segment]] = [:]
        try walkJournal { (entry) throws(SQLiteFailure) in
            var own = segments.removeValue(forKey: entry.key) ?? []
            if let last = own.indices.last, own[last].bytes.count + entry.bytes.count <= running.limits.segment {
                own[last].lastSeq = entry.lastSeq
                own[last].bytes += entry.bytes
            } else {
                own.append(Segment(firstSeq: entry.firstSeq, lastSeq: entry.lastSeq, bytes: Array(entry.bytes)))
            }
            segments[entry.key] = own
        }
        // First, so that its room serves for what follows: a full disk must not keep anything from being deleted.
        try connection.run("DELETE FROM journal")
        for (key, own) in segments.sorted(by: { $0.key < $1.key }) {
            for segment in own {
                try connection.run(
                    "INSERT INTO log (answer, last_seq, first_seq, bytes) VALUES (?, ?, ?, ?)",
                    .integer(key), .integer(segment.lastSeq), .integer(segment.firstSeq), .bytes(segment.bytes))
            }
        }
        running.journalSize = (0, 0)
    }
}
