internal import SQLite

extension LocalTransaction {
    private static let fact = "sweep"

    /// How many pages of an index one step goes through: some milliseconds of work.
    private static let pagesAStep = 250

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
        if owesNote { try setFact(Self.fact, [IndexSweep.start.rawValue]) }
    }

    /// Whether the index holds deleted words.
    func needsSweep() throws -> Bool { try fact(Self.fact) != nil }

    /// Merges a little more of the indexes.
    ///
    /// - Returns: whether there is more to do.
    func sweep() throws -> Bool {
        guard let progress = try fact(Self.fact)?.first.flatMap(IndexSweep.init) else { return false }
        let next = try progress.step(on: connection, pages: Self.pagesAStep)
        try setFact(Self.fact, next.map { [$0.rawValue] })
        return next != nil
    }
}
