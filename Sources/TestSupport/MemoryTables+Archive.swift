internal import RejoinCore
internal import RejoinServer

extension MemoryTables {
    mutating func deleteAccount(_ id: AccountID, now: Timestamp) throws -> [AnswerID]? {
        guard accounts[id] != nil else { return nil }
        let unfinished = try deleteConversations(of: id, now: now)
        accounts[id] = nil
        sessions.removeAll { $0.record.account == id }
        codes = codes.filter { $0.value.account != id }
        tasks = tasks.filter { $0.value.account != id }
        feeds[id] = nil
        consents[id] = nil
        audits[id] = nil
        keptFacts.removeAll { $0.account == id }
        declined[id] = nil
        passkeys.removeAll { $0.account == id }
        identities.removeAll { $0.account == id }
        charges = charges.filter { $0.value.account != id }
        familiar = familiar.filter { $0.key.account != id }
        invites = invites.filter { $0.value.maker != id }
        keepAnOwner()
        return unfinished
    }

    mutating func importConversation(
        _ contents: ConversationContents, of account: AccountID, now: Timestamp
    ) throws -> ImportOutcome {
        let new = contents.conversation
        switch conversation(new.id, of: account) {
        case .deleted: return .deleted
        case .notFound: if conversations[new.id] != nil || deletedConversations[new.id] != nil { return .taken }
        case .found: break
        }
        let isNew = conversations[new.id] == nil
        for turn in contents.turns {
            let old = turns.first { $0.record.id == turn.id }
            if deletedTurns[turn.id] != nil || (old != nil && old?.record.conversation != new.id) { return .taken }
        }
        for answer in contents.answers {
            let old = answers.first { $0.id == answer.id }
            if deletedAnswers[answer.id] != nil || (old != nil && old?.turn != answer.turn) { return .taken }
        }
        let addedTurns = contents.turns.filter { turn in !turns.contains { $0.record.id == turn.id } }
        let addedAnswers = contents.answers.filter { answer in !answers.contains { $0.id == answer.id } }
        let answered = Set(addedAnswers.map(\.turn))
        guard addedTurns.allSatisfy({ answered.contains($0.id) }) else { return .taken }
        if addedTurns.isEmpty, addedAnswers.isEmpty, !isNew { return .imported(isNew: false, turns: 0, answers: 0) }
        if isNew {
            var record = new
            record.selected = nil
            conversations[new.id] = Owned(account: account, record: record)
            try feed(.conversation, new.id, of: account, conversation: new.id, at: new.createdAt)
        }
        turns += addedTurns.map { Owned(account: account, record: $0) }
        for var answer in addedAnswers {
            answer.account = account
            answer.endedAt = answer.endedAt ?? answer.startedAt
            answer.seq = max(1, answer.seq)
            answers.append(answer)
            logs[answer.id] = []
            compacted.insert(answer.id)
        }
        if let old = conversations[new.id]?.record {
            conversations[new.id]?.record.selected = old.selected ?? new.selected
            conversations[new.id]?.record.updatedAt = max(old.updatedAt, new.updatedAt)
        }
        if !isNew {
            for turn in addedTurns { try feed(.turn, turn.id, of: account, conversation: new.id, at: now) }
            for answer in addedAnswers { try feed(.answer, answer.id, of: account, conversation: new.id, at: now) }
        }
        try feed(.conversation, new.id, of: account, conversation: new.id, at: now)
        return .imported(isNew: isNew, turns: addedTurns.count, answers: addedAnswers.count)
    }

    // MARK: Search

    func search(_ text: String, of account: AccountID, limit: Int) -> [SearchHit] {
        let matcher = PassageMatcher(text)
        let mine = conversations.filter { $0.value.account == account && !$0.value.record.isTemporary }
        func title(_ id: ConversationID) -> String? { mine[id]?.record.title }
        var titles: [(hit: SearchHit, body: String)] = []
        for (id, owned) in mine {
            guard let title = owned.record.title else { continue }
            titles.append(
                (SearchHit(kind: .title, conversation: id, title: title, at: owned.record.createdAt), title))
        }
        var messages: [(hit: SearchHit, body: String)] = []
        for turn in turns.map(\.record) where mine[turn.conversation] != nil {
            let hit = SearchHit(
                kind: .prompt, conversation: turn.conversation, title: title(turn.conversation), turn: turn.id,
                at: turn.createdAt)
            messages.append((hit, ContentPart.text(of: turn.content)))
        }
        for answer in answers where mine[answer.conversation] != nil && answer.end != nil {
            let hit = SearchHit(
                kind: .answer, conversation: answer.conversation, title: title(answer.conversation),
                turn: answer.turn, answer: answer.id, at: answer.startedAt)
            messages.append((hit, ContentPart.text(of: answer.content)))
        }
        var found: [RankedHit] = []
        for (passages, most) in [(titles, 40), (messages, 120)] {
            let matching = passages.filter { matcher.match($0.body) != nil }.sorted { $0.hit.at > $1.hit.at }
            for (place, passage) in matching.prefix(most).enumerated() {
                guard let match = matcher.match(passage.body) else { continue }
                var ranked = RankedHit(hit: passage.hit, score: match.score, key: passage.hit.at.milliseconds)
                ranked.score += RankedHit.bonus(isTitle: passage.hit.kind == .title, place: place, of: most)
                ranked.hit.excerpt = Excerpt(of: passage.body, around: match.ranges)
                found.append(ranked)
            }
        }
        return RankedHit.best(found, limit: limit)
    }

    // MARK: Tasks

    mutating func createTask(_ task: TaskRecord) throws -> Bool {
        guard tasks[task.id] == nil else { return false }
        try feed(.task, task.id, of: task.account, conversation: nil, at: task.createdAt)
        tasks[task.id] = task
        return true
    }

    mutating func updateTask(_ task: TaskRecord, now: Timestamp) throws -> Bool {
        guard let old = tasks[task.id], old.account == task.account else { return false }
        tasks[task.id] = task
        tasks[task.id]?.createdAt = old.createdAt
        try feed(.task, task.id, of: task.account, conversation: nil, at: now)
        return true
    }

    mutating func deleteTask(_ id: TaskID, of account: AccountID, now: Timestamp) throws -> Bool {
        guard tasks[id]?.account == account else { return false }
        tasks[id] = nil
        try feed(.task, id, of: account, conversation: nil, .delete, at: now)
        return true
    }

    func tasks(_ belongs: (TaskRecord) -> Bool) -> [TaskRecord] {
        tasks.values.filter(belongs).sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }
}
