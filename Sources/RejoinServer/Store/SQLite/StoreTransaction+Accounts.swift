internal import RejoinCore
internal import SQLite

extension StoreTransaction {
    func createAccount(_ account: AccountRecord, keepsHistory: Bool) throws -> Bool {
        let isTaken = try connection.exists("SELECT 1 FROM account WHERE name_key = ?", .text(account.nameKey))
        if isTaken { return false }
        let role = try accountCount() == 0 ? Role.owner : account.role
        try connection.run(
            """
            INSERT INTO account (id, name, name_key, password_hash, created_at, plan, role)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, .id(account.id), .text(account.name), .text(account.nameKey), .optional(account.passwordHash),
            .time(account.createdAt), .optional(account.plan), .text(role.rawValue))
        try writeConsent(.history, keepsHistory ? 1 : 0, version: 1, of: account.id, at: account.createdAt)
        return true
    }

    func account(_ id: AccountID) throws -> AccountRecord? {
        try connection.first(
            "SELECT \(Self.accountColumns) FROM account WHERE id = ?", .id(id), read: Self.account)
    }

    func account(nameKey: String) throws -> AccountRecord? {
        try connection.first(
            "SELECT \(Self.accountColumns) FROM account WHERE name_key = ?", .text(nameKey), read: Self.account)
    }

    func accounts() throws -> [AccountRecord] {
        try connection.all(
            "SELECT \(Self.accountColumns) FROM account ORDER BY created_at, id", read: Self.account)
    }

    func accountCount() throws -> Int {
        try connection.first("SELECT count(*) FROM account") { $0.integer(0) } ?? 0
    }

    func deleteAccount(_ id: AccountID, now: Timestamp) throws -> [AnswerID]? {
        guard try account(id) != nil else { return nil }
        let unfinished = try deleteConversations(of: id, now: now)
        try connection.run(
            "DELETE FROM taking WHERE answer IN (SELECT answer FROM charge WHERE account = ?)", .id(id))
        let tables = [
            "task", "session", "sign_in_code", "change", "search_account", "consent", "audit", "quota_use", "charge",
            "fact", "memory_declined", "familiar_address", "passkey", "identity",
        ]
        for table in tables {
            try connection.run("DELETE FROM \(table) WHERE account = ?", .id(id))
        }
        try connection.run("DELETE FROM invite WHERE maker = ?", .id(id))
        try connection.run("DELETE FROM account WHERE id = ?", .id(id))
        try keepAnOwner()
        return unfinished
    }

    private static let accountColumns = "id, name, password_hash, created_at, plan, role"

    private static func account(_ row: borrowing Row) throws(SQLiteFailure) -> AccountRecord {
        guard let role = Role(rawValue: row.text(5)) else { throw .corrupt("an unknown role") }
        return AccountRecord(
            id: try row.id(0), name: row.text(1), passwordHash: row.optionalText(2), createdAt: row.time(3),
            plan: row.optionalText(4), role: role)
    }

    func openSession(_ session: SessionRecord, tokenHash: [UInt8]) throws {
        try connection.run(
            "INSERT INTO session (id, account, token_hash, device, created_at, seen_at) VALUES (?, ?, ?, ?, ?, ?)",
            .id(session.id), .id(session.account), .bytes(tokenHash), .text(session.device), .time(session.createdAt),
            .time(session.seenAt))
        try feed(.device, session.id, of: session.account, conversation: nil, at: session.createdAt)
        try audit(.signedIn, session.device, of: session.account, at: session.createdAt)
    }

    func session(tokenHash: [UInt8]) throws -> SessionRecord? {
        try connection.first(
            "SELECT id, account, device, created_at, seen_at FROM session WHERE token_hash = ?", .bytes(tokenHash),
            read: Self.session)
    }

    func sessions(of account: AccountID) throws -> [SessionRecord] {
        try connection.all(
            "SELECT id, account, device, created_at, seen_at FROM session WHERE account = ? ORDER BY created_at, id",
            .id(account), read: Self.session)
    }

    func closeSession(_ id: SessionID, of account: AccountID) throws -> Bool {
        let device = try connection.first(
            "DELETE FROM session WHERE id = ? AND account = ? RETURNING device", .id(id), .id(account)
        ) { $0.text(0) }
        guard let device else { return false }
        // Signing out comes without a time: the entry is as old as the newest before it.
        let newest = try connection.first(
            "SELECT at FROM change WHERE account = ? ORDER BY cursor DESC LIMIT 1", .id(account)
        ) { $0.time(0) }
        let at = newest ?? Timestamp(milliseconds: 0)
        try feed(.device, id, of: account, conversation: nil, .delete, at: at)
        try audit(.signedOut, device, of: account, at: at)
        return true
    }

    private static func session(_ row: borrowing Row) throws(SQLiteFailure) -> SessionRecord {
        SessionRecord(
            id: try row.id(0), account: try row.id(1), device: row.text(2), createdAt: row.time(3), seenAt: row.time(4))
    }

    func saveSignInCode(hash: [UInt8], account: AccountID, expiresAt: Timestamp) throws {
        try connection.run(
            "INSERT OR REPLACE INTO sign_in_code (hash, account, expires_at) VALUES (?, ?, ?)",
            .bytes(hash), .id(account), .time(expiresAt))
    }

    func redeemSignInCode(hash: [UInt8], now: Timestamp) throws -> AccountID? {
        try connection.run("DELETE FROM sign_in_code WHERE expires_at <= ?", .time(now))
        return try connection.first("DELETE FROM sign_in_code WHERE hash = ? RETURNING account", .bytes(hash)) {
            row throws(SQLiteFailure) in try row.id(0)
        }
    }
}
