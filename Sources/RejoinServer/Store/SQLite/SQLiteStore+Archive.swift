package import RejoinCore

// The verbs of search, import and tasks; each is one transaction.
extension SQLiteStore {
    package func conversationIDs(of account: AccountID) async throws -> [ConversationID] {
        try await read { try $0.conversationIDs(of: account) }
    }

    package func importConversation(
        _ contents: ConversationContents, of account: AccountID, now: Timestamp
    ) async throws -> ImportOutcome {
        await waitForCheckpoint()
        return try await write { try $0.importConversation(contents, of: account, now: now) }
    }

    package func search(_ text: String, of account: AccountID, limit: Int) async throws -> [SearchHit] {
        try await read { try $0.search(text, of: account, limit: limit) }
    }

    package func settleSearch(maximumBytes: Int) async throws -> Bool {
        await waitForCheckpoint()
        return try await write { try $0.settleSearch(maximumBytes: maximumBytes) }
    }

    package func sweepSearch() async throws -> Bool {
        // Most of the time there is nothing to do, and then the writer is left alone.
        guard try await read({ try $0.owesSweep() }) else { return false }
        await waitForCheckpoint()
        return try await write { try $0.sweepSearch() }
    }

    package func createTask(_ task: TaskRecord) async throws -> Bool { try await write { try $0.createTask(task) } }

    package func updateTask(_ task: TaskRecord, now: Timestamp) async throws -> Bool {
        try await write { try $0.updateTask(task, now: now) }
    }

    package func task(_ id: TaskID, of account: AccountID) async throws -> TaskRecord? {
        try await read { try $0.task(id, of: account) }
    }

    package func tasks(of account: AccountID) async throws -> [TaskRecord] {
        try await read { try $0.tasks(of: account) }
    }

    package func deleteTask(_ id: TaskID, of account: AccountID, now: Timestamp) async throws -> Bool {
        try await write { try $0.deleteTask(id, of: account, now: now) }
    }

    package func unfinishedTasks() async throws -> [TaskRecord] { try await read { try $0.unfinishedTasks() } }

    package func tasks(endedBefore: Timestamp) async throws -> [TaskRecord] {
        try await read { try $0.tasks(endedBefore: endedBefore) }
    }
}
