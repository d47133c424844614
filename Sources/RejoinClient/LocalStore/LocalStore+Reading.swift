public import RejoinCore
internal import SQLite

extension LocalStore {
    /// A page of the list: pinned conversations first, then the newest; temporary ones are never in it.
    ///
    /// - Parameter before: the position of the last line of the page before.
    public func list(
        limit: Int = 50, before: ListPosition? = nil, includeArchived: Bool = false
    ) async throws -> [StoredConversation] {
        let lines = try await read {
            try $0.list(limit: limit, before: before, includesArchived: includeArchived)
        }
        guard usesMemory else { return lines }
        let others = try await read(.memory) {
            try $0.list(limit: limit, before: before, includesArchived: includeArchived)
        }
        if others.isEmpty { return lines }
        return Array((lines + others).sorted { $0.position.precedes($1.position) }.prefix(limit))
    }

    /// The temporary conversations that are open.
    public func temporaryConversations() async throws -> [StoredConversation] {
        let ids = conversationsInMemory
        if ids.isEmpty { return [] }
        let all = try await read(.memory) { transaction in try ids.compactMap { try transaction.conversation($0) } }
        return all.filter(\.isTemporary).sorted { $0.position.precedes($1.position) }
    }

    /// A conversation with all that is held of it; nil if it is not here.
    public func conversation(_ id: ConversationID) async throws -> StoredTree? {
        try await read(place(of: id)) { try $0.tree(of: id) }
    }

    /// The line of a conversation in the list; nil if it is not here.
    public func line(_ id: ConversationID) async throws -> StoredConversation? {
        try await read(place(of: id)) { try $0.conversation(id) }
    }

    /// The path of a conversation that is shown, first turn first, without what is beside it.
    ///
    /// - Parameter limit: how many steps at most, counted from its end.
    public func path(
        _ id: ConversationID, limit: Int = .max
    ) async throws -> [PathStep] {
        try await read(place(of: id)) { try $0.path(of: id, limit: limit) }
    }

    /// A turn with its text; nil if it is not here.
    public func turn(_ id: TurnID) async throws -> StoredTurn? {
        try await read(place(of: id)) { try $0.turn(id) }
    }

    /// Finds words in prompts, answers and titles, the newest first.
    ///
    /// All words must be there, whatever their case and accents; the last one may be the beginning of a word. In
    /// scripts without spaces any stretch of characters is found.
    public func search(_ text: String, limit: Int = 20) async throws -> [SearchHit] {
        let query = SearchQuery(text)
        let hits = try await read { try $0.search(query, limit: limit) }
        guard usesMemory else { return hits }
        let others = try await read(.memory) { try $0.search(query, limit: limit) }
        return Array((others + hits).prefix(limit))
    }

    /// What a person is writing; nil for the conversation that is yet to begin.
    public func draft(for conversation: ConversationID?) async throws -> Draft? {
        try await read(placeOfDraft(conversation)) { try $0.draft(of: conversation) }
    }

    /// Keeps what a person is writing; an empty text is forgotten.
    public func saveDraft(_ draft: Draft) async throws {
        try await write(placeOfDraft(draft.conversation)) { try $0.saveDraft(draft) }
    }

    private func placeOfDraft(_ conversation: ConversationID?) -> Place {
        conversation.map(place) ?? (keepsHistory ? .file : .memory)
    }
}
