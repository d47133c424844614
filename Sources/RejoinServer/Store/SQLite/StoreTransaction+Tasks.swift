internal import RejoinCore
internal import SQLite

extension StoreTransaction {
    private static let columns = """
        id, account, kind, state, reason, done, total, report, result_bytes, created_at, ended_at
        """

    private static func task(_ row: borrowing Row) throws(SQLiteFailure) -> TaskRecord {
        guard let kind = TaskRecord.Kind(rawValue: row.text(2)), let state = TaskRecord.State(rawValue: row.text(3))
        else { throw .corrupt("an unknown kind or state of a task") }
        var task = TaskRecord(id: try row.id(0), account: try row.id(1), kind: kind, createdAt: row.time(9))
        task.state = state
        task.reason = row.optionalText(4)
        task.done = row.integer(5)
        task.total = row.optionalInteger(6)
        task.report = row.isNull(7) ? nil : row.bytes(7)
        task.resultBytes = row.optionalInteger(8)
        task.endedAt = row.optionalTime(10)
        return task
    }

    func createTask(_ task: TaskRecord) throws -> Bool {
        if try connection.exists("SELECT 1 FROM task WHERE id = ?", .id(task.id)) { return false }
        try connection.run(
            "INSERT INTO task (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", .id(task.id),
            .id(task.account), .text(task.kind.rawValue), .text(task.state.rawValue), .optional(task.reason),
            .integer(task.done), .optional(task.total), task.report.map { .bytes($0) } ?? .null,
            .optional(task.resultBytes), .time(task.createdAt), task.endedAt.map { .time($0) } ?? .null)
        try feed(.task, task.id, of: task.account, conversation: nil, at: task.createdAt)
        return true
    }

    func updateTask(_ task: TaskRecord, now: Timestamp) throws -> Bool {
        let changed = try connection.run(
            """
            UPDATE task SET state = ?, reason = ?, done = ?, total = ?, report = ?, result_bytes = ?, ended_at = ?
            WHERE id = ? AND account = ?
            """, .text(task.state.rawValue), .optional(task.reason), .integer(task.done), .optional(task.total),
            task.report.map { .bytes($0) } ?? .null, .optional(task.resultBytes),
            task.endedAt.map { .time($0) } ?? .null, .id(task.id), .id(task.account))
        guard changed > 0 else { return false }
        try feed(.task, task.id, of: task.account, conversation: nil, at: now)
        return true
    }

    func task(_ id: TaskID, of account: AccountID) throws -> TaskRecord? {
        try connection.first(
            "SELECT \(Self.columns) FROM task WHERE id = ? AND account = ?", .id(id), .id(account), read: Self.task)
    }

    func tasks(of account: AccountID) throws -> [TaskRecord] {
        try connection.all(
            "SELECT \(Self.columns) FROM task WHERE account = ? ORDER BY created_at, id", .id(account),
            read: Self.task)
    }

    func deleteTask(_ id: TaskID, of account: AccountID, now: Timestamp) throws -> Bool {
        let gone = try connection.run("DELETE FROM task WHERE id = ? AND account = ?", .id(id), .id(account))
        guard gone > 0 else { return false }
        try feed(.task, id, of: account, conversation: nil, .delete, at: now)
        return true
    }

    func unfinishedTasks() throws -> [TaskRecord] {
        try connection.all(
            "SELECT \(Self.columns) FROM task WHERE ended_at IS NULL ORDER BY created_at, id", read: Self.task)
    }

    func tasks(endedBefore: Timestamp) throws -> [TaskRecord] {
        try connection.all(
            "SELECT \(Self.columns) FROM task WHERE ended_at < ? ORDER BY created_at, id", .time(endedBefore),
            read: Self.task)
    }
}
