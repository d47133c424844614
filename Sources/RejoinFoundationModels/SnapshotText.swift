/// The whole text so far, from snapshots that each hold all of it: assigned, never appended, and free to shrink.
struct SnapshotText {
    /// The last snapshot; empty before the first, which may never come.
    private(set) var whole = ""

    /// Takes a snapshot.
    ///
    /// - Returns: whether it says anything else than the one before.
    mutating func take(_ snapshot: String) -> Bool {
        guard snapshot != whole else { return false }
        whole = snapshot
        return true
    }
}
