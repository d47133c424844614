package import RejoinCore

/// What a person decides about their words.
package enum ConsentTopic: String, Sendable, CaseIterable {
    /// Whether conversations may be used to improve models or the service.
    case improvement
    /// Whether new conversations are kept.
    case history
    /// Whether facts about the person may be remembered from one conversation to the next.
    case memory
    /// After how many days without a word a conversation is deleted; 0 keeps it.
    case retention

    /// What holds where nothing was ever decided: the most private value of each switch.
    ///
    /// An account begins with a decision on its history all the same: whoever makes an account says whether it keeps
    /// conversations.
    var standard: Int { 0 }

    /// The values that a topic can have.
    package var range: ClosedRange<Int> { self == .retention ? 0...36_500 : 0...1 }
}

/// One decision: its value, and the version and time of the record that holds it.
package struct ConsentRecord: Equatable, Sendable {
    package var topic: ConsentTopic
    /// 1 for on, 0 for off; days for the retention.
    package var value: Int
    /// The account's version that this record made; 0 where nothing was decided.
    package var version: Int
    /// Nil where nothing was decided.
    package var at: Timestamp?

    package init(topic: ConsentTopic, value: Int, version: Int = 0, at: Timestamp? = nil) {
        self.topic = topic
        self.value = value
        self.version = version
        self.at = at
    }
}

/// Everything that an account has decided, by its newest records.
package struct ConsentState: Equatable, Sendable {
    /// One for each topic, in their order.
    package var records: [ConsentRecord]

    /// What holds with these records, the newest of each topic.
    package init(_ newest: [ConsentRecord]) {
        records = ConsentTopic.allCases.map { topic in
            newest.first { $0.topic == topic } ?? ConsentRecord(topic: topic, value: topic.standard)
        }
    }

    /// Rises by one with each change; who changes something names the one that they saw.
    package var version: Int { records.map(\.version).max() ?? 0 }

    /// The value of a topic.
    package subscript(topic: ConsentTopic) -> Int { records.first { $0.topic == topic }?.value ?? topic.standard }
}

/// What changing a decision did.
package enum ConsentPut: Equatable, Sendable {
    case changed(ConsentState)
    /// Somebody else changed something since; nothing was written.
    case conflict(ConsentState)
}
