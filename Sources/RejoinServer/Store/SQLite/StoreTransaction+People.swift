internal import RejoinCore
internal import SQLite

extension StoreTransaction {
    // MARK: Accounts

    func register(_ account: AccountRecord, invite codeHash: [UInt8], now: Timestamp) throws -> InvitedAccount {
        let invite = try invite(codeHash: codeHash)
        guard let invite, invite.state(at: now) == .open else { return .refused(invite?.state(at: now)) }
        guard try createAccount(account, keepsHistory: true) else { return .nameTaken }
        try connection.run("UPDATE invite SET used = used + 1 WHERE id = ?", .id(invite.id))
        return .created
    }

    func setRole(_ role: Role, of account: AccountID, now: Timestamp) throws -> RoleChange {
        guard let old = try self.account(account) else { return .notFound }
        if old.role == role { return .changed }
        if role != .owner, try otherOwners(than: account) == 0 { return .lastOwner }
        try connection.run("UPDATE account SET role = ? WHERE id = ?", .text(role.rawValue), .id(account))
        try audit(.roleChanged, role.rawValue, of: account, at: now)
        return .changed
    }

    private func otherOwners(than account: AccountID) throws -> Int {
        try connection.first("SELECT count(*) FROM account WHERE role = 'owner' AND id <> ?", .id(account)) {
            $0.integer(0)
        } ?? 0
    }

    func isLastOwner(_ account: AccountID) throws -> Bool {
        guard try self.account(account)?.role == .owner, try otherOwners(than: account) == 0 else { return false }
        return try accountCount() > 1
    }

    /// Makes the oldest account an owner if there is none.
    func keepAnOwner() throws {
        try connection.run(
            """
            UPDATE account SET role = 'owner' WHERE id = (SELECT id FROM account ORDER BY created_at, id LIMIT 1)
            AND NOT EXISTS (SELECT 1 FROM account WHERE role = 'owner')
            """)
    }

    func setPassword(
        hash: String, of account: AccountID, keeping device: SessionID?, now: Timestamp
    ) throws -> [SessionID]? {
        guard let old = try self.account(account) else { return nil }
        try connection.run("UPDATE account SET password_hash = ? WHERE id = ?", .text(hash), .id(account))
        try audit(.passwordChanged, nil, of: account, at: now)
        return old.passwordHash == nil ? [] : try closeSessions(of: account, but: device, now: now)
    }

    // MARK: Devices

    func renameSession(_ id: SessionID, of account: AccountID, to device: String, now: Timestamp) throws -> Bool {
        let isThere = try connection.exists(
            "SELECT 1 FROM session WHERE id = ? AND account = ?", .id(id), .id(account))
        guard isThere else { return false }
        try connection.run("UPDATE session SET device = ? WHERE id = ?", .text(device), .id(id))
        try feed(.device, id, of: account, conversation: nil, at: now)
        return true
    }

    func closeSessions(of account: AccountID, but kept: SessionID?, now: Timestamp) throws -> [SessionID] {
        let others = try sessions(of: account).filter { $0.id != kept }
        for session in others {
            try connection.run("DELETE FROM session WHERE id = ?", .id(session.id))
            try feed(.device, session.id, of: account, conversation: nil, .delete, at: now)
            try audit(.signedOut, session.device, of: account, at: now)
        }
        return others.map(\.id)
    }

    func noteSeen(_ seen: [SessionID: Timestamp]) throws {
        for (id, at) in seen {
            try connection.run("UPDATE session SET seen_at = max(seen_at, ?) WHERE id = ?", .time(at), .id(id))
        }
    }

    func signedIn(among ids: [SessionID]) throws -> Set<SessionID> {
        var found: Set<SessionID> = []
        for id in ids where try connection.exists("SELECT 1 FROM session WHERE id = ?", .id(id)) { found.insert(id) }
        return found
    }

    // MARK: Invitations

    func createInvite(_ invite: InviteRecord, codeHash: [UInt8]) throws {
        try connection.run(
            """
            INSERT INTO invite (id, code_hash, maker, created_at, expires_at, uses, used, revoked_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, .id(invite.id), .bytes(codeHash), .id(invite.maker), .time(invite.createdAt), .time(invite.expiresAt),
            .integer(invite.uses), .integer(invite.used), invite.revokedAt.map { .time($0) } ?? .null)
    }

    private static let inviteColumns = "id, maker, created_at, expires_at, uses, used, revoked_at"

    private static func invite(_ row: borrowing Row) throws(SQLiteFailure) -> InviteRecord {
        InviteRecord(
            id: try row.id(0), maker: try row.id(1), createdAt: row.time(2), expiresAt: row.time(3),
            uses: row.integer(4), used: row.integer(5), revokedAt: row.optionalTime(6))
    }

    func invites() throws -> [InviteRecord] {
        try connection.all(
            "SELECT \(Self.inviteColumns) FROM invite ORDER BY created_at DESC, id DESC", read: Self.invite)
    }

    func invite(codeHash: [UInt8]) throws -> InviteRecord? {
        try connection.first(
            "SELECT \(Self.inviteColumns) FROM invite WHERE code_hash = ?", .bytes(codeHash), read: Self.invite)
    }

    func revokeInvite(_ id: InviteID, now: Timestamp) throws -> Bool {
        let isThere = try connection.exists("SELECT 1 FROM invite WHERE id = ?", .id(id))
        if isThere {
            try connection.run(
                "UPDATE invite SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL", .time(now), .id(id))
        }
        return isThere
    }

    // MARK: Guessing

    func beginAttempt(_ keys: [Attempts.Key], now: Timestamp) throws -> Timestamp? {
        var counted: [(hash: [UInt8], attempts: Attempts)] = []
        var wait: Timestamp?
        for key in keys {
            let known = try attempts(key)
            if let until = known?.blockedUntil(free: key.free, now: now) { wait = max(wait ?? until, until) }
            counted.append((key.hash, (known ?? Attempts(count: 0, lastAt: now)).counted(at: now)))
        }
        if let wait { return wait }
        for (hash, attempts) in counted {
            try connection.run(
                "INSERT OR REPLACE INTO attempt (key, count, last_at) VALUES (?, ?, ?)", .bytes(hash),
                .integer(attempts.count), .time(attempts.lastAt))
        }
        return nil
    }

    private func attempts(_ key: Attempts.Key) throws -> Attempts? {
        try connection.first("SELECT count, last_at FROM attempt WHERE key = ?", .bytes(key.hash)) {
            Attempts(count: $0.integer(0), lastAt: $0.time(1))
        }
    }

    func forgiveAttempt(cleared: [Attempts.Key], eased: [Attempts.Key]) throws {
        for key in cleared { try connection.run("DELETE FROM attempt WHERE key = ?", .bytes(key.hash)) }
        for key in eased {
            try connection.run("UPDATE attempt SET count = max(0, count - 1) WHERE key = ?", .bytes(key.hash))
        }
    }

    func isFamiliar(_ addressHash: [UInt8], to account: AccountID) throws -> Bool {
        try connection.exists(
            "SELECT 1 FROM familiar_address WHERE account = ? AND address = ?", .id(account), .bytes(addressHash))
    }

    func noteFamiliar(_ addressHash: [UInt8], to account: AccountID, at now: Timestamp) throws {
        try connection.run(
            "INSERT OR REPLACE INTO familiar_address (account, address, at) VALUES (?, ?, ?)", .id(account),
            .bytes(addressHash), .time(now))
        try connection.run(
            """
            DELETE FROM familiar_address WHERE account = ?1 AND address NOT IN
                (SELECT address FROM familiar_address WHERE account = ?1 ORDER BY at DESC, address LIMIT ?2)
            """, .id(account), .integer(FamiliarAddresses.perAccount))
    }

    func expirePeople(now: Timestamp) throws {
        func ago(_ milliseconds: Int64) -> Value { .time(now.advanced(byMilliseconds: -milliseconds)) }
        try connection.run("DELETE FROM attempt WHERE last_at < ?", ago(Attempts.memory))
        try connection.run("DELETE FROM familiar_address WHERE at < ?", ago(FamiliarAddresses.memory))
        try connection.run("DELETE FROM invite WHERE expires_at < ?", ago(InviteRecord.listedAfter))
    }
}
