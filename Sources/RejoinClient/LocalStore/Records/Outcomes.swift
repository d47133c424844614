/// What became of a turn or an answer that a person asked for.
public enum Begun: Equatable, Sendable {
    case begun
    /// It was there already: nothing changed.
    case repeated
    /// The conversation was deleted.
    case deleted
    /// The parent, or the turn that another answer is for, is not here.
    case unknownParent
}

/// What became of appended events.
public enum Appended: Equatable, Sendable {
    /// All that was new counts now; the number of the last event held.
    case appended(Int)
    /// A number is missing after the one named: ask again from there.
    case gap(after: Int)
    /// The answer has ended, or a person stopped it: what came is not shown.
    case dropped
    /// The answer is not here, or not any more.
    case unknown
}

/// What became of an answer that was fetched whole.
public enum Replaced: Equatable, Sendable {
    case replaced
    /// It says nothing new.
    case unchanged
    /// Its text does not go on from the text that is shown, which therefore stays.
    case refused
    /// The answer is not here, or not any more.
    case unknown
}

/// What became of a conversation that was fetched.
public enum Merged: Equatable, Sendable {
    case merged
    /// It was deleted on this device, or is known to be deleted: it stays away.
    case deleted
}
