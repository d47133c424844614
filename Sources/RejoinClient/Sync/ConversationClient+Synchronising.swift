import RejoinCore
import Synchronization

extension ConversationClient {
    /// Keeps the store in step with the account's change feed for as long as the session lasts.
    ///
    /// A live change is a hint: what it means is fetched from the cursor on, as after any absence.
    func synchroniseAlong() async {
        var attempts = 0
        while !Task.isCancelled {
            let better = tracker.better.count
            guard tracker.mayTry else {
                guard await pause(beyond: better, nil) else { return }
                continue
            }
            do {
                let cursor = try await catchUp()
                let age = Stopwatch(clock)
                let failure = try await listen(after: cursor)
                tracker.note(failure)
                // A line that breaks as soon as it is open is no success.
                if age.elapsed > .seconds(5) { attempts = 0 }
                attempts += 1
                let delay = retryDelay(attempts, failure)
                guard await pause(beyond: tracker.better.count, delay) else { return }
            } catch let error as ClientError {
                tracker.note(error)
                attempts += 1
                let isGone = error.code == ClientError.Code(.cursorExpired)
                guard await pause(beyond: tracker.better.count, isGone ? .zero : retryDelay(attempts, error)) else {
                    return
                }
            } catch {
                if Self.isOver(error) { return }
                attempts += 1
                guard await pause(beyond: tracker.better.count, retryDelay(attempts, nil)) else { return }
            }
        }
    }

    private func retryDelay(_ attempts: Int, _ error: ClientError?) -> Duration {
        configuration.retry.delay(attempt: attempts, retryAfter: error?.retryAfter, random: client.ids.random())
    }

    /// Fetches after each hint, until the line breaks.
    ///
    /// - Returns: why it broke.
    private func listen(after cursor: Int) async throws -> ClientError {
        let feed = client.liveChanges(after: cursor, policy: configuration.retry)
        defer { feed.close() }
        while true {
            switch try await feed.next() {
            case .connected: tracker.noteAnswer()
            case .changes: _ = try await catchUp()
            case .waiting(_, _, let error): return error
            }
        }
    }

    /// Takes in everything up to now.
    ///
    /// - Returns: the cursor to listen from.
    func catchUp() async throws -> Int {
        var sync = try await store.syncState()
        if sync.listedAt == nil { sync = try await listAll(isReset: false) }
        while true {
            let page: Changes
            do {
                page = try await client.changes(after: sync.cursor)
            } catch let error as ClientError where error.code == ClientError.Code(.cursorExpired) {
                sync = try await listAll(isReset: true)
                continue
            }
            tracker.noteAnswer()
            if !page.changes.isEmpty {
                try await take(page.changes)
                // Only now: what was not taken in is asked for again after a kill.
                sync.cursor = page.cursor
                try await store.setSyncState(sync)
            }
            guard page.hasMore, !page.changes.isEmpty else { return sync.cursor }
        }
    }

    /// Reads the whole list: the first time, or when the feed no longer reaches back to where this device was.
    private func listAll(isReset: Bool) async throws -> SyncState {
        let begun = now
        var listed: Set<ConversationID> = []
        var cursor: Int?
        var next: String?
        repeat {
            let page = try await client.conversations(limit: configuration.pageSize, before: next)
            tracker.noteAnswer()
            // The first page's: a change while the rest is read is then seen again, never missed.
            cursor = cursor ?? page.cursor
            listed.formUnion(page.items.map(\.id))
            try await store.merge(page.items.map(ServerConversation.init))
            hub.post(.list)
            next = page.next
        } while next != nil
        // The list does not say which of the conversations that are held in full have more in them now, and the feed
        // from here on not where the server put what this device sent before.
        let held = try await completeConversations()
        if isReset { try await store.resetForCursorExpired(keeping: listed, listedAt: begun) }
        for conversation in held where listed.contains(conversation) { try await fetch(conversation) }
        let sync = SyncState(cursor: cursor ?? 0, listedAt: now)
        try await store.setSyncState(sync)
        return sync
    }

    private func completeConversations() async throws -> [ConversationID] {
        var complete: [ConversationID] = []
        var position: ListPosition?
        while true {
            let lines = try await store.list(
                limit: configuration.pageSize, before: position, includeArchived: true)
            complete += lines.filter(\.isComplete).map(\.id)
            guard let last = lines.last, lines.count == configuration.pageSize else { return complete }
            position = last.position
        }
    }

    /// Takes in a stretch of the feed.
    private func take(_ changes: [Change]) async throws {
        let plan = SyncPlan(changes, knowing: try await knowledge(of: changes))
        try await store.noteArrivals(of: plan.arrivals)
        for conversation in plan.deletions { try await forget(conversation) }
        for conversation in plan.trees { try await fetch(conversation) }
        for answer in plan.answers { try await fetch(answer) }
        let open = state.withLock { $0.open }
        for conversation in plan.lines where open.contains(conversation) { try await fetch(conversation) }
        try await fetch(lines: plan.lines.filter { !open.contains($0) })
        if plan.limits { limitsWake.call() }
        if plan.consent { await adoptConsent() }
    }

    /// Fetches a conversation with all its turns, and follows what is being written if it is looked at.
    func fetch(_ conversation: ConversationID) async throws {
        do {
            let turnover = turnover(of: conversation)
            let fetched = try await client.conversation(conversation)
            tracker.noteAnswer()
            guard try await merge(ServerTree(fetched), askedFor: turnover) == .merged else { return }
            hub.post([.conversation(conversation), .list])
            if state.withLock({ $0.open.contains(conversation) }) { try await followUnfinished(in: conversation) }
        } catch let error as ClientError where error.isAbsence {
            try await forget(conversation)
        }
    }

    private func fetch(_ answer: AnswerID) async throws {
        do {
            let fetched = try await client.answer(answer)
            tracker.noteAnswer()
            try await store.replace(fetched)
            hub.post(.answer(answer))
        } catch let error as ClientError where error.isAbsence {
            // Its conversation went; the feed says so further on.
            return
        }
    }

    /// Fetches lines of the list: one by one, or by the page where there are many.
    private func fetch(lines: [ConversationID]) async throws {
        guard lines.count > 8 else {
            for line in lines {
                do { try await fetchLine(of: line) } catch let error as ClientError where error.isAbsence {
                    try await forget(line)
                }
            }
            if !lines.isEmpty { hub.post(lines.map(ClientUpdate.conversation) + [.list]) }
            return
        }
        var missing = Set(lines)
        var next: String?
        repeat {
            let turnovers = state.withLock { $0.turnovers }
            let page = try await client.conversations(limit: configuration.pageSize, before: next)
            tracker.noteAnswer()
            let wanted = page.items.filter { missing.contains($0.id) }
            // One by one: a page says where their paths end as well.
            for line in wanted { try await merge(line, askedFor: turnovers[line.id] ?? 0) }
            missing.subtract(wanted.map(\.id))
            next = page.next
        } while next != nil && !missing.isEmpty
        // What is not listed any more was deleted: the feed says so further on.
        hub.post(lines.map(ClientUpdate.conversation) + [.list])
    }

    /// Looks up what decides whether changes need a fetch.
    private func knowledge(of changes: [Change]) async throws -> SyncPlan.Knowledge {
        var holdings: [ConversationID: SyncPlan.Holding] = [:]
        var turns: Set<TurnID> = []
        var answers: [AnswerID: Bool] = [:]
        for change in changes {
            if let conversation = change.conversation, holdings[conversation] == nil {
                holdings[conversation] = try await holding(conversation)
            }
            if change.kind == "turn", let turn = TurnID(change.id), try await store.turn(turn)?.delivery == .delivered {
                turns.insert(turn)
            }
            if change.kind == "answer", let answer = AnswerID(change.id), let held = try await store.answer(answer) {
                // A line whose words nobody is to see brings no end either.
                answers[answer] = held.answer.state.end != nil || isFollowed(answer) && !live.isSealed(answer)
            }
        }
        return SyncPlan.Knowledge(
            holding: { [holdings] in holdings[$0] ?? .none }, hasTurn: { [turns] in turns.contains($0) },
            isSettled: { [answers] in answers[$0] ?? false }, hasAnswer: { [answers] in answers[$0] != nil })
    }

    private func holding(_ conversation: ConversationID) async throws -> SyncPlan.Holding {
        if try await store.isDeleted(conversation) { return .deleted }
        guard let line = try await store.line(conversation) else { return .none }
        return line.isComplete ? .tree : .line
    }

    /// Follows what is being written in a conversation, whoever asked for it.
    func followUnfinished(in conversation: ConversationID) async throws {
        guard let tree = try await store.conversation(conversation) else { return }
        for stored in tree.answers.values where stored.answer.state.end == nil {
            switch stored.local {
            case .sending, .waiting, .withdrawn: continue
            case .stopRequested:
                // The server was told, or will be: all that is missing is how it ended.
                continue
            case .none, .streaming, .interrupted:
                guard tree.turn(stored.answer.turn)?.delivery == .delivered else { continue }
                follow(stored.answer, in: conversation)
            }
        }
    }
}

extension ClientError {
    /// Whether the server says that there is no such thing, or not any more.
    var isAbsence: Bool { code == Code(.notFound) || code == Code(.deleted) }
}

extension ServerConversation {
    init(_ summary: ConversationSummary) {
        self.init(
            id: summary.id, title: summary.title, updatedAt: summary.updatedAt, isPinned: summary.isPinned,
            isArchived: summary.isArchived)
    }
}

extension ServerTree {
    init(_ conversation: Conversation) {
        let turns = conversation.tree.turns.map { turn in
            let detail = conversation.turnDetails[turn.id]
            return ServerTurn(
                id: turn.id, parent: turn.parent, content: turn.content, model: detail?.model ?? "auto",
                createdAt: detail?.createdAt, answers: turn.answers.compactMap { conversation.answers[$0] })
        }
        self.init(
            conversation: ServerConversation(conversation.summary), turns: turns,
            selected: conversation.summary.selected)
    }
}
