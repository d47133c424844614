public import RejoinCore

/// What a person does to a conversation: done here at once, and noted for the server.
///
/// Each returns false if the thing is not here.
extension LocalStore {
    /// Shows the path that ends with an answer.
    @discardableResult
    public func select(_ answer: AnswerID, at time: Timestamp) async throws -> Bool {
        try await write(place(of: answer)) { try $0.choose(answer, at: time) }
    }

    /// Gives a conversation the title that a person chose.
    @discardableResult
    public func rename(
        _ conversation: ConversationID, to title: String, at time: Timestamp
    ) async throws -> Bool {
        try await write(place(of: conversation)) { try $0.rename(conversation, to: title, at: time) }
    }

    /// Gives a conversation a title, unless the one it has is stronger.
    @discardableResult
    public func retitle(
        _ conversation: ConversationID, _ title: Title, at time: Timestamp
    ) async throws -> Bool {
        try await write(place(of: conversation)) { transaction in
            guard let key = try transaction.key(of: conversation), try transaction.retitle(key, title, at: time) else {
                return false
            }
            transaction.touch(conversation)
            return true
        }
    }

    /// Keeps a conversation at the top of the list, or no longer.
    @discardableResult
    public func setPinned(
        _ isPinned: Bool, _ conversation: ConversationID, at time: Timestamp
    ) async throws -> Bool {
        try await write(place(of: conversation)) { try $0.setPinned(isPinned, conversation, at: time) }
    }

    /// Takes a conversation out of the list that is shown, or puts it back.
    @discardableResult
    public func setArchived(
        _ isArchived: Bool, _ conversation: ConversationID, at time: Timestamp
    ) async throws -> Bool {
        try await write(place(of: conversation)) { try $0.setArchived(isArchived, conversation, at: time) }
    }

    /// Deletes a conversation: it is gone from this device at once and for good.
    ///
    /// Its words leave the file soon after, in steps that nothing waits for.
    @discardableResult
    public func delete(_ conversation: ConversationID, at time: Timestamp) async throws -> Bool {
        let place = place(of: conversation)
        let isDeleted = try await write(place) { try $0.delete(conversation, at: time) }
        leaveMemory(conversation)
        return isDeleted
    }

    /// Deletes every conversation.
    public func deleteAll(at time: Timestamp) async throws {
        let inMemory = conversationsInMemory
        try await write { try $0.deleteAll(at: time) }
        if inMemory.isEmpty { return }
        try await write(.memory) { try $0.removeEverything(at: time) }
        for id in inMemory { leaveMemory(id) }
    }

    /// Closes a temporary conversation, of which nothing is left then.
    public func closeTemporary(_ conversation: ConversationID) async throws {
        guard place(of: conversation) == .memory else { return }
        try await write(.memory) { try $0.removeContent(of: conversation) }
        leaveMemory(conversation)
    }
}
