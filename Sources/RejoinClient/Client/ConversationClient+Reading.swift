public import RejoinCore
import Synchronization

/// What a front shows, and what a person looks at.
extension ConversationClient {
    /// A conversation as it is to be shown now: what is stored, with the answers that are being written as far as they are.
    ///
    /// - Returns: nil if it is not here.
    public func tree(_ conversation: ConversationID) async throws -> StoredTree? {
        // Looked at before as well: an answer that ends in between is held by neither otherwise, and text would shrink.
        let before = live.folds(in: conversation)
        guard var tree = try await store.conversation(conversation) else { return nil }
        for fold in before + live.folds(in: conversation) {
            guard let stored = tree.answers[fold.id], fold.seq > stored.answer.seq,
                stored.answer.state.end == nil || fold.state.end != nil, stored.local != .stopRequested
            else { continue }
            tree.answers[fold.id]?.answer = fold
            if fold.state.end != nil { tree.answers[fold.id]?.local = .none }
        }
        return tree
    }

    /// An answer that is being written, as far as it has come; nil for one that is not.
    public func live(_ answer: AnswerID) -> Answer? { live.fold(answer) }

    /// A page of the list: pinned conversations first, then the newest.
    ///
    /// - Parameter before: the position of the last line of the page before.
    public func list(
        limit: Int = 50, before: ListPosition? = nil, includeArchived: Bool = false
    ) async throws -> [StoredConversation] {
        try await store.list(limit: limit, before: before, includeArchived: includeArchived)
    }

    /// Finds words in what this device holds.
    public func search(_ text: String, limit: Int = 20) async throws -> [SearchHit] {
        try await store.search(text, limit: limit)
    }

    /// What the person is writing; nil for the conversation that is yet to begin.
    public func draft(for conversation: ConversationID?) async throws -> Draft? {
        try await store.draft(for: conversation)
    }

    /// The limits that the server told last, with their age.
    public func limits() async throws -> LimitsSnapshot? { try await store.limits() }

    /// Asks the server for the limits.
    ///
    /// - Throws: ``ClientRefusal``.
    public func refreshLimits() async throws {
        guard usesNetwork else { throw ClientRefusal(.offline) }
        do {
            try await fetchLimits()
        } catch let error as ClientError {
            throw refusal(error)
        } catch is LocalStoreError {
            throw ClientRefusal(.notKept)
        }
    }

    /// Looks at a conversation: what is missing is fetched, and what is being written is followed.
    ///
    /// What is here already can be shown before this returns.
    ///
    /// - Throws: ``ClientRefusal``: `deleted`, `not-found`; `offline` where it was never fetched and cannot be now.
    public func open(_ conversation: ConversationID) async throws {
        state.withLock { _ = $0.open.insert(conversation) }
        do {
            let held = try await store.conversation(conversation)
            if held == nil, try await store.isDeleted(conversation) { throw ClientRefusal(.deleted) }
            if held?.conversation.isComplete != true {
                do {
                    try await fetchForPerson(conversation)
                } catch let refusal as ClientRefusal where held?.turns.isEmpty == false {
                    // There is something to show; the rest comes with the network.
                    if refusal.code != .offline { throw refusal }
                }
            }
            try await followUnfinished(in: conversation)
        } catch is LocalStoreError {
            throw ClientRefusal(.notKept)
        }
    }

    /// Looks away: what this device asked for goes on being followed, what another one did is not.
    ///
    /// A temporary conversation is closed, and nothing is left of it.
    public func leave(_ conversation: ConversationID) async throws {
        state.withLock { _ = $0.open.remove(conversation) }
        try await act {
            guard let line = try await keeping({ try await store.line(conversation) }), line.isTemporary else { return }
            await letGo(of: conversation)
            try await keeping { try await store.closeTemporary(conversation) }
            run(.delete, in: conversation)
            told(conversation)
        }
    }

    /// Asks the server for what a person waits for.
    ///
    /// - Throws: ``ClientRefusal``; `offline` too in the mode in which nothing is asked for.
    func ask<Value: Sendable>(_ call: (RejoinClient) async throws -> Value) async throws -> Value {
        guard usesNetwork else { throw ClientRefusal(.offline) }
        do { return try await call(client) } catch let error as ClientError { throw refusal(error) }
    }

    /// Fetches a conversation that a person waits for.
    func fetchForPerson(_ conversation: ConversationID) async throws {
        if tracker.isOffline || !usesNetwork { throw ClientRefusal(.offline) }
        do {
            try await fetch(conversation)
        } catch let error as ClientError {
            tracker.note(error)
            throw refusal(error)
        }
        if try await store.line(conversation) == nil { throw ClientRefusal(.notFound) }
    }

    private func refusal(_ error: ClientError) -> ClientRefusal {
        error.isTransient ? ClientRefusal(.offline) : ClientRefusal(error)
    }

    func fetchLimits() async throws {
        let items = try await client.limits()
        tracker.noteAnswer()
        try await store.saveLimits(LimitsSnapshot(items: items, asOf: now))
        hub.post(.limits)
    }

    /// Reads the limits at the start, when one refused, and when one lifts; never on every prompt.
    func refreshLimitsAlong() async {
        while !Task.isCancelled {
            let seen = limitsWake.count
            let better = tracker.better.count
            guard tracker.mayTry else {
                guard await pause(beyond: better, nil) else { return }
                continue
            }
            var wait: Duration?
            do {
                try await fetchLimits()
                let moment = now
                let next = try await store.limits()?.items.compactMap(\.resetsAt).filter { $0 > moment }.min()
                wait = next.map { .milliseconds($0.milliseconds - moment.milliseconds) }
            } catch {
                if Self.isOver(error) { return }
                if let error = error as? ClientError { tracker.note(error) }
                // They are shown with their age; there is no hurry.
                wait = .seconds(60)
            }
            do { try await limitsWake.wait(beyond: seen, atMost: wait, clock: clock) } catch { return }
        }
    }
}
