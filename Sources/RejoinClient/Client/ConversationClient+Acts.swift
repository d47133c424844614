public import RejoinCore
import Synchronization

/// What a person does: each returns once it is kept on this device.
///
/// Each throws ``ClientRefusal`` where it cannot be done, and then nothing has changed.
extension ConversationClient {
    /// Sends a prompt: it is kept and shown before any of it goes out.
    ///
    /// - Parameters:
    ///   - conversation: nil begins a new one.
    ///   - parent: what it continues.
    ///   - temporary: whether a new conversation is one that leaves nothing behind.
    /// - Throws: ``ClientRefusal``: `offline` where nothing is queued, `answer-running` while the answer that it
    ///   continues is being written, `unauthenticated`, `not-found`, `deleted`, `invalid-request` for no words,
    ///   `not-kept`. The draft stays.
    @discardableResult
    public func send(
        _ content: [ContentPart], in conversation: ConversationID?, parent: ParentChoice = .selected,
        model: String = "auto", temporary: Bool = false
    ) async throws -> Sent {
        if let conversation { try await ensureHeld(conversation) }
        return try await act {
            var tree: StoredTree?
            if let conversation { tree = try await requiredTree(conversation) }
            let parent: AnswerID? =
                switch parent {
                case .none: nil
                case .answer(let answer): answer
                case .selected: tree?.parentOfNextTurn
                }
            return try await begin(content, in: conversation, tree, parent: parent, model: model, temporary: temporary)
        }
    }

    /// Sends words.
    @discardableResult
    public func send(
        _ text: String, in conversation: ConversationID?, parent: ParentChoice = .selected, model: String = "auto",
        temporary: Bool = false
    ) async throws -> Sent {
        try await send([.text(text)], in: conversation, parent: parent, model: model, temporary: temporary)
    }

    /// Sends a prompt in place of an earlier one: a branch beside it, which stays reachable.
    @discardableResult
    public func edit(_ turn: TurnID, _ content: [ContentPart], model: String? = nil) async throws -> Sent {
        try await act {
            let (old, tree) = try await requiredTurn(turn)
            return try await begin(
                content, in: old.conversation, tree, parent: old.parent, model: model ?? old.model, temporary: false)
        }
    }

    /// Asks for another answer to a turn, beside those it has.
    ///
    /// - Throws: as ``send(_:in:parent:model:temporary:)-swift.method``.
    @discardableResult
    public func regenerate(_ turn: TurnID) async throws -> AnswerID {
        try await act { try await beginAnswer(to: turn) }
    }

    /// Tries a turn again: under its own id if the server never got it, and with another answer if it did.
    ///
    /// - Returns: the answer that is asked for.
    @discardableResult
    public func retry(_ turn: TurnID) async throws -> AnswerID {
        try await act {
            let (stored, tree) = try await requiredTurn(turn)
            guard stored.delivery.isDead else { return try await beginAnswer(to: turn) }
            let delivery = try delivery(behind: nil)
            let answer = try await keeping { try await store.resend(turn, as: delivery, at: now) }
            guard let answer else { throw ClientRefusal(.notFound) }
            state.withLock { _ = $0.unseen.insert(turn) }
            if tree.conversation.isTemporary { sendDirectly(stored, answer: answer) }
            try await showEverywhere(answer, in: tree)
            told(stored.conversation)
            return answer
        }
    }

    /// Stops an answer: what is shown stays, and nothing is added.
    ///
    /// Harmless when repeated and when it has ended. Without a connection the server is told when there is one.
    public func stop(_ answer: AnswerID) async throws {
        try await act { try await stopNow(answer) }
    }

    /// Shows the path that leads to an answer, here and on the person's other devices.
    public func select(_ answer: AnswerID) async throws {
        try await act {
            let (stored, tree) = try await requiredAnswer(answer)
            guard try await keeping({ try await store.select(answer, at: now) }) else {
                throw ClientRefusal(.notFound)
            }
            if tree.conversation.isTemporary { run(.select(stored.answer.id), in: tree.conversation.id) }
            told(tree.conversation.id)
        }
    }

    /// Gives a conversation a title, which only a person changes.
    public func rename(_ conversation: ConversationID, to title: String) async throws {
        // As the server keeps it: one line without space around it.
        let title = title.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(200)
        guard !title.isEmpty else { throw ClientRefusal(.invalid) }
        try await change(conversation) { try await store.rename(conversation, to: String(title), at: now) }
    }

    /// Keeps a conversation at the top of the list, or no longer.
    public func pin(_ conversation: ConversationID, _ isPinned: Bool = true) async throws {
        try await change(conversation) { try await store.setPinned(isPinned, conversation, at: now) }
    }

    /// Puts a conversation out of the list, or back.
    public func archive(_ conversation: ConversationID, _ isArchived: Bool = true) async throws {
        try await change(conversation) { try await store.setArchived(isArchived, conversation, at: now) }
    }

    /// Deletes a conversation here at once, and everywhere; what is being written in it is stopped first.
    public func delete(_ conversation: ConversationID) async throws {
        try await act {
            guard let line = try await keeping({ try await store.line(conversation) }) else {
                throw ClientRefusal(.notFound)
            }
            await letGo(of: conversation)
            try await keeping { try await store.delete(conversation, at: now) }
            // What set out in between has nowhere to go.
            await letGo(of: conversation)
            if line.isTemporary { run(.delete, in: conversation) }
            told(conversation)
        }
    }

    /// Deletes every conversation of the account.
    public func deleteAll() async throws {
        try await act {
            await letGo(of: nil)
            try await keeping { try await store.deleteAll(at: now) }
            await letGo(of: nil)
            outboxWake.call()
            hub.post(.list)
        }
    }

    /// Takes back a prompt that has not been sent; its words go back into the draft.
    ///
    /// - Throws: `not-found` for a prompt that is on its way or further.
    public func cancelWaiting(_ turn: TurnID) async throws {
        try await act {
            let (stored, _) = try await requiredTurn(turn)
            guard try await takeBack(stored) else { throw ClientRefusal(.notFound) }
            told(stored.conversation)
        }
    }

    /// Keeps what a person is writing.
    public func saveDraft(
        _ text: String, for conversation: ConversationID?, editing turn: TurnID? = nil
    ) async throws {
        try await keeping {
            try await store.saveDraft(
                Draft(conversation: conversation, text: text, editing: turn, updatedAt: now))
        }
    }
}
