public import RejoinCore

/// What to change about a conversation; nil leaves a part as it is.
public struct ConversationPatch: Equatable, Sendable {
    public var title: String?
    public var isPinned: Bool?
    public var isArchived: Bool?
    /// The answer at the end of the path to show.
    public var selected: AnswerID?
    /// Whether it is given what is remembered, and may add to it.
    public var usesMemory: Bool?

    /// Names the changes.
    public init(
        title: String? = nil, isPinned: Bool? = nil, isArchived: Bool? = nil, selected: AnswerID? = nil,
        usesMemory: Bool? = nil
    ) {
        self.title = title
        self.isPinned = isPinned
        self.isArchived = isArchived
        self.selected = selected
        self.usesMemory = usesMemory
    }

    /// The body of the `PATCH`.
    var json: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("title", title)
        if let isPinned {
            json.name("pinned")
            json.bool(isPinned)
        }
        if let isArchived {
            json.name("archived")
            json.bool(isArchived)
        }
        if let selected {
            json.name("selected")
            json.id(selected)
        }
        if let usesMemory {
            json.name("memory")
            json.bool(usesMemory)
        }
        json.endObject()
        return json.bytes
    }
}
