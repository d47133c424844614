/// One change that a person may accept or not.
public struct ChangeID: Sendable, Hashable {
    /// The item's identifier, or the field's name.
    public let name: String

    /// Names a change by what it would change.
    public init(_ name: String) {
        self.name = name
    }
}

/// What would change, before and after, in words for a person.
public struct Change: Sendable, Hashable, Identifiable {
    /// Names what would change.
    public let id: ChangeID
    /// The item's or the field's title.
    public let title: String
    /// What is there now; empty where there is nothing.
    public let before: String
    /// What would be there.
    public let after: String

    /// Describes a change.
    public init(id: ChangeID, title: String, before: String, after: String) {
        self.id = id
        self.title = title
        self.before = before
        self.after = after
    }

    /// Whether it would change anything.
    public var isReal: Bool { before != after }
}
