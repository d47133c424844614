internal import SQLite

extension LocalTransaction {
    private static let fact = "sweep"

    /// How many pages of an index one step goes through: some milliseconds of work.
    private static let pagesAStep = 250

    /// How far the removal of deleted words is.
    private enum Progress: UInt8 { case words = 0, moreWords, bigrams, moreBigrams }

    /// Notes that words were deleted which the index still holds, marked as deleted.
    ///
    /// They cannot be found any more, but they are in the file until its parts were merged. That work can be long, so
    /// it is done in steps after the transaction; this note makes sure that it is done even if the process dies.
    func owesSweep() {
        erasesText = true
        owesNote = true
    }

    /// Writes the note before the transaction ends.
    func noteSweep() throws {
        if owesNote { try setFact(Self.fact, [Progress.words.rawValue]) }
    }

    /// Whether the index holds deleted words.
    func needsSweep() throws -> Bool { try fact(Self.fact) != nil }

    /// Merges a little more of the indexes.
    ///
    /// - Returns: whether there is more to do.
    func sweep() throws -> Bool {
        guard let progress = try fact(Self.fact)?.first.flatMap(Progress.init) else { return false }
        let next: Progress?
        switch progress {
        // A negative number gathers all parts of the index for merging, a positive one goes on with it.
        case .words: next = try merge("words", -Self.pagesAStep) ? .moreWords : .bigrams
        case .moreWords: next = try merge("words", Self.pagesAStep) ? .moreWords : .bigrams
        case .bigrams: next = try merge("bigrams", -Self.pagesAStep) ? .moreBigrams : nil
        case .moreBigrams: next = try merge("bigrams", Self.pagesAStep) ? .moreBigrams : nil
        }
        try setFact(Self.fact, next.map { [$0.rawValue] })
        return next != nil
    }

    private func merge(_ table: String, _ pages: Int) throws -> Bool {
        func total() throws -> Int { try connection.first("SELECT total_changes()") { $0.integer(0) } ?? 0 }
        let before = try total()
        try connection.run("INSERT INTO \(table) (\(table), rank) VALUES ('merge', ?)", .integer(pages))
        // The statement itself counts as one.
        return try total() - before >= 2
    }
}
