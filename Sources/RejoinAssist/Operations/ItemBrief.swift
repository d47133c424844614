/// What may be said about an item of the person's: enough to sort it, and no more.
public struct ItemBrief: Sendable, Hashable, Identifiable {
    /// The app's own identifier; it comes back with the decision.
    public let id: String
    /// A title; only its first characters are used.
    public let title: String
    /// The group it is in now, by that group's identifier.
    public let group: String?

    /// Describes an item.
    public init(id: String, title: String, group: String? = nil) {
        self.id = id
        self.title = title
        self.group = group
    }
}

/// A group that the person made.
public struct GroupBrief: Sendable, Hashable, Identifiable {
    /// The app's own identifier.
    public let id: String
    /// The group's name.
    public let title: String
    /// Titles of a few items that are in it already.
    public let examples: [String]

    /// Describes a group.
    public init(id: String, title: String, examples: [String] = []) {
        self.id = id
        self.title = title
        self.examples = examples
    }
}
