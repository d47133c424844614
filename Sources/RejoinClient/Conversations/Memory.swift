public import RejoinCore

/// One thing that is remembered about the person, or that a model proposes to remember.
public struct RememberedFact: Equatable, Identifiable, Sendable {
    public let id: FactID
    public var text: String
    /// Whether the person wants it remembered; a proposal is used by nobody before.
    public var isAccepted: Bool
    /// Whether these are a model's words.
    public var isByModel: Bool
    /// The conversation that it was read out of; nil for what the person wrote.
    public var conversation: ConversationID?
    public var turn: TurnID?
    public var updatedAt: Timestamp?

    init?(_ value: JSONValue) {
        guard let object = value.object, let id = object["id"]?.string.flatMap({ FactID($0) }),
            let text = object["text"]?.string
        else { return nil }
        self.id = id
        self.text = text
        isAccepted = object["state"]?.string == "accepted"
        isByModel = object["source"]?.string == "model"
        conversation = object["conversation"]?.string.flatMap { ConversationID($0) }
        turn = object["turn"]?.string.flatMap { TurnID($0) }
        updatedAt = object["updated_at"]?.string.flatMap { Timestamp($0) }
    }
}

/// What is remembered about the person, as the server keeps it.
public struct Memory: Equatable, Sendable {
    /// Whether any of it is used, and more may be proposed.
    public var isOn: Bool
    /// What was changed last comes first.
    public var facts: [RememberedFact]

    /// What a model proposes and nobody has decided on.
    public var proposals: [RememberedFact] { facts.filter { !$0.isAccepted } }

    init?(_ value: JSONValue) {
        guard let object = value.object, let items = object["items"]?.array else { return nil }
        isOn = object["on"]?.bool ?? false
        facts = items.compactMap(RememberedFact.init)
    }
}
