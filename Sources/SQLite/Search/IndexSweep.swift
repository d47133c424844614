/// How far words of deleted texts are merged out of the full-text indexes `words` and `bigrams`.
///
/// SQLite 3.40 marks deleted words and keeps them in the file until the parts of an index are merged. That can be long, so
/// it is done in steps, and a store keeps this between them; then it goes on also after the process died.
package enum IndexSweep: UInt8, Sendable {
    case words = 0, moreWords, bigrams, moreBigrams

    /// The first step after a deletion.
    package static let start = IndexSweep.words

    /// Merges a little more.
    ///
    /// - Parameter pages: how many pages of an index the step goes through; hundreds are some milliseconds of work.
    /// - Returns: the next step; nil when there is none.
    package func step(on connection: Connection, pages: Int) throws(SQLiteFailure) -> IndexSweep? {
        switch self {
        // A negative number gathers all parts of an index for merging, a positive one goes on with it.
        case .words: try Self.merge("words", -pages, connection) ? .moreWords : .bigrams
        case .moreWords: try Self.merge("words", pages, connection) ? .moreWords : .bigrams
        case .bigrams: try Self.merge("bigrams", -pages, connection) ? .moreBigrams : nil
        case .moreBigrams: try Self.merge("bigrams", pages, connection) ? .moreBigrams : nil
        }
    }

    /// - Returns: whether there is more of the index to merge.
    private static func merge(_ table: String, _ pages: Int, _ connection: Connection) throws(SQLiteFailure) -> Bool {
        func total() throws(SQLiteFailure) -> Int {
            try connection.first("SELECT total_changes()") { $0.integer(0) } ?? 0
        }
        let before = try total()
        try connection.run("INSERT INTO \(table) (\(table), rank) VALUES ('merge', ?)", .integer(pages))
        // The statement itself counts as one.
        return try total() - before >= 2
    }
}
