public import RejoinCore

/// What a person has decided about their words, as the server keeps it.
public struct Consent: Equatable, Sendable {
    /// What can be decided.
    public enum Topic: String, CaseIterable, Sendable {
        /// Whether conversations may be used to improve models or the service.
        case improvement
        /// Whether new conversations are kept.
        case history
        /// Whether facts about the person may be remembered.
        case memory
    }

    /// One decision, and the record that holds it.
    public struct Decision: Equatable, Sendable {
        public var isOn: Bool
        /// 0 where nothing was decided.
        public var version: Int
        public var at: Timestamp?

        /// Notes a decision.
        public init(isOn: Bool, version: Int = 0, at: Timestamp? = nil) {
            self.isOn = isOn
            self.version = version
            self.at = at
        }
    }

    /// The version of them all: what a change has to name.
    public var version: Int
    public var decisions: [Topic: Decision]
    /// After how many days without a word a conversation is deleted; 0 keeps it.
    public var retentionDays: Int

    /// Notes decisions.
    public init(version: Int, decisions: [Topic: Decision], retentionDays: Int = 0) {
        self.version = version
        self.decisions = decisions
        self.retentionDays = retentionDays
    }

    /// Whether a switch is on; one that the server does not know is off.
    public subscript(topic: Topic) -> Bool { decisions[topic]?.isOn ?? false }

    /// Reads what the server says.
    init?(_ value: JSONValue) {
        guard let object = value.object, let version = object["version"]?.integer else { return nil }
        var decisions: [Topic: Decision] = [:]
        for topic in Topic.allCases {
            guard let record = object[topic.rawValue]?.object, let isOn = record["on"]?.bool else { continue }
            decisions[topic] = Decision(
                isOn: isOn, version: record["version"]?.integer ?? 0,
                at: record["at"]?.string.flatMap { Timestamp($0) })
        }
        self.init(
            version: version, decisions: decisions,
            retentionDays: object["retention_days"]?.object?["days"]?.integer ?? 0)
    }
}

/// One line of what happened to the account.
public struct AccountEvent: Equatable, Sendable {
    public var number: Int
    public var at: Timestamp
    /// The event's stable name: `signed-in`, `consent-changed`; an open list.
    public var name: String
    public var detail: String?

    init?(_ value: JSONValue) {
        guard let object = value.object, let number = object["number"]?.integer,
            let at = object["at"]?.string.flatMap({ Timestamp($0) }), let name = object["event"]?.string
        else { return nil }
        self.number = number
        self.at = at
        self.name = name
        detail = object["detail"]?.string
    }
}
