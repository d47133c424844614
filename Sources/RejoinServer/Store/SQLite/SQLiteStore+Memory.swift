package import RejoinCore

// The verbs about what is remembered; each is one transaction.

extension SQLiteStore {
    package func facts(of account: AccountID) async throws -> [Fact] { try await read { try $0.facts(of: account) } }

    package func fact(_ id: FactID, of account: AccountID) async throws -> Fact? {
        try await read { try $0.fact(id, of: account) }
    }

    package func remembers(_ conversation: ConversationID, of account: AccountID) async throws -> Bool {
        try await read { try $0.remembers(conversation, of: account) }
    }

    package func recall(for conversation: ConversationID, of account: AccountID) async throws -> [Fact] {
        try await read { try $0.recall(for: conversation, of: account) }
    }

    package func addFact(_ fact: Fact, of account: AccountID, isAsked: Bool, now: Timestamp) async throws -> FactPut {
        try await write { try $0.addFact(fact, of: account, isAsked: isAsked, now: now) }
    }

    package func proposeFacts(_ facts: [Fact], of account: AccountID, now: Timestamp) async throws -> [Fact] {
        try await write { try $0.proposeFacts(facts, of: account, now: now) }
    }

    package func changeFact(
        _ id: FactID, of account: AccountID, text: String?, accepts: Bool, now: Timestamp
    ) async throws -> FactChange {
        try await write { try $0.changeFact(id, of: account, text: text, accepts: accepts, now: now) }
    }

    package func deleteFact(_ id: FactID, of account: AccountID, now: Timestamp) async throws -> Bool {
        try await write { try $0.deleteFact(id, of: account, now: now) }
    }

    package func deleteFacts(of account: AccountID, now: Timestamp) async throws -> Int {
        try await write { try $0.deleteFacts(of: account, now: now) }
    }
}
