internal import RejoinCore
internal import RejoinServer

// What is remembered about people, searched from end to end.

extension MemoryTables {
    func facts(of account: AccountID) -> [Fact] {
        keptFacts.filter { $0.account == account }.map(\.record)
            .sorted { ($0.updatedAt, $0.id) > ($1.updatedAt, $1.id) }
    }

    func fact(_ id: FactID, of account: AccountID) -> Fact? { facts(of: account).first { $0.id == id } }

    func remembers(_ conversation: ConversationID, of account: AccountID) -> Bool {
        guard case .found(let record) = self.conversation(conversation, of: account) else { return false }
        return !record.isTemporary && record.usesMemory && consent(of: account)[.memory] != 0
    }

    func recall(for conversation: ConversationID, of account: AccountID) -> [Fact] {
        remembers(conversation, of: account) ? Fact.given(facts(of: account).filter(\.isAccepted)) : []
    }

    mutating func addFact(_ fact: Fact, of account: AccountID, isAsked: Bool, now: Timestamp) throws -> FactPut {
        if isAsked, consent(of: account)[.memory] == 0 { return .off }
        if let known = keptFacts.first(where: { $0.record.id == fact.id }) {
            if known.account != account || (isAsked && known.record.key != fact.key) { return .taken }
            return .known(known.record)
        }
        let mine = facts(of: account)
        if let known = mine.first(where: { $0.key == fact.key }) { return .known(known) }
        if mine.count >= Fact.mostKept { return .full }
        declined[account]?.remove(fact.key)
        return .added(try insert(fact, of: account, now: now))
    }

    mutating func proposeFacts(_ proposed: [Fact], of account: AccountID, now: Timestamp) throws -> [Fact] {
        try proposed.compactMap { fact in
            let mine = facts(of: account)
            guard let origin = fact.origin, remembers(origin.conversation, of: account), mine.count < Fact.mostKept,
                !mine.contains(where: { $0.key == fact.key }), declined[account]?.contains(fact.key) != true,
                !keptFacts.contains(where: { $0.record.id == fact.id })
            else { return nil }
            return try insert(fact, of: account, now: now)
        }
    }

    private mutating func insert(_ fact: Fact, of account: AccountID, now: Timestamp) throws -> Fact {
        var fact = fact
        let isHere = turns.contains {
            $0.account == account && $0.record.id == fact.origin?.turn
                && $0.record.conversation == fact.origin?.conversation
        }
        if !isHere { fact.origin = nil }
        keptFacts.append(Owned(account: account, record: fact))
        try feed(.memory, fact.id, of: account, conversation: nil, at: now)
        return fact
    }

    mutating func changeFact(
        _ id: FactID, of account: AccountID, text: String?, accepts: Bool, now: Timestamp
    ) throws -> FactChange {
        guard let position = keptFacts.firstIndex(where: { $0.account == account && $0.record.id == id }) else {
            return .notFound
        }
        let old = keptFacts[position].record
        let new = old.changed(text: text, accepts: accepts, now: now)
        if new == old { return .changed(old) }
        if let known = facts(of: account).first(where: { $0.id != id && $0.key == new.key }) { return .known(known) }
        keptFacts[position].record = new
        try feed(.memory, id, of: account, conversation: nil, at: now)
        return .changed(new)
    }

    mutating func deleteFact(_ id: FactID, of account: AccountID, now: Timestamp) throws -> Bool {
        guard let fact = fact(id, of: account) else { return false }
        declined[account, default: []].insert(fact.key)
        keptFacts.removeAll { $0.record.id == id }
        try feed(.memory, id, of: account, conversation: nil, .delete, at: now)
        return true
    }

    mutating func deleteFacts(of account: AccountID, now: Timestamp) throws -> Int {
        let going = facts(of: account)
        keptFacts.removeAll { $0.account == account }
        declined[account] = nil
        for fact in going { try feed(.memory, fact.id, of: account, conversation: nil, .delete, at: now) }
        if !going.isEmpty { audit(.memoryEmptied, nil, of: account, at: now) }
        return going.count
    }

    mutating func forget(_ conversation: ConversationID, of account: AccountID, now: Timestamp) throws {
        let learned = facts(of: account).filter { $0.origin?.conversation == conversation && $0.source == .model }
        for id in learned.map(\.id).sorted() {
            keptFacts.removeAll { $0.record.id == id }
            try feed(.memory, id, of: account, conversation: nil, .delete, at: now)
        }
        for position in keptFacts.indices where keptFacts[position].record.origin?.conversation == conversation {
            keptFacts[position].record.origin = nil
        }
    }
}
