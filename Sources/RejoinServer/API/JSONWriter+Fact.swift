import RejoinCore

extension JSONWriter {
    /// A fact as replies show it.
    mutating func fact(_ fact: Fact) {
        beginObject()
        factMembers(fact)
        endObject()
    }

    /// A fact's members, in replies as in archives.
    mutating func factMembers(_ fact: Fact) {
        name("id")
        id(fact.id)
        member("text", fact.text)
        member("state", fact.isAccepted ? "accepted" : "proposed")
        member("source", fact.source.rawValue)
        if let origin = fact.origin {
            name("conversation")
            id(origin.conversation)
            name("turn")
            id(origin.turn)
        }
        name("created_at")
        time(fact.createdAt)
        name("updated_at")
        time(fact.updatedAt)
    }
}
